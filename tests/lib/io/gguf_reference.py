#!/usr/bin/env python3
"""Holds the GGUF reader against the `gguf` package of llama.cpp, for whoever changes it; needs `pip install gguf`.
Quantises random numbers to every type that is read, or takes the tables of FILE, decodes each with that package into a .npy
file and compares what inspect says of the two."""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import command

parser = command.Parser(__doc__)
parser.add_argument("inspect", metavar="PROGRAM", help="build/studies/inspect")
parser.add_argument("file", metavar="FILE.gguf", nargs="?")
given = parser.parse_args()

import gguf
import numpy

TYPES = ("F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K")


def made(folder):
    """A file of 40 x 160 numbers in each type, rows of very different size."""
    random = numpy.random.default_rng(1)
    writer = gguf.GGUFWriter(folder / "made.gguf", "llama")
    writer.add_array("tokenizer.ggml.tokens", ["in", "for"])
    for name in TYPES:
        rows = random.standard_normal((40, 160)) * 10.0 ** random.integers(-3, 3, (40, 1))
        kind = gguf.GGMLQuantizationType[name]
        if name.endswith("_K"):  # which the package reads and does not write: random blocks, the scales but for their exponents' top
            blocks = random.integers(0, 256, (40, 2, gguf.GGML_QUANT_SIZES[kind][1]), dtype=numpy.uint8)
            for at in (208,) if name == "Q6_K" else (0, 2):
                blocks[:, :, at : at + 2] = numpy.frombuffer(numpy.float16(0.01).tobytes(), numpy.uint8)
            writer.add_tensor(name, blocks.reshape(40, -1), raw_dtype=kind)
            continue
        writer.add_tensor(name, gguf.quants.quantize(rows.astype(numpy.float32), kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return folder / "made.gguf"


def said_of(table):
    return subprocess.run([given.inspect, "--words", table, "--json"], check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as scratch:
    path = Path(given.file) if given.file else made(Path(scratch))
    compared = 0
    for tensor in gguf.GGUFReader(path).tensors:
        if tensor.tensor_type.name not in TYPES or len(tensor.shape) != 2:
            continue
        numpy.save(f"{scratch}/t.npy", gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(numpy.float32))
        if said_of(f"{path}:{tensor.name}") != said_of(f"{scratch}/t.npy"):
            sys.exit(f"{path}: {tensor.name} ({tensor.tensor_type.name}) differs")
        compared += 1
    print(f"{compared} tables alike")
