#!/usr/bin/env python3
"""Who reads a sum of word and position, and what the reader gets: a program of its own in NumPy, beside claim A7.
usage: reader_peer.py known [CODEBOOKS]     what other programs got beside what this one gets (minutes)
       reader_peer.py zipf [CODEBOOKS]      words as often as Zipf's law has them beside all alike (a minute)
       reader_peer.py reference             writes tests/reference/measures_reader.csv, which the tests of lib read

y = a x + b p + n z in d coordinates, power 1.5 d, share β of it for the position (d_p wide). Readers' bits: log2 M less the
mean cross-entropy. Linear: Gaussian, knows the other table's mean and covariance; separate: the exact posterior of each; joint:
of the pair. A concatenation (x on d - d_p coordinates, p on the rest) has no other table in the way: the three agree."""
import pathlib
import sys

import numpy as np

SHARES = (1 / 12, 1 / 6, 1 / 3, 1 / 2, 2 / 3)


def positions(kind, length, width, rng):
    angles = np.arange(length)[:, None] * 10000.0 ** (-2 * np.arange(width // 2) / width)
    table = rng.standard_normal((length, width)) if kind == "random" else np.hstack([np.sin(angles), np.cos(angles)])
    table -= table.mean(0) * (kind == "centred")
    return table / np.sqrt((table * table).sum(1).mean())


def log_sum(s, axis):
    top = s.max(axis)
    return top + np.log(np.exp(s - np.expand_dims(top, axis)).sum(axis))


def bits(scores, sent, chances=None):
    p = np.full(scores.shape[1], 1 / scores.shape[1]) if chances is None else chances
    scores = scores + np.log(p)
    return -(p * np.log2(p)).sum() - (log_sum(scores, 1) - scores[np.arange(len(sent)), sent]).mean() / np.log(2)


def zipf(v):
    return 1 / np.arange(1, v + 1) / (1 / np.arange(1, v + 1)).sum()


def linear(y, table, sent, n, other=None, chances=None, of_other=None):
    """Of rows of `table` in white noise and, unknown to the reader but for two moments, rows of `other`."""
    noise = n * n * np.eye(y.shape[1])
    if other is not None:
        y, noise = y - np.average(other, 0, of_other), noise + np.cov(other.T, bias=True, aweights=of_other)
    y, table = (np.linalg.solve(np.linalg.cholesky(noise), m.T).T for m in (y, table))
    return bits(y @ table.T - (table * table).sum(1) / 2, sent, chances)


def ideal(y, x, p, w, t, n):
    """Bits of the pair by all hypotheses, and of word and position each with the other summed out."""
    nats, sums = np.zeros(3), x[:, None] + p[None]
    for i in range(len(y)):
        s = -((y[i] - sums) ** 2).sum(2) / (2 * n * n)
        words, places, all_ = log_sum(s, 1), log_sum(s, 0), log_sum(s.reshape(1, -1), 1)[0]
        nats += all_ - s[w[i], t[i]], all_ - words[w[i]], all_ - places[t[i]]
    return np.log2([len(x) * len(p), len(x), len(p)]) - nats / len(y) / np.log(2)


class Codebook:
    def __init__(self, seed, kind, d, v, length, samples, chances=None):
        self.rng, self.kind, self.d, self.length, self.tables = np.random.default_rng(seed), kind, d, length, {}
        self.x, self.z = self.rng.standard_normal((v, d)), self.rng.standard_normal((samples, d))
        self.w, self.t, self.chances = self.rng.choice(v, samples, p=chances), np.arange(samples) % length, chances

    def tables_of(self, width, share, word_width):
        if width not in self.tables:
            self.tables[width] = positions(self.kind, self.length, width, self.rng)
        power = 1.5 * self.d  # of both, whatever the width
        return np.sqrt((1 - share) * power / word_width) * self.x[:, :word_width], np.sqrt(share * power) * self.tables[width]

    def split(self, width, share, n):
        k = self.d - width
        x, p = self.tables_of(width, share, k)
        return linear(x[self.w] + n * self.z[:, :k], x, self.w, n, chances=self.chances) + linear(p[self.t] + n * self.z[:, k:], p, self.t, n)

    def sum(self, width, share, n):
        x, narrow = self.tables_of(width, share, self.d)
        p = np.pad(narrow, ((0, 0), (self.d - width, 0)))
        y = x[self.w] + p[self.t] + n * self.z
        return linear(y, x, self.w, n, p, self.chances), linear(y, p, self.t, n, x, of_other=self.chances)

    def word_alone(self, share, n):
        """Of a full sum: measured, and with all of the position's power as white noise."""
        x, _ = self.tables_of(self.d, share, self.d)
        wider = np.sqrt(n * n + share * 1.5)
        return self.sum(self.d, share, n)[0], linear(x[self.w] + wider * self.z, x, self.w, wider)


def gain(kind, d, shares, widths, n, count, sums=(), v=256, length=64):
    books = [Codebook(seed, kind, d, v, length, 2048) for seed in range(count)]

    def best(bits_of, widths):
        return max((np.array([bits_of(b, w, s, n) for b in books]) for w in widths for s in shares), key=np.mean)

    g = best(Codebook.split, widths) - best(lambda *at: sum(Codebook.sum(*at)), sums or (*widths, d))
    return f"{g.mean():+.3f} ± {g.std(ddof=1) / count ** .5:.3f} bits, {g.mean() / np.log2(v * length):.2%}"


def known(count):
    for kind, told in ("sinusoidal", .96), ("centred", .86), ("random", 1.07):
        print(f"d = 32, n = 1, whole grid, {kind}: {told:+} bits | {gain(kind, 32, SHARES, (4, 8, 12, 16), 1, count)}", flush=True)
    for kind, told in (("sinusoidal", (6.5, 3.4, 1.4, .7)), ("random", (7.85, 2.78, 1.00, .38))):
        for d, share in zip((32, 64, 128, 256), told):  # sums of full width
            found = gain(kind, d, [.5], (d // 4, d // 2), (d / 32) ** .5, count, [d])
            print(f"d = {d}, n = √(d/32), β = ½, {kind}: {share}% | {found}", flush=True)
    for d, told in zip((32, 64, 128, 256), ("6.67, 6.34", "7.35, 7.20", "7.67, 7.63", "7.76, 7.73")):
        pairs = np.array([Codebook(s, "random", d, 256, 64, 2048).word_alone(.5, (d / 32) ** .5) for s in range(count)])
        print(f"d = {d}, word's bits measured, predicted: {told} | {pairs.mean(0).round(3)} ± {pairs.std(0).max() / count ** .5:.3f}")


def unequal(count):
    """At d = 32, V = 256, L = 64, n = 1.08, random positions; concatenation and sum as they are best for words all alike."""
    for name, chances in (("even", None), ("zipf", zipf(256))):
        books = [Codebook(seed, "random", 32, 256, 64, 4096, chances) for seed in range(count)]
        sent = 6 + (8 if chances is None else -(chances * np.log2(chances)).sum())
        lost = np.array([(b.split(12, 1 / 2, 1.08) - sum(b.sum(32, 1 / 2, 1.08))) / sent for b in books])
        print(f"{name}: {lost.mean():.5f} ± {lost.std(ddof=1) / count ** .5:.5f} of {sent:.3f} bits")


def reference():
    def waves(rows, cols, seed):  # tests/support/reference.hpp
        i, j = np.ogrid[:rows, :cols]
        return np.sin(((i + 1) * (j + 1) * (i + 2 * j + seed)).astype(float))

    with open(pathlib.Path(__file__).parents[2] / "reference/measures_reader.csv", "w") as file:
        print("words,positions,d,samples,noise,linear_word,linear_position,pair,word,position,zipf_word,zipf_position", file=file)
        for v, length, d, n in ((5, 3, 4, .4), (12, 7, 3, .3), (12, 7, 6, 1), (40, 9, 16, 1.5)):
            x, p, z, i = 1.5 * waves(v, d, 2), waves(length, d, 5), waves(60, d, 8), np.arange(60)
            w, t = i % v, i // v % length
            y = x[w] + p[t] + n * z
            found = (linear(y, x, w, n, p), linear(y, p, t, n, x), *ideal(y, x, p, w, t, n),
                     linear(y, x, w, n, p, zipf(v)), linear(y, p, t, n, x, of_other=zipf(v)))
            print(v, length, d, 60, n, *(f"{f:.17g}" for f in found), sep=",", file=file)


if __name__ == "__main__":
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    reference() if sys.argv[1:2] == ["reference"] else unequal(count) if sys.argv[1:2] == ["zipf"] else known(count)
