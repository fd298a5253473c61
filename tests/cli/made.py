"""Tables in files, by value: .npy, safetensors and GGUF. Shell tests get it by made of common.sh."""

import json
import math
import random
import struct


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)


def npy(rows, item="f"):
    """Of numbers as struct names them: f, d or i."""
    kind = {"f": "f4", "d": "f8", "i": "i4"}[item]
    head = ("{'descr': '<%s', 'fortran_order': False, 'shape': (%d, %d), }" % (kind, len(rows), len(rows[0]))).ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + b"".join(struct.pack(f"<{len(row)}{item}", *row) for row in rows)


def of_bytes(given):
    """A tensor's type, shape and bytes; of F32 from numbers, or noise; of other types zeros."""
    kind, shape, items = [*given, None][:3]
    count = math.prod(shape)
    if kind == "F32":
        items = struct.pack(f"<{count}f", *(items or (random.gauss(0, 1) for _ in range(count))))
    return kind, shape, items or bytes(count // 2 if kind == "F4" else count)


def safetensors(tensors):
    head, body = {}, b""
    for name, given in tensors.items():
        kind, shape, data = of_bytes(given)
        head[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(head).encode()
    return struct.pack("<Q", len(text)) + text + body


def gguf(arch, values, tensors=None):
    """Metadata (lists too), none without a name of an architecture; and tensors: type, shape (fastest first) and bytes, or F32 numbers;
    one table of words where none are given."""
    def text(s):
        return struct.pack("<Q", len(s.encode())) + s.encode()

    def item(v):
        if isinstance(v, str):
            return 8, text(v)
        return (7, bytes([v])) if isinstance(v, bool) else (6, struct.pack("<f", v)) if isinstance(v, float) else (4, struct.pack("<I", v))

    def value(v):
        if not isinstance(v, list):
            return struct.pack("<I", item(v)[0]) + item(v)[1]
        return struct.pack("<IIQ", 9, item(v[0])[0], len(v)) + b"".join(item(x)[1] for x in v)

    tensors = {"token_embd.weight": (0, [8, 1], bytes(32))} if tensors is None else tensors
    pairs = {"general.architecture": arch, **{f"{arch}.{key}": v for key, v in values.items()}} if arch else {}
    head, body = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs)) + b"".join(text(key) + value(v) for key, v in pairs.items()), b""
    for name, given in tensors.items():
        kind, shape, data = (0, [len(given)], struct.pack(f"<{len(given)}f", *given)) if isinstance(given[0], float) else given
        head += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape) + struct.pack("<IQ", kind, len(body))
        body += data + bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + body
