#!/usr/bin/python3
"""perp rope and perp inspect on what people have. Each row of <word>_cases.json says where it was met ("thread"), what is given by
value (a configuration, its text, GGUF metadata and tensors, safetensors, a sinusoid), the word's arguments, and what was worked out
apart: numbers of --json ([low, high] where a range is meant), what the screen says and what it does not, or what it is refused with.
Tables of bytes, 8 bits and blocks are decoded anew here and must come out as their numbers in an .npy.
usage: cases.py <perp>"""

import json
import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from made import gguf, npy, safetensors

perp, folder = sys.argv[1], Path(sys.argv[0]).parent
failures = []
CLOSE = 2e-5  # expected numbers are given to five or six digits
random.seed(1)


# ---- files by value


def sinusoid(base, steps, rows=300, d=64, split=False, first=0, times=1.0):
    """Pair i turns by base ** -(steps[0] i + steps[1]); its cosine, where steps has four, by the last two."""
    speed = [[base ** -(a * i + b) for i in range(d // 2)] for a, b in (steps[:2], steps[-2:])]
    pairs = [[(times * math.sin(t * sine), times * math.cos(t * cosine)) for sine, cosine in zip(*speed)] for t in range(first, first + rows)]
    return npy([[s for s, _ in row] + [c for _, c in row] if split else [x for pair in row for x in pair] for row in pairs])


def write(row, at):
    """The row's files; what is asked about."""
    at.mkdir()
    if "config" in row or "text" in row:
        (at / "config.json").write_text(row.get("text") or json.dumps(row["config"]), encoding="utf-8")
    if "tensors" in row:
        (at / "model.safetensors").write_bytes(safetensors(row["tensors"]))
    if "index" in row:
        (at / "model.safetensors.index.json").write_text(json.dumps({"weight_map": row["index"]}), encoding="utf-8")
    if "gguf" in row:
        (at / "model.gguf").write_bytes(gguf(row["gguf"], row["values"], row.get("of_gguf")))
    if "sinusoid" in row:
        (at / "t.npy").write_bytes(sinusoid(**row["sinusoid"]) if row["sinusoid"] else npy([[random.gauss(0, 1) for _ in range(64)] for _ in range(300)]))
        return ["--positions", at / "t.npy"]
    return [at / "model.gguf" if "gguf" in row else at]


# ---- what is said of them


def expect(what, fits):
    if not fits:
        failures.append(what)


def run(*words):
    return subprocess.run([perp, *map(str, words)], capture_output=True, encoding="utf-8", errors="replace", check=False)


def at(answer, path):
    for step in path.split("."):
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    return answer


def fits(got, want):
    if isinstance(want, list) and len(want) == 2 and isinstance(got, (int, float)):
        return want[0] <= got <= want[1]
    if isinstance(want, (int, float)) and isinstance(got, (int, float)):
        return math.isclose(got, want, rel_tol=CLOSE)
    return got == want


def check(word, row, given):
    name, words = row["case"], [word, *given, *row.get("arguments", [])]
    answers = [run(*words, "--json")] + ([run(*words)] if {"says", "says_not"} & row.keys() else [])
    for answer in answers:
        if "refused" in row:
            expect(f"{name}: exit {answer.returncode}, {answer.stderr}", answer.returncode == 2 and answer.stderr.count("\n") == 1 and row["refused"] in answer.stderr)
            return
        expect(f"{name}: exit {answer.returncode}, {answer.stderr}", answer.returncode == 0 and (word != "rope" or not answer.stderr))
    found = json.loads(answers[0].stdout or "{}")
    for key, want in row.get("json", {}).items():
        try:
            got = at(found, key)
        except (KeyError, IndexError, TypeError) as error:
            got = repr(error)
        expect(f"{name}: {key} is {got}, expected {want}", fits(got, want))
    screen = answers[-1].stderr + answers[-1].stdout
    if word == "inspect":  # sentences are wrapped
        screen = " ".join(screen.split())
    failures.extend(f"{name}: does not say {text!r}:\n{screen}" for text in row.get("says", []) if text not in screen)
    failures.extend(f"{name}: says {text!r}:\n{screen}" for text in row.get("says_not", []) if text in screen)


# ---- numbers decoded anew


def group(block, high):
    """A block of Q4_K (high: no) or Q5_K."""
    d, least = struct.unpack("<ee", block[:4])
    packed, bits, low = block[4:16], block[16:48], block[48 if high else 16:]
    for i in range(256):
        g, place = divmod(i, 32)
        s, m = (packed[g] & 63, packed[g + 4] & 63) if g < 4 else (packed[g + 4] & 15 | packed[g - 4] >> 6 << 4, packed[g + 4] >> 4 | packed[g] >> 6 << 4)
        yield d * s * (low[g // 2 * 32 + place] >> 4 * (g % 2) & 15 | (16 if high and bits[place] >> g & 1 else 0)) - least * m


def six(block):
    d, scales = struct.unpack("<e", block[208:])[0], struct.unpack("<16b", block[192:208])
    for i in range(256):
        half, quarter, place = i // 128, i % 128 // 32, i % 32
        q = block[half * 64 + quarter % 2 * 32 + place] >> 4 * (quarter // 2) & 15 | (block[128 + half * 32 + place] >> 2 * quarter & 3) << 4
        yield d * scales[half * 8 + place // 16 + 2 * quarter] * (q - 32)


def e4m3(byte):
    exponent, mantissa = byte >> 3 & 15, byte & 7
    size = (mantissa / 8) * 2**-6 if exponent == 0 else (1 + mantissa / 8) * 2.0 ** (exponent - 7)
    return -size if byte > 127 else size


def close(a, b):
    return isinstance(a, type(b)) and (all(close(a[k], b[k]) for k in b) if isinstance(b, dict) else all(map(close, a, b)) if isinstance(b, list)
                                       else math.isclose(a, b, rel_tol=1e-5) if isinstance(b, float) else a == b)


def same(what, path, data, rows, *as_columns):
    """The file's table of words, and the same numbers in an .npy."""
    path.write_bytes(data)
    plain = path.with_suffix(".npy")
    plain.write_bytes(npy(rows))
    tensor = ":token_embd.weight" if path.suffix == ".gguf" else ":model.embed_tokens.weight"
    one, other = (run("inspect", "--words", *table, "--json").stdout for table in ([f"{path}{tensor}", *as_columns], [plain]))
    expect(f"{what}: {one} {other}", one and close(json.loads(one), json.loads(other)))


with tempfile.TemporaryDirectory() as scratch:
    for word in ("rope", "inspect"):
        for number, row in enumerate(json.loads((folder / f"{word}_cases.json").read_text(encoding="utf-8"))):
            check(word, row, write(row, Path(scratch, f"{word}{number}")))

    half = struct.pack("<e", 0.01)
    for kind, size, name, decode in ((12, 144, "Q4_K", lambda b: group(b, False)), (13, 176, "Q5_K", lambda b: group(b, True)), (14, 210, "Q6_K", six)):
        blocks = [random.randbytes(size) for _ in range(16)]
        blocks = [b[:208] + half if kind == 14 else half + half + b[4:] for b in blocks]
        values = [x for block in blocks for x in decode(block)]
        same(name, Path(scratch, "k.gguf"), gguf("llama", {}, {"token_embd.weight": (kind, [512, 8], b"".join(blocks))}), [values[i:i + 512] for i in range(0, len(values), 512)])
    # Numbers of 8 bits times a scale for all, for each row, and for each block of 128 x 128; none of what no code writes.
    raw = bytes(random.choice([random.randrange(0, 120), random.randrange(128, 248)]) for _ in range(200 * 64))
    for shape, scales in (([2, 1], [0.5, 3.0]), ([1], [2.0]), ([200, 1], [1 + i / 100 for i in range(200)])):
        block = math.ceil(200 / len(scales) / 128) * 128 if len(scales) < 200 else 1
        same(f"F8 times {shape}", Path(scratch, "m.safetensors"),
             safetensors({"model.embed_tokens.weight": ("F8_E4M3", [200, 64], raw), "model.embed_tokens.weight_scale_inv": ("F32", shape, scales)}),
             [[e4m3(raw[row * 64 + i]) * scales[row // block] for i in range(64)] for row in range(200)])
        same(f"F8 times {shape}, words as columns", Path(scratch, "m.safetensors"), Path(scratch, "m.safetensors").read_bytes(),
             [[e4m3(raw[row * 64 + i]) * scales[row // block] for row in range(200)] for i in range(64)], "--transpose", "words")
    same("F8 times two blocks of two rows", Path(scratch, "m.safetensors"),
         safetensors({"model.embed_tokens.weight": ("F8_E4M3", [2, 256], raw[:512]), "model.embed_tokens.weight_scale_inv": ("F32", [1, 2], [1.0, 8.0])}),
         [[e4m3(raw[row * 256 + i]) * (1 if i < 128 else 8) for i in range(256)] for row in range(2)])
    same("F8 times two blocks, some of the columns", Path(scratch, "m.safetensors"), Path(scratch, "m.safetensors").read_bytes(),
         [[e4m3(raw[row * 256 + i]) * (1 if i < 128 else 8) for row in range(2)] for i in range(100, 200)], "--transpose", "words", "--rows-words", "100:200")

print("\n".join(failures) or "every file is read as worked out apart")
sys.exit(1 if failures else 0)
