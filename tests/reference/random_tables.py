#!/usr/bin/env python3
"""Reference tables of lib/perp/random: streams, Philox and what is made of its words, written from the papers, with normals by
mpmath. (random.py and statistics.py would hide Python's own from the scripts beside them.)"""

import mpmath as mp
from tables import writer

mp.mp.dps = 40
write = writer("random")
M64 = 2**64 - 1


def philox(counter, key):
    """Philox4x32-10, Salmon et al. 2011."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & 0xFFFFFFFF, p >> 32 ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


# Random123's kat_vectors.
assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert philox([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def stream(seed, experiment, cell, replicate, purpose):
    """Two hashes over the same 64-bit words: SplitMix64's finaliser and MurmurHash3's."""
    def mix(x, first, a, second, b, last):
        x = (x ^ x >> first) * a & M64
        x = (x ^ x >> second) * b & M64
        return x ^ x >> last

    words = []
    for part in (seed, experiment, cell, replicate, purpose):
        if isinstance(part, int):
            words.append(part)
        else:
            words += [len(part)] + [int.from_bytes(part[i:i + 8].encode(), "little") for i in range(0, len(part), 8)]
    one, two = 0x243F6A8885A308D3, 0x13198A2E03707344
    for word in words:
        one = mix((one ^ word) + 0x9E3779B97F4A7C15 & M64, 30, 0xBF58476D1CE4E5B9, 27, 0x94D049BB133111EB, 31)
        two = mix((two ^ word) + 0x6A09E667F3BCC909 & M64, 33, 0xFF51AFD7ED558CCD, 33, 0xC4CEB9FE1A85EC53, 33)
    return [one & 0xFFFFFFFF, one >> 32], [two & 0xFFFFFFFF, two >> 32]


def text(length):
    return "".join(chr(33 + i % 90) for i in range(length))


write("streams", "seed,cell,replicate,purpose,key0,key1,nonce0,nonce1", [
    (seed, cell, replicate, purpose, *key, *nonce) for seed, cell, replicate, purpose in
    [(7, length, length % 3, 5) for length in list(range(18)) + [41]] + [(2**40 + 1, 4, 2**33 + 5, 0), (0, 0, 2**52, 41)]
    for key, nonce in [stream(seed, "e", text(cell), replicate, text(purpose))]])

KEY, NONCE = stream(5, "e", text(6), 1, text(2))


def word(i):
    block = i // 4
    return philox([block & 0xFFFFFFFF, block >> 32, *NONCE], KEY)[i % 4]


def normal(radius, bits, turn, which):
    """Box-Muller: -2 log((radius + 1/2)/2^bits), the angle less an eighth of a turn."""
    r = mp.sqrt(-2 * mp.log((mp.mpf(radius) + .5) / 2**bits))
    angle = 2 * mp.pi * turn - mp.pi / 4
    return r * (mp.sin(angle) if which else mp.cos(angle))


def single(i):
    """Elements 64 b + 32 h + i and 64 b + 32 h + 16 + i: cosine and sine of words 2 h and 2 h + 1 of block 16 b + i."""
    half, which, block = i % 64 // 32, i % 32 // 16, i // 64 * 16 + i % 16
    high, low = word(4 * block + 2 * half), word(4 * block + 2 * half + 1)
    return normal(high << 8 | low & 0xFF, 40, ((low >> 8) + mp.mpf(.5)) / 2**24, which)


def double(i):
    block, which = i // 32 * 16 + i % 16, i % 32 // 16
    w = [word(4 * block + j) for j in range(4)]
    return normal(w[1] << 32 | w[0], 64, ((w[3] << 32 | w[2]) + mp.mpf(.5)) / 2**64, which)


write("fills", "index,bits,unit,unit_double,sign,normal,normal_double", [
    (i, word(i), (word(i) >> 8) / 2**24, ((word(2 * i + 1) << 32 | word(2 * i)) >> 11) / 2**53, -1 if word(i // 32) >> i % 32 & 1 else 1, single(i), double(i))
    for i in [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 47, 48, 63, 64, 65, 100, 127, 128, 1000, 2047, 2048, 2049, 5000, 2**31 + 7, 2**32, 2**32 + 3, 2**33 + 1, 2**34 + 9,
              2**35 + 77, 2**40 + 12345, 2**52 + 1]])


def bounded(element, bound, first):
    """Lemire 2019; what is rejected is drawn again from blocks 2^63 + 64 element …, word by word."""
    product, tries = first * bound, 0
    while product & 0xFFFFFFFF < 2**32 % bound:
        block, place = divmod(tries, 4)
        counter = 2**63 + (element << 6) + block
        product = philox([counter & 0xFFFFFFFF, counter >> 32, *NONCE], KEY)[place] * bound
        tries += 1
    return product >> 32


write("below", "bound,index,value", [(bound, i, bounded(i, bound, word(i))) for bound in (1, 3, 1000, 3 << 30) for i in (*range(10), 999)])
order = list(range(20))
for i in range(19, 0, -1):
    j = bounded(i, i + 1, word(i))
    order[i], order[j] = order[j], order[i]
write("permutation", "place,value", list(enumerate(order)))
