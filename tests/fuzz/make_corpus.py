#!/usr/bin/env python3
"""Writes the files that the fuzzers start from: small ones that can be read (valid-…), that must be refused
(bad-…) and others, for each reader. make_corpus.py FOLDER; what a fuzzer found (found-…) is left as it is."""

import gzip
import json
import struct
import sys
from pathlib import Path

NPY = b"\x93NUMPY"
FLOATS = struct.pack("<6f", 1, 2, 3, -0.5, 0.25, 1e-3)


def npy(descr, shape, data, order="False", version=1):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return NPY + bytes([version, 0]) + length + header + data


def npy_files():
    yield "valid-f4", npy("<f4", "(2, 3)", FLOATS)
    yield "valid-f8-big", npy(">f8", "(3,)", FLOATS[::-1], version=2)
    yield "valid-f2-fortran", npy("<f2", "(4, 3)", FLOATS, order="True", version=3)
    for kind in ("|i1", "|u1", "<i2", ">u2", "<i4", ">u4", "<i8", ">u8"):
        size = int(kind[2])
        yield f"valid-{kind[1:]}", npy(kind, f"({24 // size}, 1)", FLOATS)
    yield "valid-nan", npy("<f2", "(1, 4)", struct.pack("<4H", 0x7C00, 0x7E01, 0x8001, 0xFC00))
    yield "bad-huge", npy("<f4", "(1099511627776, 768)", FLOATS)
    yield "bad-wraps", npy("<f4", "(4611686018427387904, 4)", b"")
    yield "bad-objects", npy("|O", "(6,)", FLOATS)
    yield "bad-three", npy("<f4", "(1, 2, 3)", FLOATS)
    yield "bad-tail", npy("<f4", "(2, 3)", FLOATS + b"x")
    yield "bad-header", NPY + b"\1\0\xff\xff{'descr': '<f4'"


def tensors(header, data, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def safetensors_files():
    two = {"w": entry("F32", [2, 2], 0, 16), "b": entry("BF16", [2, 2], 16, 24)}
    yield "valid-two", tensors(two, FLOATS)
    yield "valid-metadata", tensors({"__metadata__": {"format": "pt"}, "\u00e4": entry("F16", [12], 0, 24)}, FLOATS)
    yield "valid-f64", tensors({"w": entry("F64", [3, 1], 0, 24)}, FLOATS)
    yield "beside-an-empty-one", tensors({"w": entry("F64", [3], 0, 24), "x": entry("I8", [0, 7], 24, 24)}, FLOATS)
    yield "unread-dtype", tensors({"w": entry("I64", [3], 0, 24)}, FLOATS)
    yield "bad-overlap", tensors({"a": entry("F32", [3], 0, 12), "b": entry("F32", [3], 8, 20)}, FLOATS)
    yield "bad-hole", tensors({"a": entry("F32", [2], 0, 8), "b": entry("F32", [3], 12, 24)}, FLOATS)
    yield "bad-tail", tensors({"a": entry("F32", [2], 0, 8)}, FLOATS)
    yield "bad-wraps", tensors({"a": entry("F32", [2**61, 8], 0, 24)}, FLOATS)
    yield "bad-length", tensors(two, FLOATS, 2**63)
    yield "bad-twice", tensors(b'{"a":{"dtype":"F32","shape":[6],"data_offsets":[0,24],"shape":[6]}}', FLOATS)
    yield "bad-deep", tensors(b'{"a":' + b"[" * 500, FLOATS)


def index_files():
    def index(names, **more):
        return json.dumps({"metadata": {"total_size": 24}, "weight_map": names, **more}).encode()

    yield "valid-index", index({"wte.weight": "model-00001-of-00002.safetensors", "wpe": "model-00002-of-00002.safetensors"})
    yield "valid-nested", index({"w": "a"}, extra={"a": [1, -2, 3.5, None, True, {"b": "c"}]})
    yield "bad-up", index({"w": "../a"})
    yield "bad-dots", index({"w": ".."})
    yield "bad-absolute", index({"w": "/etc/passwd"})
    yield "bad-backslash", index({"w": "a\\b"})
    yield "bad-number", index({"w": 7})
    yield "bad-object", index({"w": {"file": "a"}})
    yield "bad-none", index({})
    yield "bad-other", b'{"metadata": {}}'
    yield "bad-twice", b'{"weight_map": {"w": "a", "w": "b"}}'
    yield "bad-twice-map", b'{"weight_map": {"w": "a"}, "weight_map": {"w": "b"}}'
    yield "bad-deep", b'{"metadata": ' + b"[" * 300
    yield "bad-cut", b'{"weight_map": {"w": "a"'


def gguf_text(text):
    return struct.pack("<Q", len(text)) + text


def gguf_value(name, kind, data):
    return gguf_text(name) + struct.pack("<I", kind) + data


def gguf(values, entries, data, version=3, alignment=32, counts=None):
    """entries: name, dimensions, type, begin"""
    head = b"GGUF" + struct.pack("<IQQ", version, *(counts or (len(entries), len(values)))) + b"".join(values)
    for name, dimensions, kind, begin in entries:
        head += gguf_text(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions), *dimensions, kind, begin)
    return head + b"\0" * (-len(head) % alignment) + data


def gguf_files():
    llama = gguf_value(b"general.architecture", 8, gguf_text(b"llama"))
    heads = gguf_value(b"llama.attention.head_count", 4, struct.pack("<I", 3))
    words = gguf_value(b"tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + gguf_text(b"in") + gguf_text(b"for"))
    aligned = gguf_value(b"general.alignment", 4, struct.pack("<I", 64))
    yield "valid-f4", gguf([llama], [(b"w", (3, 2), 0, 0)], FLOATS)
    yield "valid-two", gguf([llama, heads, words], [(b"w", (2, 3), 1, 0), (b"b", (3,), 30, 32)], FLOATS + FLOATS[:14])
    yield "valid-aligned", gguf([aligned], [(b"a", (2,), 0, 0), (b"b", (1,), 28, 64)], FLOATS[:8] + b"\0" * 56 + FLOATS[:8], alignment=64)
    for name, kind, size in ("q4_0", 2, 18), ("q4_1", 3, 20), ("q5_0", 6, 22), ("q5_1", 7, 24), ("q8_0", 8, 34):
        yield f"valid-{name}", gguf([], [(b"w", (32, 2), kind, 0)], (b"\x00\x3c\x00\xb8" + bytes(range(64)))[:size] * 2, version=2)
    yield "valid-one-value-of-each", gguf([gguf_value(bytes([97 + i]), i, struct.pack("<Q", 1)[:size]) for i, size in
                                           enumerate((1, 1, 2, 2, 4, 4, 4, 1))] + [gguf_value(b"q", 10, b"\1" * 8)], [(b"w", (6,), 0, 0)], FLOATS)
    yield "unread-type", gguf([], [(b"w", (256,), 14, 0)], b"\0" * 210)
    yield "bad-version", gguf([], [(b"w", (3, 2), 0, 0)], FLOATS, version=1)
    yield "bad-big-endian", gguf([], [(b"w", (3, 2), 0, 0)], FLOATS, version=3 << 24)
    yield "bad-counts", gguf([], [], b"", counts=(2**63, 2**63))
    yield "bad-list", gguf([gguf_value(b"x", 9, struct.pack("<IQ", 8, 2**60))], [(b"w", (6,), 0, 0)], FLOATS)
    yield "bad-nested", gguf([gguf_value(b"x", 9, struct.pack("<IQIQ", 9, 1, 9, 1))], [(b"w", (6,), 0, 0)], FLOATS)
    yield "bad-wraps", gguf([], [(b"w", (2**62, 8), 0, 0)], FLOATS)
    yield "bad-place", gguf([], [(b"w", (6,), 0, 2**64 - 32)], FLOATS)
    yield "bad-overlap", gguf([], [(b"a", (6,), 0, 0), (b"b", (4,), 0, 0)], FLOATS)
    yield "bad-hole", gguf([], [(b"a", (6,), 0, 0), (b"b", (4,), 0, 64)], FLOATS + b"\0" * 56)
    yield "bad-tail", gguf([], [(b"w", (6,), 0, 0)], FLOATS + b"\0" * 40)
    yield "bad-block", gguf([], [(b"w", (48,), 2, 0)], b"\0" * 36)
    yield "bad-twice", gguf([llama, llama], [(b"w", (6,), 0, 0)], FLOATS)


def word2vec_files():
    def words(header, *rows, end=b"\n"):
        return header + b"".join(word + b" " + numbers + end for word, numbers in rows)

    half = FLOATS[:12]
    yield "valid-lines", words(b"2 3\n", (b"in", half), (b"f\xc3\xbcr", FLOATS[12:]))
    yield "valid-no-lines", words(b"2 3\n", (b"in", half), (b"for", FLOATS[12:]), end=b"")
    yield "valid-one", words(b"1 6\n", (b"</s>", FLOATS))
    yield "bad-more", words(b"3 3\n", (b"in", half), (b"for", FLOATS[12:]))
    yield "bad-huge", words(b"1099511627776 3\n", (b"in", half))
    yield "bad-wraps", words(b"4 4611686018427387904\n", (b"in", half))
    yield "bad-twice", words(b"2 3\n", (b"in", half), (b"in", FLOATS[12:]))
    yield "bad-no-blank", b"1 3\n" + b"x" * 300 + half.replace(b" ", b"x")
    yield "bad-empty-word", words(b"2 3\n", (b"a", half), (b"", FLOATS[12:]))
    yield "bad-tail", words(b"1 3\n", (b"in", half), (b"", b"more"))
    yield "bad-cut", words(b"1 3\n", (b"in", half), end=b"")[:-1]


def text_files():
    yield "valid-glove", b"in 0.5 1e-3 7\nfor 1 2 -0.25\n"
    yield "valid-header", b"2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n"
    yield "valid-odd", b"\xef\xbb\xbf2 3 \r\n. . . 0.5\t1e-3 7 \r\n\xc2\xa0  1 2 -0.25\r\n\r\n"
    yield "valid-blanks", b"x 3 4\nat name@domain 1 2"
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


READERS = {"npy": npy_files, "safetensors": safetensors_files, "index": index_files, "gguf": gguf_files,
           "word2vec_binary": word2vec_files, "text": text_files}

for reader, files in READERS.items():
    folder = Path(sys.argv[1]) / reader
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files():
        (folder / name).write_bytes(data)
