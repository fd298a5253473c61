#!/usr/bin/env python3
"""An encoder's pass and M10's first measures by NumPy, for tests/studies/inspect/encoder.cpp. Written from the papers (Devlin et al.
2019, Song & Zhong 2023), not from the program.

usage: encoder_peer.py MODEL.safetensors HEADS TOKENS.npy MASK FIRST LAST STATES.npy MEASURES.npy

MASK: none or causal; positions FIRST … LAST - 1 are measured. STATES: depths stacked, each texts · length x d. MEASURES: a row
per depth: shares of position, text and rest, stable rank, relative norm about the mean and about the origin."""
import json
import math
import struct
import sys

import numpy as np


def tensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__", None)
    found = {}
    for name, about in header.items():
        if about["dtype"] == "F32":
            begin, end = about["data_offsets"]
            found[name] = np.frombuffer(data[begin:end], "<f4").reshape(about["shape"]).astype(np.float64)
    return found


def encode(w, heads, tokens, causal):
    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, name):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    def split(x):  # texts x length x d -> texts x heads x length x d/heads
        return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)

    erf = np.vectorize(math.erf)
    texts, length = tokens.shape
    x = w["embeddings.word_embeddings.weight"][tokens] + w["embeddings.position_embeddings.weight"][:length]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    depths = [x]
    while f"encoder.layer.{len(depths) - 1}.output.dense.weight" in w:
        layer = f"encoder.layer.{len(depths) - 1}."
        q, k, v = (split(linear(x, layer + "attention.self." + part)) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1])
        if causal:
            scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = (weights @ v).transpose(0, 2, 1, 3).reshape(texts, length, -1)
        x = norm(x + linear(mixed, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
        inner = linear(x, layer + "intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        x = norm(x + linear(inner, layer + "output.dense"), layer + "output.LayerNorm")
        depths.append(x)
    return depths


def measures(x):
    mean = x.mean((0, 1))
    position, text = x.mean(0) - mean, x.mean(1) - mean
    rest = x - mean - position - text[:, np.newaxis]
    spread = ((x - mean) ** 2).sum(-1).mean()
    sizes = np.linalg.svd(position, compute_uv=False)
    whole = np.tile(position, (len(x), 1))
    flat = x.reshape(-1, x.shape[-1])
    return [(position ** 2).sum(-1).mean() / spread, (text ** 2).sum(-1).mean() / spread, (rest ** 2).sum(-1).mean() / spread,
            (sizes ** 2).sum() / sizes[0] ** 2, np.linalg.norm(whole, 2) / np.linalg.norm(flat - mean, 2),
            np.linalg.norm(whole, 2) / np.linalg.norm(flat, 2)]


def main():
    model, heads, ids, mask, first, last, states, numbers = sys.argv[1:]
    depths = encode(tensors(model), int(heads), np.load(ids).astype(np.int64), mask == "causal")
    np.save(states, np.concatenate([x.reshape(-1, x.shape[-1]) for x in depths]))
    np.save(numbers, np.array([measures(x[:, int(first):int(last)]) for x in depths]))


main()
