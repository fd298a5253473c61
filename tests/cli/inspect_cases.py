#!/usr/bin/python3
"""perp inspect on files as people have them: which rows are positions by the configuration, rows that stand for no word, types of
numbers decoded anew in plain Python, and sinusoids by name.
usage: inspect_cases.py <perp>"""

import json
import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

perp = sys.argv[1]
failures = []
random.seed(1)


def run(*words):
    return subprocess.run([perp, "inspect", *map(str, words)], capture_output=True, encoding="utf-8", check=False)


def expect(what, fits):
    if not fits:
        failures.append(what)


def numbers(rows, cols):
    return struct.pack(f"<{rows * cols}f", *(random.gauss(0, 1) for _ in range(rows * cols)))


def safetensors(path, tensors):
    head, body = {}, b""
    for name, (dtype, shape, data) in tensors.items():
        head[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def npy(path, rows):
    head = ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), len(rows[0]))).ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + b"".join(struct.pack("<f", x) for row in rows for x in row))


def gguf(path, kind, rows, cols, data):
    def text(s):
        return struct.pack("<Q", len(s)) + s

    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + text(b"general.architecture") + struct.pack("<I", 8) + text(b"llama")
    head += text(b"token_embd.weight") + struct.pack("<IQQIQ", 2, cols, rows, kind, 0)
    path.write_bytes(head + bytes(-len(head) % 32) + data + bytes(-len(data) % 32))


D = 64
WORDS, OPT = "embeddings.word_embeddings.weight", "decoder.embed_tokens.weight"
# Files of a model by name, its configuration, rows of positions, and what is said of them.
TABLES = [
    ("ESM-1b", "esm.embeddings.", {"model_type": "esm", "position_embedding_type": "absolute", "pad_token_id": 1}, 1026, "(1026 x 64) without the first 2"),
    ("ESM-2", "esm.embeddings.", {"model_type": "esm", "position_embedding_type": "rotary", "pad_token_id": 1}, 1026, "its configuration says rotary: the table"),
    ("RoBERTa", "roberta.embeddings.", {"model_type": "roberta", "max_position_embeddings": 42, "pad_token_id": 1}, 42, "(42 x 64) without the first 2"),
    ("BERT", "bert.embeddings.", {"model_type": "bert", "max_position_embeddings": 42}, 42, "(42 x 64);"),
    ("OPT", "model.decoder.", {"model_type": "opt", "max_position_embeddings": 40, "pad_token_id": 1}, 42, "(42 x 64) without the first 2"),
    ("Nougat", "decoder.model.decoder.", {"model_type": "vision-encoder-decoder", "decoder": {"model_type": "mbart", "max_position_embeddings": 84}}, 86, "(86 x 64) without the first 2"),
    ("Donut by rows alone", "decoder.model.decoder.", {"model_type": "other", "decoder": {"model_type": "other", "max_position_embeddings": 36}}, 38, "(38 x 64) without the first 2"),
    ("all rows", "decoder.model.decoder.", {"model_type": "other", "max_position_embeddings": 38}, 38, "(38 x 64);"),
]


def group(data, block, high):
    """A block of Q4_K (high: no) or Q5_K."""
    d, least = struct.unpack("<ee", block[:4])
    packed, bits, low = block[4:16], block[16:48], block[48 if high else 16:]
    for i in range(256):
        g, at = divmod(i, 32)
        s, m = (packed[g] & 63, packed[g + 4] & 63) if g < 4 else (packed[g + 4] & 15 | packed[g - 4] >> 6 << 4, packed[g + 4] >> 4 | packed[g] >> 6 << 4)
        q = low[g // 2 * 32 + at] >> 4 * (g % 2) & 15 | (16 if high and bits[at] >> g & 1 else 0)
        data.append(d * s * q - least * m)


def six(data, block):
    d = struct.unpack("<e", block[208:])[0]
    scales = struct.unpack("<16b", block[192:208])
    for i in range(256):
        half, quarter, at = i // 128, i % 128 // 32, i % 32
        q = block[half * 64 + quarter % 2 * 32 + at] >> 4 * (quarter // 2) & 15 | (block[128 + half * 32 + at] >> 2 * quarter & 3) << 4
        data.append(d * scales[half * 8 + at // 16 + 2 * quarter] * (q - 32))


def e4m3(byte):
    exponent, mantissa = byte >> 3 & 15, byte & 7
    size = (mantissa / 8) * 2**-6 if exponent == 0 else (1 + mantissa / 8) * 2.0 ** (exponent - 7)
    return -size if byte > 127 else size


def close(a, b):
    return isinstance(a, type(b)) and (all(close(a[k], b[k]) for k in b) if isinstance(b, dict) else all(map(close, a, b)) if isinstance(b, list)
                                       else math.isclose(a, b, rel_tol=1e-5) if isinstance(b, float) else a == b)


with tempfile.TemporaryDirectory() as scratch:
    for name, prefix, config, rows, says in TABLES:
        folder = Path(scratch, name.replace(" ", ""))
        folder.mkdir()
        bert = prefix.endswith("embeddings.")
        safetensors(folder / "model.safetensors", {
            prefix + ("word_embeddings.weight" if bert else "embed_tokens.weight"): ("F32", [33, D], numbers(33, D)),
            prefix + ("position_embeddings.weight" if bert else "embed_positions.weight"): ("F32", [rows, D], numbers(rows, D))})
        (folder / "config.json").write_text(json.dumps(config))
        got = run(folder)
        expect(f"{name}: {got.stderr}", got.returncode == 0 and says in got.stderr)

    file = Path(scratch, "m.safetensors")
    safetensors(file, {"pos_embed": ("F32", [1, 197, D], numbers(197, D)), "cls_token": ("F32", [1, 1, D], numbers(1, D))})
    got = run(file)
    expect(f"ViT: {got.stderr}", "perp inspect: positions pos_embed (197 x 64) without the first 1" in got.stderr and "words" not in got.stderr.split(";")[0])
    safetensors(file, {"model.embed_tokens.weight": ("F4", [32, D], bytes(32 * D // 2)), "scales": ("F8_E8M0", [32, 2], b"\x7f" * 64)})
    got = run(file)
    expect(f"F4: {got.stderr}", got.returncode == 2 and "holds items of dtype F4" in got.stderr and got.stderr.count("\n") == 1)

    # Numbers of 8 bits times a scale for each block of 128 x 128; and what no code writes.
    raw, plain = bytes(random.choice([random.randrange(0, 120), random.randrange(128, 248)]) for _ in range(200 * D)), Path(scratch, "plain.npy")
    for shape, scales in (([2, 1], [0.5, 3.0]), ([1], [2.0]), ([200, 1], [1 + i / 100 for i in range(200)])):
        safetensors(file, {"model.embed_tokens.weight": ("F8_E4M3", [200, D], raw), "model.embed_tokens.weight_scale_inv": ("F32", shape, struct.pack(f"<{len(scales)}f", *scales))})
        of = {2: lambda row: scales[row // 128], 1: lambda row: scales[0], 200: lambda row: scales[row]}[len(scales)]
        npy(plain, [[e4m3(raw[row * D + i]) * of(row) for i in range(D)] for row in range(200)])
        one, other = run(file, "--json").stdout, run("--words", plain, "--json").stdout
        expect(f"F8 times {shape}: {one} {other}", one and close(json.loads(one), json.loads(other)))
    safetensors(file, {"model.embed_tokens.weight": ("F8_E4M3", [200, D], raw), "model.embed_tokens.weight_scale_inv": ("F32", [3, 1], bytes(12))})
    expect("F8 with 3 scales", "has 3 x 1 scales; expected one, one for each row" in run(file).stderr)

    half = struct.pack("<e", 0.01)
    for kind, size, name in ((12, 144, "Q4_K"), (13, 176, "Q5_K"), (14, 210, "Q6_K")):
        blocks = [random.randbytes(size) for _ in range(16)]
        blocks = [b[:208] + half if kind == 14 else half + half + b[4:] for b in blocks]
        values = []
        for block in blocks:
            six(values, block) if kind == 14 else group(values, block, kind == 13)
        gguf(Path(scratch, "k.gguf"), kind, 8, 512, b"".join(blocks))
        npy(plain, [values[i:i + 512] for i in range(0, len(values), 512)])
        one, other = (run("--words", table, "--json").stdout for table in (f"{scratch}/k.gguf:token_embd.weight", plain))
        expect(f"{name}: {one} {other}", one and close(json.loads(one), json.loads(other)))

    def table(rows, d, sine, cosine, split, first=0, times=1.0):
        pairs = [[(times * math.sin(t * sine(i)), times * math.cos(t * cosine(i))) for i in range(d // 2)] for t in range(first, first + rows)]
        return [[s for s, _ in row] + [c for _, c in row] if split else [x for pair in row for x in pair] for row in pairs]

    paper, other = (lambda i: 1e4 ** (-2 * i / 64)), (lambda i: 500 ** (-i / 31))
    for name, rows, says in (
            ("the paper's", table(300, 64, paper, paper, False), ["base 10000, interleaved", "2i/d, the paper's"]),
            ("tensor2tensor's", table(300, 64, other, other, True), ["base 500, half-split", "i/(d/2 − 1), tensor2tensor's"]),
            ("from position 2, scaled", table(300, 64, paper, paper, True, 2, 0.1), ["half-split", "from position 2 on, times 0.1"]),
            ("doubled", table(300, 64, lambda i: 1e4 ** (-4 * i / 64), lambda i: 1e4 ** (-(4 * i + 2) / 64), False), ["base 10000", "a slip: an index that counts by two doubled again"]),
            ("half of the exponents", table(300, 64, lambda i: 1e4 ** (-i / 64), lambda i: 1e4 ** (-i / 64), False), ["base 100, interleaved", "2i/d, the paper's"]),
            ("columns", table(300, 64, paper, lambda i: 1e4 ** (-(2 * i + 1) / 64), False), ["a slip: each column its own frequency"]),
            ("noise", [[random.gauss(0, 1) for _ in range(64)] for _ in range(300)], ["The positions are no sinusoid."])):
        npy(plain, rows)
        said = " ".join(run("--positions", plain).stdout.split())
        expect(f"{name}: {said}", all(text in said for text in says))
        found = json.loads(run("--positions", plain, "--json").stdout)["positions"]["sinusoid"]
        expect(f"{name}: {found}", (found is None) == (name == "noise"))

print("\n".join(failures) or "tables, types and sinusoids are told as they are")
sys.exit(1 if failures else 0)
