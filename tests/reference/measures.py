#!/usr/bin/env python3
"""Reference values of lib/perp/measures, by NumPy and SciPy from definitions: every pair, every product, whole tables."""

import math

import numpy as np
from scipy.linalg import subspace_angles
from tables import waves, writer

write = writer("measures")


def some(count, most):
    """At most `most` of the numbers below count, the first and the last among them."""
    return sorted({round(i) for i in np.linspace(0, count - 1, min(count, most))})


def principal_cosines():
    for d, k, r in [(64, 20, 9), (64, 9, 20), (128, 32, 32), (50, 40, 30), (9, 1, 1)]:
        cosines = np.sort(np.cos(subspace_angles(waves(k, d, 2).T, waves(r, d, 5).T)))[::-1]
        for index in some(len(cosines), 9):
            yield d, k, r, index, cosines[index]


def spectrum():
    for n, d in [(40, 90), (90, 40), (4100, 5), (1, 6)]:
        for centred in (0, 1):
            table = waves(n, d, 3) / np.arange(1, d + 1) + 3
            if centred:
                table = table - table.mean(axis=0)
            values = np.linalg.svd(table, compute_uv=False) ** 2 / n
            for index in some(len(values), 6):
                yield n, d, centred, index, values[index]


def layer_norm():
    for d, offset, size, epsilon, gained in [(3, 0, 1, 1e-5, 0), (3, 7, 2, 1, 1), (64, 3, 5, 1e-5, 1),
                                             (300, 1e6, 1, 1e-12, 0), (1, 2, 1, 1e-5, 1)]:
        x = offset + size * waves(1, d, 4)[0].astype(np.longdouble)
        out = (x - x.mean()) / np.sqrt(x.var() + np.longdouble(epsilon))
        if gained:
            out = waves(1, d, 5)[0] * out + waves(1, d, 6)[0]
        for index in some(d, 8):
            yield d, offset, size, epsilon, gained, index, out[index]


def lag_means(scores):
    return {k: np.diagonal(scores, k).mean() for k in range(-len(scores) + 1, len(scores))}


def toeplitz():
    for length, d in [(2, 1), (30, 4), (300, 3)]:
        scores = waves(length, d, 2) @ waves(length, d, 7).T
        means = lag_means(scores)
        fitted = np.array([[means[s - t] for s in range(length)] for t in range(length)])
        within, between = ((scores - fitted) ** 2).sum(), ((fitted - scores.mean()) ** 2).sum()
        yield (length, d, (scores**2).sum(), within, between, scores.mean(), math.sqrt(within / (scores**2).sum()),
               between / (within + between), abs(scores - fitted).max())


def scores():
    for v, length, d in [(7, 5, 4), (30, 11, 6), (3, 20, 2)]:
        words, positions, m = waves(v, d, 2) + 1.5, waves(length, d, 5), waves(d, d, 9)
        sums = (words[:, None, :] + positions[None, :, :]).reshape(-1, d)
        pairs = positions @ m @ positions.T
        means = lag_means(pairs)
        only = np.array([[means[s - t] for s in range(length)] for t in range(length)])
        yield (v, length, d, *((x @ m @ y.T).var() for x in (words, positions) for y in (words, positions)), only.var(),
               (sums @ m @ sums.T).var())


class Pairs:
    """All that one matrix M is fitted to: rows y, and from targets to the scores of every pair."""

    def __init__(self, words, positions, d):
        self.words, self.positions, self.n = words, positions, words + positions
        table = waves(self.n, d, 2)
        self.y = (table[:words, None] + table[None, words:]).reshape(-1, d)
        self.basis = np.linalg.svd(self.y, full_matrices=False)[0]

    def scores(self, targets):
        w = np.repeat(np.arange(self.words), self.positions)
        p = self.words + np.tile(np.arange(self.positions), self.words)
        return sum(targets[np.ix_(a, b)] for a in (w, p) for b in (w, p))

    def fitted(self, scores):
        return self.basis @ (self.basis.T @ scores @ self.basis) @ self.basis.T


def bilinear():
    for words, positions, d in [(7, 5, 4), (4, 9, 3), (1, 6, 3)]:
        pairs = Pairs(words, positions, d)
        s = pairs.scores(waves(pairs.n, pairs.n, 5))
        fit, energy = pairs.fitted(s), (s**2).sum()
        inverse = np.linalg.pinv(pairs.y)
        head = inverse @ s @ inverse.T
        yield (words, positions, d, ((s - fit) ** 2).sum() / energy, energy, *(head[0, :2]), head[d - 1, 0])


def information():
    """Of words and positions in noise, by the trapezoidal rule, step n/16 up to 9 n beyond the outermost sum."""
    for v, length, d, noises in [(2, 3, 1, (.15, .5, 1, 2)), (3, 2, 2, (.25, .6, 1.2)), (4, 1, 1, (.2, .7))]:
        words, positions = 1.5 * waves(v, d, 2), waves(length, d, 5)
        sums = words[:, None] + positions[None]
        for n in noises:
            line = np.arange(-(4 + 9 * n), 4 + 9 * n, n / 16)
            points = np.stack(np.meshgrid(*[line] * d), axis=-1).reshape(-1, d)
            square = ((points[:, None, None] - sums) ** 2).sum(axis=3)
            density = np.exp(-square / (2 * n * n)) / (2 * np.pi * n * n) ** (d / 2)

            def entropy(f):
                return -(n / 16) ** d * (f * np.log2(np.where(f > 0, f, 1))).sum(axis=0).mean()

            all_, noise = entropy(density.mean(axis=(1, 2))), d / 2 * math.log2(2 * math.pi * math.e * n * n)
            yield v, length, d, n, all_ - noise, all_ - entropy(density.mean(axis=2)), all_ - entropy(density.mean(axis=1))


def read_out():
    for n, d, ridge in [(40, 1, .25), (40, 3, 0), (60, 6, .5), (25, 6, 1e9)]:
        x, f, z, g = waves(n, d, 2), waves(n, 2, 5), waves(30, d, 8), waves(30, 2, 9)
        centred = x - x.mean(axis=0)
        square = centred.T @ centred
        slope = np.linalg.solve(square + ridge * np.trace(square) / d * np.eye(d), centred.T @ (f - f.mean(axis=0)))
        missed = g - f.mean(axis=0) - (z - x.mean(axis=0)) @ slope
        yield (n, d, ridge, *(1 - (missed**2).sum(axis=0) / ((g - g.mean(axis=0)) ** 2).sum(axis=0)))


def linear_classes():
    for n, d, count, ridge in [(60, 3, 4, 1e-6), (90, 2, 3, .3)]:
        classes = np.arange(n) % (count + 1) % count  # twice as many of the first
        x, queries = waves(n, d, 2).astype(np.float32), waves(24, d, 5).astype(np.float32) * np.float32(2)
        x[:, 0] += classes.astype(np.float32)
        x = x.astype(float)
        centres = np.array([x[classes == k].mean(axis=0) for k in range(count)])
        off = x - centres[classes]
        within = off.T @ off / n
        within += ridge * x.var(axis=0).mean() * np.eye(d)
        priors = np.log([(classes == k).mean() for k in range(count)])
        for index, z in enumerate(queries.astype(float)):
            score = centres @ np.linalg.solve(within, z) - .5 * np.einsum(
                "ki,ki->k", centres, np.linalg.solve(within, centres.T).T) + priors
            first, second = np.sort(score)[::-1][:2]
            if first - second > 1e-3:
                yield n, d, count, ridge, index, int(np.argmax(score))


def stream_table():
    n, d = 5000, 6
    table = waves(n, d, 2).astype(np.float32) + np.float32(3)
    table[7] = 0
    x = table.astype(float)
    unit = x[np.arange(n) != 7]
    unit = unit / np.linalg.norm(unit, axis=1)[:, None]
    cosines = unit @ unit.T
    mean_cosine = (cosines.sum() - np.trace(cosines)) / (len(unit) * (len(unit) - 1))
    plain, centred, directions = x.T @ x / n, np.cov(x.T, bias=True), unit.T @ unit / len(unit)
    for a in range(d):
        for b in range(a, d):
            yield a, b, plain[a, b], centred[a, b], directions[a, b], mean_cosine


write("principal_cosines", "d k r index expected", principal_cosines())
write("spectrum", "n d centred index expected", spectrum())
write("layer_norm", "d offset size epsilon gained index expected", layer_norm())
write("toeplitz", "length d total within between mean defect r2 worst", toeplitz())
write("scores", "words positions d word_word word_position position_word position_position distance_only score", scores())
write("bilinear", "words positions d residual energy head00 head01 last_first", bilinear())
write("information", "words positions d noise both word position", information())
write("read_out", "n d ridge first second", read_out())
write("linear_classes", "n d count ridge index expected", linear_classes())
write("stream_table", "a b as_is centred directions mean_cosine", stream_table())
