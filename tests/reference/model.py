#!/usr/bin/env python3
"""Reference values of lib/perp/model, by NumPy from definitions: a Transformer, cross-entropy and Adam, number by number."""

import itertools
import math

import numpy as np
from scipy.special import erfc
from tables import waves, writer

write = writer("model")


WIDTH, HEADS, INNER, LENGTH, BATCH = 24, 3, 40, 7, 3
NONE, ROTARY, ALIBI = range(3)


def linear(x, rows, cols, seed, factor=1.0):
    # As stored: a float model has the nearest floats of these.
    weight, bias = factor * math.sqrt(2 / cols) * waves(rows, cols, seed), .3 * waves(1, rows, seed + 1)
    return x @ weight.T.astype(np.longdouble) + bias


def norm(x, seed):
    gain, bias = 1 + .3 * waves(1, x.shape[1], seed), .3 * waves(1, x.shape[1], seed + 1)
    off = x - x.mean(axis=1, keepdims=True)
    return gain * off / np.sqrt((off**2).mean(axis=1, keepdims=True) + 1e-5) + bias


def turned(x, w):
    """Pairs of one head at places t, turned by t T^(-2i/w)."""
    angles = np.arange(len(x))[:, None] * 1e4 ** (-2 * np.arange(w // 2) / w)
    c, s, even, odd = np.cos(angles), np.sin(angles), x[:, ::2], x[:, 1::2]
    return np.stack([even * c - odd * s, even * s + odd * c], axis=2).reshape(x.shape)


def attention(x, seed, causal, knows, sharp):
    q, k, v = (linear(x, WIDTH, WIDTH, seed + 2 * i, sharp if i == 0 else 1) for i in range(3))
    mixed, w = np.zeros_like(v), WIDTH // HEADS
    for first, h in itertools.product(range(0, len(x), LENGTH), range(HEADS)):
        rows, columns = slice(first, first + LENGTH), slice(h * w, (h + 1) * w)
        a, b = q[rows, columns], k[rows, columns]
        if knows == ROTARY:
            a, b = turned(a, w), turned(b, w)
        scores = a @ b.T / np.sqrt(np.longdouble(w))
        t, s = np.arange(LENGTH)[:, None], np.arange(LENGTH)[None]
        if knows == ALIBI:
            scores = scores - 2.0 ** (-8 * (h + 1) / HEADS) * abs(t - s)
        if causal:
            scores = np.where(s <= t, scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        mixed[rows, columns] = weights / weights.sum(axis=1, keepdims=True) @ v[rows, columns]
    return linear(mixed, WIDTH, WIDTH, seed + 6)


def feed_forward(x, seed, relu):
    inner = linear(x, INNER, WIDTH, seed)
    inner = np.maximum(inner, 0) if relu else inner * erfc((-inner / math.sqrt(2)).astype(float)) / 2
    return linear(inner, WIDTH, INNER, seed + 2)


def forward():
    rows = [(2, *row, 1) for row in itertools.product(range(3), range(2), range(2), range(3), range(3))]
    rows += [(1, 2, causal, 0, 0, NONE, 10000) for causal in (0, 1)]
    for depth, norms, causal, residual, feed, knows, sharp in rows:
        x = waves(BATCH * LENGTH, WIDTH, 99).astype(np.longdouble)

        def layer(x, seed, function):  # norms: 0 before, 1 after, 2 none
            y = function(norm(x, seed) if norms == 0 else x)
            y = y + x if residual else y
            return norm(y, seed) if norms == 1 else y

        for block in range(depth):
            seed = 100 * block
            x = layer(x, seed + 21, lambda x: attention(x, seed + 1, causal, knows, sharp))
            if feed:
                x = layer(x, seed + 23, lambda x: feed_forward(x, seed + 11, feed == 2))
        yield (depth, norms, causal, residual, feed, knows, sharp, *((waves(*x.shape, c) * x).sum() for c in (77, 78)))


def cross_entropy():
    logits = 5 * waves(40, 13, 2).astype(np.longdouble)
    labels = [-1 if r % 4 == 1 else r * 7 % 13 for r in range(40)]
    asked = [r for r in range(40) if labels[r] >= 0]
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    nats = -np.log([shares[r, labels[r]] for r in asked]).mean()
    for r in range(40):
        for j in {labels[r] if labels[r] >= 0 else 0, r * 5 % 13}:
            yield r, j, (shares[r, j] - (j == labels[r])) / len(asked) if r in asked else 0, nats


def adam():
    """Kingma & Ba 2015, algorithm 1, line by line."""
    for beta1, beta2, epsilon in [(.9, .98, 1e-9), (.5, .75, .125)]:
        theta, g = waves(1, 10, 3)[0].astype(np.longdouble), waves(200, 10, 4).astype(np.longdouble)
        m, v = 0 * theta, 0 * theta
        for t in range(1, 201):
            m, v = beta1 * m + (1 - beta1) * g[t - 1], beta2 * v + (1 - beta2) * g[t - 1] ** 2
            m_hat, v_hat = m / (1 - np.longdouble(beta1) ** t), v / (1 - np.longdouble(beta2) ** t)
            theta = theta - .01 * (1 + (t - 1) % 5) * m_hat / (np.sqrt(v_hat) + epsilon)
            if t in (1, 3, 200):
                for i in range(10):
                    yield beta1, beta2, epsilon, t, i, theta[i]


write("forward", "depth norm causal residual feed knows sharp first second", forward())
write("cross_entropy", "row column derivative nats", cross_entropy())
write("adam", "beta1 beta2 epsilon steps index expected", adam())
