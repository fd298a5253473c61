#!/usr/bin/env python3
"""Writes the files that the fuzzers start from and tests/lib/io reads: small ones that can be read (valid-…), that must be
refused (bad-…) and others, for each reader; and tables.txt, the numbers that are in those that can be read. What the others
are refused with stands in refused.txt beside it, which the test writes. make_corpus.py FOLDER; what a fuzzer found (found-…)
is left as it is."""

import gzip
import json
import struct
import sys
from pathlib import Path

NPY = b"\x93NUMPY"
FLOATS = struct.pack("<6f", 1, 2, 3, -0.5, 0.25, 1e-3)
# one, the least subnormal, the greatest, the least normal, the greatest, -2, -0, 1/3, ∞, -∞, NaN
HALVES = struct.pack("<11H", 0x3C00, 1, 0x3FF, 0x400, 0x7BFF, 0xC000, 0x8000, 0x3555, 0x7C00, 0xFC00, 0x7E00)
BFLOATS = struct.pack("<11H", 0x3F80, 1, 0x7F, 0x80, 0x7F7F, 0xC020, 0x8000, 0x3DCD, 0x7F80, 0xFF80, 0x7FC0)
HUGE = 2**64 - 1


def numbered(name, items):
    for i, item in enumerate(items, 1):
        yield f"{name}-{i:02}", item


def rows_of(numbers, cols, columns_first=False):
    numbers = list(numbers)
    count = len(numbers) // cols
    return [[numbers[j * count + i if columns_first else i * cols + j] for j in range(cols)] for i in range(count)]


def bfloats(data):
    """A float's upper half."""
    return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]


# Files come as name, bytes and, where they can be read, their rows: by the tensor's name where there are several, each row
# with its word where it has one.

# ---- npy

def dictionary(descr, shape, order="False"):
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"


def npy_of(header, data=FLOATS, version=1):
    header = header.encode() if isinstance(header, str) else header
    return NPY + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def npy(descr, shape, data=FLOATS, order="False", version=1):
    return npy_of(dictionary(descr, shape, order) + "\n", data, version)


def npy_files():
    floats = struct.unpack("<6f", FLOATS)
    yield "valid-f4", npy("<f4", "(2, 3)"), rows_of(floats, 3)
    yield "valid-f4-version-3", npy("<f4", "(2, 3)", version=3), rows_of(floats, 3)
    yield "valid-f8-version-2", npy("<f8", "(3,)", version=2), [struct.unpack("<3d", FLOATS)]
    yield "valid-f2-fortran", npy("<f2", "(4, 3)", order="True", version=3), rows_of(struct.unpack("<12e", FLOATS), 3, True)
    yield "valid-fortran", npy("<f4", "(2, 3)", order="True"), rows_of(floats, 3, True)
    yield "valid-fortran-line", npy("<f4", "(6,)", order="True"), [floats]
    yield "valid-fortran-column", npy("<f4", "(6, 1)", order="True"), rows_of(floats, 1)
    for kind, code in dict(f2="e", f4="f", f8="d", i1="b", u1="B", i2="h", u2="H", i4="i", u4="I", i8="q", u8="Q").items():
        count = 24 // int(kind[1])
        for order, name in ("<", "little"), (">", "big"):
            data = FLOATS if order == "<" else FLOATS[::-1]
            yield f"valid-{kind}-{name}", npy(order + kind, f"({count // 3}, 3)", data), rows_of(
                struct.unpack(f"{order}{count}{code}", data), 3)
    yield "valid-u1", npy("|u1", "(24, 1)"), rows_of(FLOATS, 1)
    yield "valid-halves", npy("<f2", "(11,)", HALVES), [struct.unpack("<11e", HALVES)]
    yield "valid-nan", npy("<f2", "(1, 4)", struct.pack("<4H", 0x7C00, 0x7E01, 0x8001, 0xFC00)), [
        [float("inf"), float("nan"), -2**-24, -float("inf")]]
    # Headers that numpy would take.
    for (name, header), version in zip(numbered("valid-header", [
            "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}\n",
            '{"descr":"<f4","fortran_order":False,"shape":(2,3,)}',
            "{ 'fortran_order' : False , 'descr' : '<f4' , 'shape' : ( 2 , 3 ) , }   \n",
            dictionary("<f4", "(2, 3)") + " " * 0x90 + "\n"]), (1, 2, 3, 1)):
        yield name, npy_of(header, version=version), rows_of(floats, 3)

    for name, shape in numbered("bad-promise", [
            "(9223372036854775808, 1)", "(4294967296, 4294967296)", "(4611686018427387904, 4)", "(4611686018427387905, 4)",
            "(18446744073709551615, 18446744073709551615)", "(6148914691236517206, 3)", "(18446744073709551616, 1)",
            "(1000000, 1000000)", "(7,)"]):
        yield name, npy("<f4", shape)
    yield "bad-huge", npy("<f4", "(1099511627776, 768)")
    yield "bad-wraps", npy("<f4", "(4611686018427387904, 4)", b"")
    yield "bad-wraps-line", npy("<f4", "(4611686018427387904,)", b"")
    for name, shape in numbered("bad-shape", [
            "(-2, -3)", "(0, 3)", "()", "(6)", "6", "(2 3)", "(2, 3", "(2.0, 3)", "(2,, 3)", "[2, 3]", "(2e0, 3)", "(+2, 3)",
            "(,)"]):
        yield name, npy("<f4", shape)
    yield "bad-three", npy("<f4", "(1, 2, 3)")
    for name, descr in numbered("bad-type", [
            "<c8", "|b1", "<f3", "<f16", "|S4", "f4", "=f4", "<", "", "|f4", "<u16", "<i3"]):
        yield name, npy(descr, "(2, 3)")
    yield "bad-objects", npy("|O", "(6,)")
    for name, header in numbered("bad-dictionary", [
            "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,)}",
            "{'descr': '<f4', 'shape': (6,)}",
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
            "{'more': 1, 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x",
            "{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}",
            "{'descr", ""]):
        yield name, npy_of(header)
    yield "bad-tail", npy("<f4", "(2, 3)", FLOATS + b"x")
    yield "bad-tail-version-2", npy("<f4", "(2, 3)", FLOATS + b"\0", version=2)
    yield "bad-header", NPY + b"\1\0\xff\xff{'descr': '<f4'"
    whole = npy("<f4", "(6,)", version=2)
    yield "bad-header-of-4-GB", whole[:11] + b"\xff" + whole[12:]
    yield "bad-version", whole[:6] + b"\4" + whole[7:]


# ---- safetensors

def tensors(header, data=FLOATS, length=None):
    text = header if isinstance(header, bytes) else header.encode() if isinstance(header, str) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def safetensors_files():
    two = {"w": entry("F32", [2, 2], 0, 16), "b": entry("BF16", [2, 2], 16, 24)}
    yield "valid-two", tensors(two), {"w": rows_of(struct.unpack("<4f", FLOATS[:16]), 2), "b": rows_of(bfloats(FLOATS[16:]), 2)}
    yield "valid-metadata", tensors({"__metadata__": {"format": "pt"}, "\u00e4": entry("F16", [12], 0, 24)}), [
        struct.unpack("<12e", FLOATS)]
    yield "valid-padded", tensors('{"__metadata__": {"dtype": "x", "": ""}, "w": {"shape": [6], "dtype": "F32", "data_offsets": '
                                  '[0, 24]}}     '), [struct.unpack("<6f", FLOATS)]
    yield "valid-f64", tensors({"w": entry("F64", [3, 1], 0, 24)}), rows_of(struct.unpack("<3d", FLOATS), 1)
    singles = struct.pack("<6f", 1, -0.0, 0.1, 1e-45, 3.4028234663852886e38, -float("inf"))
    doubles = struct.pack("<3d", 0.1, -5e-324, 1e308)
    yield "valid-limits", tensors({"w": entry("F32", [2, 3], 0, 24), "b": entry("F64", [3], 24, 48), "h": entry("F16", [11], 48, 70),
                                   "bf": entry("BF16", [11], 70, 92)}, singles + doubles + HALVES + BFLOATS), {
        "w": rows_of(struct.unpack("<6f", singles), 3), "b": [struct.unpack("<3d", doubles)],
        "h": [struct.unpack("<11e", HALVES)], "bf": [bfloats(BFLOATS)]}
    yield "valid-leading-ones", tensors({"w": entry("F32", [1, 1, 3, 2], 0, 24)}), rows_of(struct.unpack("<6f", FLOATS), 2)
    yield "beside-an-empty-one", tensors({"w": entry("F64", [3], 0, 24), "x": entry("I8", [0, 7], 24, 24)})
    yield "beside-others", tensors({
        "ids": entry("I64", [1], 0, 8), "cube": entry("F16", [2, 1, 1], 8, 12), "one": entry("F16", [], 12, 14),
        "mask": entry("BOOL", [1, 1, 2], 14, 16), "none": entry("F16", [4, 0], 16, 16), "row": entry("F16", [4], 16, 24)})
    # Types smaller than a byte fill whole bytes together.
    yield "unread-f4", tensors({"w": entry("F4", [48], 0, 24)})
    yield "unread-f6", tensors({"w": entry("F6_E2M3", [4, 8], 0, 24)})
    yield "unread-dtype", tensors({"w": entry("I64", [3], 0, 24)})

    yield "bad-tail", tensors({"a": entry("F32", [2], 0, 8)})
    yield "bad-tail-of-all", tensors("{}")
    yield "bad-zero-behind", tensors(two, FLOATS + b"\0")
    yield "bad-cut", tensors(two, FLOATS[:-1])
    yield "bad-length", tensors(two, length=2**63)
    yield "bad-twice", tensors('{"a":{"dtype":"F32","shape":[6],"data_offsets":[0,24],"shape":[6]}}')
    yield "bad-deep", tensors('{"a":' + "[" * 500)
    braces = b"{" * 10
    for name, length in numbered("bad-length", [2**63, HUGE, HUGE - 7, 11, 10, 2**40, 99999999]):
        yield name, struct.pack("<Q", length) + braces
    yield "bad-empty-header", struct.pack("<Q", 0) + braces
    w = '"w": {"dtype": "F32", "shape": [6], "data_offsets": [0, 24]}'
    for name, header in numbered("bad-header", [
            f"{{{w},{w}}}",
            f'{{"__metadata__":{{"a":"","a":""}},{w}}}',
            f'{{"__metadata__":{{}},"__metadata__":{{}},{w}}}',
            '{"w":{"dtype":"F32","dtype":"F32","shape":[6],"data_offsets":[0,24]}}',
            '{"w":{"dtype":"F32","data_offsets":[0,24]}}',
            '{"w":{"dtype":7,"shape":[6],"data_offsets":[0,24]}}',
            '{"w":{"dtype":[7]}}',
            '{"w":{"shape":"6"}}',
            '{"w":{"shape":6}}',
            '{"w":7}',
            '{"w":{"w":7}}',
            '{"w":[[',
            '{"w":{"shape":[[',
            '{"__metadata__":{"x":[[',
            '{"__metadata__":{"x":{"y":',
            f'{{"__metadata__":"x",{w}}}',
            f'{{"__metadata__":{{"x":null}},{w}}}',
            '{"w":true}']):
        yield name, tensors(header)
    for name, header in numbered("bad-json", [
            f"{{{w}", f"{{{w}}}x", f"{{{w},}}", b'{"w\xff":', "{w:1}", f"{{{w}}}\0", f"{{/**/{w}}}", '{\n"a":\n\t\t', f"{{{w}}}\0x"]):
        yield name, tensors(header)
    for name, header in numbered("bad-beginning", [f" {{{w}}}", "[[[["]):
        yield name, tensors(header)

    def shaped(shape, dtype="F32"):
        return tensors(f'{{"w": {{"dtype": "{dtype}", "shape": {shape}, "data_offsets": [0, 24]}}}}')

    yield "bad-wraps", tensors({"a": entry("F32", [2**61, 8], 0, 24)})
    for name, shape in numbered("bad-shape", [
            "[2305843009213693952, 8]", "[4294967296, 4294967296]", "[18446744073709551615, 18446744073709551615]",
            "[576460752303423489, 1]", "[1099511627776, 768]", "[7]", "[2, 0]", "[]", "[-6]", "[6.0]", "[18446744073709551616]",
            "[1e999]", '["6"]', "[[6]]", f"[6{',1' * 64}]"]):
        yield name, shaped(shape)
    for name, dtype in numbered("bad-type", ["F33", "", "f32", "float32", "F32 ", "C128"]):
        yield name, shaped("[6]", dtype)
    yield "bad-part-of-a-byte", shaped("[49]", "F4")

    yield "bad-overlap", tensors({"a": entry("F32", [3], 0, 12), "b": entry("F32", [3], 8, 20)})
    yield "bad-hole", tensors({"a": entry("F32", [2], 0, 8), "b": entry("F32", [3], 12, 24)})
    for name, (shape, first, second) in numbered("bad-places", [
            ([3], [0, 12], [0, 12]), ([6], [0, 24], [4, 16]), ([3], [4, 16], [16, 28]), ([2], [4, 12], [12, 24]),
            ([2], [0, 8], [8, 20]), ([3], [12, 0], [12, 24]), ([3], [0, HUGE], [12, 24]), ([3], [0], [12, 24]),
            ([3], [0, 1, 2], [12, 24])]):
        yield name, tensors({"a": {"dtype": "F32", "shape": shape, "data_offsets": first}, "b": entry("F32", [3], *second)})
    yield "other-order", tensors({"a": entry("F32", [3], 12, 24), "b": entry("F32", [3], 0, 12)})


# ---- index

def index_files():
    def index(names, **more):
        names = names if isinstance(names, str) else json.dumps(names)
        return f'{{"metadata": {{"total_size": 24}}, "weight_map": {names}{"".join(more)}}}'.encode()

    yield "valid-index", index({"wte.weight": "model-00001-of-00002.safetensors", "wpe": "model-00002-of-00002.safetensors"})
    yield "valid-nested", b'{"weight_map": {"w": "a"}, "more": [1, -2, 0.5, null, true, {"x": []}]}'
    yield "valid-dots", index({"w": "..a"})
    yield "bad-up", index({"w": "../a"})
    yield "bad-dots", index({"w": ".."})
    yield "bad-absolute", index({"w": "/etc/passwd"})
    yield "bad-backslash", index({"w": "a\\b"})
    for name, file in numbered("bad-place", ["", ".", "a/b", "a/..", "..\\a", "a\0b", "a\nb"]):
        yield name, index({"w": file})
    yield "bad-number", index({"w": 7})
    yield "bad-list", index({"w": ["a"]})
    yield "bad-object", index({"w": {"a": "b"}})
    yield "bad-null", index({"w": None})
    yield "bad-text", b'{"weight_map": "a"}'
    yield "bad-array", b'{"weight_map": []}'
    yield "bad-none", index({})
    yield "bad-other", b'{"metadata": {}}'
    yield "bad-twice", b'{"weight_map": {"w": "a", "w": "b"}}'
    yield "bad-twice-map", b'{"weight_map": {"w": "a"}, "weight_map": {"w": "b"}}'
    yield "bad-deep", b'{"metadata": ' + b"[" * 300
    yield "bad-deep-objects", b'{"a":' * 300
    yield "bad-cut", b'{"weight_map": {"w": "a"}'
    yield "bad-behind", index({"w": "a"}) + b"x"
    yield "bad-zero-behind", index({"w": "a"}) + b"\0"
    yield "bad-quotes", b"{'w': 'a'}"


# ---- GGUF

F32, F16, Q4_0, Q8_0, Q3_K, F64, BF16 = 0, 1, 2, 8, 11, 28, 30


def gguf_text(text):
    return struct.pack("<Q", len(text)) + text


def gguf_value(name, kind, data):
    return gguf_text(name) + struct.pack("<I", kind) + data


def gguf_list(kind, count, items=b""):
    return gguf_value(b"x", 9, struct.pack("<IQ", kind, count) + items)


def gguf(values, entries, data=FLOATS, version=3, alignment=32, counts=None):
    """entries: name, dimensions, type, begin"""
    head = b"GGUF" + struct.pack("<IQQ", version, *(counts or (len(entries), len(values)))) + b"".join(values)
    for name, dimensions, kind, begin in entries:
        head += gguf_text(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions), *dimensions, kind, begin)
    return head + b"\0" * (-len(head) % alignment) + data


def blocks(kind):
    """Six blocks of 32 numbers and what they stand for, by ggml-common.h: d q, or d q + m, less 8 or 16 where there is no m."""
    least, most, less, with_m, fifth = {"q4_0": (0, 15, 8, False, False), "q4_1": (0, 15, 0, True, False),
                                        "q5_0": (0, 31, 16, False, True), "q5_1": (0, 31, 0, True, True),
                                        "q8_0": (-128, 127, 0, False, False)}[kind]
    halves = [0.25, -1.5, 2**-10, 1.25]
    data, numbers = b"", []
    for b in range(6):
        d, m = halves[b % 4], halves[(b + 1) % 4]
        q = [least + (7 * i + 5 * b + i // 16) % (most - least + 1) for i in range(32)]
        data += struct.pack("<e", d) + (struct.pack("<e", m) if with_m else b"")
        data += struct.pack("<I", sum((n >> 4) << i for i, n in enumerate(q))) if fifth else b""
        data += struct.pack("<32b", *q) if kind == "q8_0" else bytes((q[i] & 15) | (q[i + 16] & 15) << 4 for i in range(16))
        numbers += [d * n + m if with_m else d * (n - less) for n in q]
    return data, numbers


def gguf_files():
    llama = gguf_value(b"general.architecture", 8, gguf_text(b"llama"))
    heads = gguf_value(b"llama.attention.head_count", 4, struct.pack("<I", 3))
    words = gguf_value(b"tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + gguf_text(b"in") + gguf_text(b"for"))
    aligned = gguf_value(b"general.alignment", 4, struct.pack("<I", 64))
    yield "valid-f4", gguf([llama], [(b"w", (3, 2), F32, 0)]), rows_of(struct.unpack("<6f", FLOATS), 3)
    yield "valid-f8", gguf([], [(b"w", (3,), F64, 0)], version=2), [struct.unpack("<3d", FLOATS)]
    yield "valid-halves", gguf([], [(b"w", (11,), F16, 0)], HALVES), [struct.unpack("<11e", HALVES)]
    yield "valid-bfloats", gguf([], [(b"w", (11,), BF16, 0)], BFLOATS), [bfloats(BFLOATS)]
    yield "valid-two", gguf([llama, heads, words], [(b"w", (2, 3), F16, 0), (b"b", (3,), BF16, 32)],
                            FLOATS[:12] + b"\0" * 20 + FLOATS[:6]), {
        "w": rows_of(struct.unpack("<6e", FLOATS[:12]), 2), "b": [bfloats(FLOATS[:6])]}
    # The order of the entries is not that of the bytes; the last tensor too is padded up to the alignment.
    yield "valid-order", gguf([], [(b"b", (8,), F32, 32), (b"a", (8,), F32, 0)], FLOATS + b"\0" * 8 + FLOATS + b"\0" * 8), {
        "a": [struct.unpack("<8f", FLOATS + b"\0" * 8)]}
    yield "valid-padded", gguf([], [(b"w", (3,), F32, 0)], FLOATS[:12] + b"\0" * 20), [struct.unpack("<3f", FLOATS[:12])]
    yield "valid-aligned", gguf([aligned], [(b"a", (2,), F32, 0), (b"b", (1,), F64, 64)], FLOATS[:8] + b"\0" * 56 + FLOATS[:8],
                                alignment=64), {"a": [struct.unpack("<2f", FLOATS[:8])], "b": [struct.unpack("<d", FLOATS[:8])]}
    for name, kind in dict(q4_0=2, q4_1=3, q5_0=6, q5_1=7, q8_0=8).items():
        data, numbers = blocks(name)
        yield f"valid-{name}", gguf([llama], [(b"before", (3,), F32, 0), (b"w", (64, 3), kind, 32)],
                                    FLOATS[:12] + b"\0" * 20 + data, version=2), {"w": rows_of(numbers, 64)}
    yield "valid-one-value-of-each", gguf(
        [gguf_value(bytes([97 + i]), i, struct.pack("<Q", 1)[:size]) for i, size in enumerate((1, 1, 2, 2, 4, 4, 4, 1))] +
        [gguf_value(b"q", 10, b"\1" * 8)], [(b"w", (6,), F32, 0)]), [struct.unpack("<6f", FLOATS)]
    yield "unread-type", gguf([], [(b"w", (256,), Q3_K, 0)], b"\0" * 110)
    yield "unread-three", gguf([], [(b"w", (2, 3, 1), F32, 0)])
    yield "unread-none", gguf([], [(b"w", (), F32, 0)], FLOATS[:4])
    yield "unread-empty", gguf([], [(b"w", (0, 3), F32, 0)], b"")

    entry = [(b"w", (6,), F32, 0)]
    yield "bad-version", gguf([], entry, version=1)
    yield "bad-version-4", gguf([], entry, version=4)
    yield "bad-big-endian", gguf([], entry, version=3 << 24)
    yield "bad-counts", gguf([], [], b"", counts=(2**63, 2**63))
    yield "bad-counts-of-billions", gguf([], [], FLOATS * 4, counts=(10**9, 10**9))
    yield "bad-cut", gguf([], entry, FLOATS[:-1])
    yield "bad-tail", gguf([], entry, FLOATS + b"\0" * 40)
    yield "bad-tail-of-one", gguf([], entry, FLOATS + b"\0" * 9)

    def start(tensor_count, value_count, rest=b""):
        return b"GGUF" + struct.pack("<IQQ", 3, tensor_count, value_count) + rest

    yield "bad-count-of-tensors", start(HUGE, 0)
    yield "bad-count-of-values", start(0, HUGE)
    yield "bad-promise", start(1, 0, gguf_text(b"w") + struct.pack("<I2QIQ", 2, 2**40, 768, F32, 0)) + FLOATS
    for name, value in numbered("bad-value", [
            struct.pack("<Q", HUGE) + b"x" * 30,
            struct.pack("<Q", 60000) + b"x" * 30,
            gguf_text(b"x") + struct.pack("<IQ", 8, HUGE),
            gguf_text(b"x") + struct.pack("<IQ", 8, 90000000) + b"x" * 30,
            gguf_value(b"x", 13, b"abcd"),
            gguf_value(b"x", 7, b"\2"),
            gguf_list(0, HUGE, b"abc"),
            gguf_list(12, 3, b"x" * 16),
            gguf_list(12, (HUGE >> 3) + 2, b"x" * 16),
            gguf_list(8, 2, gguf_text(b"a") + struct.pack("<Q", 1)),
            gguf_list(8, 1, struct.pack("<Q", HUGE)),
            gguf_list(9, 0),
            gguf_list(13, 0)]):
        yield name, start(0, 1, value)
    yield "bad-list", gguf([gguf_list(8, 2**60)], entry)
    yield "bad-nested", gguf([gguf_value(b"x", 9, struct.pack("<IQIQ", 9, 1, 9, 1))], entry)
    yield "bad-twice", gguf([llama, llama], entry)
    for name, value in numbered("bad-alignment", [struct.pack("<II", 4, n) for n in (0, 24, 1 << 21, 2**32 - 1)] + [
            struct.pack("<I", 8) + gguf_text(b"32"), struct.pack("<Ii", 5, -32)]):
        yield name, gguf([gguf_text(b"general.alignment") + value], entry)

    long = FLOATS * 2 + FLOATS[:16]
    for name, (dimensions, kind, begin) in numbered("bad-tensor", [
            ((1, 1, 1, 1, 1), F32, 0), ((4,), 99, 0), ((48,), Q4_0, 0), ((17,), F32, 0), ((4,), F32, 4), ((4,), F32, 32),
            ((2**32, 2**32), F32, 0), ((2**63, 2), Q8_0, 0), ((4,), F32, HUGE - 7), ((4,), F32, HUGE - 31)]):
        yield name, gguf([], [(b"w", dimensions, kind, begin)], long)
    yield "bad-wraps", gguf([], [(b"w", (2**62, 8), F32, 0)])
    yield "bad-place", gguf([], [(b"w", (6,), F32, 2**64 - 32)])
    yield "bad-block", gguf([], [(b"w", (48,), Q4_0, 0)], b"\0" * 36)
    yield "bad-overlap", gguf([], [(b"a", (6,), F32, 0), (b"b", (4,), F32, 0)])
    yield "bad-overlap-of-ends", gguf([], [(b"a", (12,), F32, 0), (b"b", (4,), F32, 32)], long)
    yield "bad-hole", gguf([], [(b"a", (6,), F32, 0), (b"b", (4,), F32, 64)], FLOATS + b"\0" * 56)
    yield "bad-same-name", gguf([], [(b"a", (8,), F32, 0), (b"a", (8,), F32, 32)], long)


# ---- text

def text_files():
    glove = [(b"in", (0.5, 1e-3, 7)), (b"for", (1, 2, -0.25))]
    glove = [(word, struct.unpack("<3f", struct.pack("<3f", *numbers))) for word, numbers in glove]
    yield "valid-glove", b"in 0.5 1e-3 7\nfor 1 2 -0.25\n", glove
    yield "valid-header", b"2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n", glove
    for name, text in numbered("valid-spaced", [
            b"2 3\r\nin 0.5 1e-3 7 \r\nfor 1 2 -0.25  \r\n", b"2 3 \nin 0.5 1e-3 7 \nfor 1 2 -0.25",
            b"in\t0.5\t1e-3\t7\nfor  1 2   -0.25\t\n\n\r\n \n", b"\xef\xbb\xbf2 3\nin 0.5 .001 7.\nfor 1 2 -0.25\n"]):
        yield name, text, glove
    yield "valid-odd", b"\xef\xbb\xbf2 3 \r\n. . . 0.5\t1e-3 7 \r\n\xc2\xa0  1 2 -0.25\r\n\r\n", [
        (b". . .", glove[0][1]), (b"\xc2\xa0", glove[1][1])]
    yield "valid-blanks", b"x 3 4\nat name@domain 1 2", [(b"x", (3, 4)), (b"at name@domain", (1, 2))]
    # Words that look like something else; one dimension with a header and without.
    for name, (text, rows) in numbered("valid-words", [
            (b"2 1 0\n3 4 .5\n", [(b"2", (1, 0)), (b"3", (4, 0.5))]),
            (b"1.5 2 2\nnan_ 4 5\n", [(b"1.5", (2, 2)), (b"nan_", (4, 5))]),
            (b"2 2\n2 1 0\n1e5 4 5\n", [(b"2", (1, 0)), (b"1e5", (4, 5))]),
            (b"2 1\na 0\nb 5\n", [(b"a", (0,)), (b"b", (5,))]),
            (b"a 0\nb 5\n", [(b"a", (0,)), (b"b", (5,))]),
            (b"x 1 2\n. . . 3 4\nat name@domain.com 5 6\n", [(b"x", (1, 2)), (b". . .", (3, 4)), (b"at name@domain.com", (5, 6))]),
            (b"1 2\n. .  . 3 4\n", [(b". .  .", (3, 4))]),
            (b"\xc2\xa0 1 2\n\xe2\x80\xa8 3 4\n", [(b"\xc2\xa0", (1, 2)), (b"\xe2\x80\xa8", (3, 4))])]):
        yield name, text, rows
    # Words that look like numbers, among rows without words, or beside whole numbers and tiny ones.
    for name, (text, rows) in numbered("valid-beside", [
            (b"the 1 2 3\nof 4 5 7\n", [(b"the", (1, 2, 3)), (b"of", (4, 5, 7))]),
            (b"1 0.5 2\n2 1.5 3\n3 2.5 4\n", [(b"1", (0.5, 2)), (b"2", (1.5, 3)), (b"3", (2.5, 4))]),
            (b"1-a 0.5\n2-a 1.5\n3-a 2.5\n", [(b"1-a", (0.5,)), (b"2-a", (1.5,)), (b"3-a", (2.5,))]),
            (b"w1nd 0.5\nw2,000 1.5\n3nd 2.5\nw4,000 3.5\nw5nd 4.5\n6,000 5.5\n",
             [(word, (n + 0.5,)) for n, word in enumerate([b"w1nd", b"w2,000", b"3nd", b"w4,000", b"w5nd", b"6,000"])]),
            (b"0.5 1 2\nw0.5 3 4\nw1.5 5 6\nw2.5 7 8\n",
             [(b"0.5", (1, 2)), (b"w0.5", (3, 4)), (b"w1.5", (5, 6)), (b"w2.5", (7, 8))]),
            (b"a 1 2\nb 1e-50 1\nc 0 0e-9\n", [(b"a", (1, 2)), (b"b", (0, 1)), (b"c", (0, 0))])]):
        yield name, text, rows
    # No words: every line begins with a number, and these are no numbers of tokens.
    for name, text in numbered("valid-numbers", [
            b"0.5 1e-3\n2 -0.25\n", b"5e-1\t.001 \r\n2 -0.25\r\n\n", b" 0.50 0.001\n 2.00 -0.25\n"]):
        yield name, text, [(0.5, glove[0][1][1]), (2, -0.25)]
    for name, (text, rows) in numbered("valid-integers", [
            (b"-1 0\n0 -1\n", [(-1, 0), (0, -1)]), (b"0.5\n2\n", [(0.5,), (2,)])]):
        yield name, text, rows
    # valid from a file; from memory these bytes are no text
    yield "gzip", gzip.compress(b"a 1 2\nb 3 4\n", mtime=0)
    yield "bad-gzip-cut", gzip.compress(b"a 1 2\nb 3 4\n", mtime=0)[:-9]
    yield "bad-count", b"3 2\na 1 2\nb 3 4\n"
    yield "bad-short", b"a 1 2\nb 3\n"
    yield "bad-long", b"a 1 2\nb 3 4 5\n"
    yield "bad-nan", b"a 1 nan\n"
    yield "bad-large", b"a 1 1e999\n"
    yield "bad-twice", b"a 1 2\na 3 4\n"
    yield "bad-huge", b"1099511627776 4611686018427387904\na 1 2\n"
    yield "bad-empty-line", b"a 1 2\n\nb 3 4\n"
    for name, text in numbered("bad-line", [
            b"", b"\n\na 1\n", b"2 3\na 1 2\nb 1 2\n", b"a 1 2\nb 1 x\n", b"a 1 x\nb 1 2\n", b"a 1 2\nb -inf 2\n", b"a 1 1e39\n",
            b"a 1 0,5\n", b"a\n", b"a 1\n b 2\n", b"2 1\na 1\nb 2\na 3\n", b"3 2\na 1", b"3 2\n", b"0 2\na 1 1\n",
            b"3 2\na 1 1\nb 2 1\na 3 3\n", b"a 1 1\nb 2 1\nb 3 3\na 1 1\n", b"18446744073709551615 2\na 1 1\n",
            b"2 18446744073709551615\na 1 1\n", b"2 3\n\0\x1b\x80 \xff\n\n", b"1099511627776 3\na 1 1 1\n"]):
        yield name, text
    for name, text in numbered("bad-numbers", [
            b"2 1 0\n3 4 5\n", b"0 1 -1\n1 0 1\n", b"5\n", b"0.5 1\nnan 2\n", b"0.5 1\n2\n", b"0.5 1\n2 3 4\n", b"0.5\na\n",
            b"0.5\na 1\n", b"0.5 1\n1.5 2\n2.5 3\na 1 2\n"]):
        yield name, text
    yield "bad-tiny", b"a 1 2\nb 1e-50 0\n"
    # Columns that have their numbers for a heading, as pandas writes them.
    for name, text in numbered("bad-heading", [
            b'"" 0 1 2\n0 0.5 0.25 0.75\n1 1.5 2.5 3.5\n', b"0 1 2\n0.5 0.25 0.75\n1.5 2.5 3.5\n",
            b"word 0 1 2\nthe 0.5 0.25 0.75\nof 1.5 2.5 3.5\n", b"1 2 3\n0.5 0.25 0.75\n1.5 2.5 3.5\n",
            b"10 20 30\n0.5 0.25 0.75\n1.5 2.5 3.5\n", b"0.0 1.0 2.0\n0.5 0.25 0.75\n1.5 2.5 3.5\n",
            b"word 1 2 3\nthe 0.5 0.25 0.75\nof 1.5 2.5 3.5\n", b'"" -1 1 3\nthe 0.5 0.25 0.75\nof 1.5 2.5 3.5\n']):
        yield name, text
    # A first field that is no number where most are, or that nearly is in all lines.
    for name, text in numbered("bad-first", [
            b"# 2 3\n0.5 1 2\n1.5 3 4\n", b"NA 1 2\n0.5 1 2\n1.5 3 4\n", b"+0.10 -0.2 0.3\n+0.4 0.5 -0.6\n+0.7 0.8 0.9\n",
            *(("\n".join(first % n + " 0.25 0.75" for n in ("1.5", "2.5", "3.5")) + "\n").encode()
              for first in ("%s,", "%s;", "%s:", "%s|", '"%s"', "(%s", "−%s", "#%s", "%sD+00", "0x%sp+0", "%s,5", "%se+40"))]):
        yield name, text


def row_text(row):
    word, numbers = row if isinstance(row[0], bytes) else (None, row)
    return (word.decode() + " " if word is not None else "") + " ".join(f"{number:.17g}" for number in numbers)


READERS = {"npy": npy_files, "safetensors": safetensors_files, "index": index_files, "gguf": gguf_files,
           "text": text_files}

with open(Path(sys.argv[1]) / "tables.txt", "w") as tables:
    for reader, files in READERS.items():
        folder = Path(sys.argv[1]) / reader
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            if not old.name.startswith("found-"):
                old.unlink()
        for name, data, *rows in files():
            (folder / name).write_bytes(data)
            for tensor, table in (rows[0].items() if rows and isinstance(rows[0], dict) else [("", t) for t in rows]):
                print(f"{reader}/{name}{':' if tensor else ''}{tensor}", *map(row_text, table), sep="\t", file=tables)
