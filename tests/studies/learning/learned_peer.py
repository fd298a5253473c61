#!/usr/bin/env python3
"""What a sum of word and position carries once its tables are learned with their reader: a program of its own in NumPy, beside
claim A12. Dense, plain, gradients by hand.
usage: learned_peer.py READER LEARNED D V L WIDTH NOISE STEPS SEEDS    one cell: a line per seed, then mean ± standard error
       learned_peer.py check                                           gradients beside differences of the loss
READER classifier | heads; LEARNED both | words (positions: the sinusoid as is) | none (random, frozen); WIDTH 0 is the sum, else
the positions' last coordinates of a concatenation (ω 0), below zero of a sum. At d = 32 a thousand steps take a quarter of a minute.

y = a x + b p + n z in d coordinates, a² = (1 - β)P, b² = βP, P = 1.5 d, rows of x and p of mean square length 1. Classifier: softmax
over words and over positions, each by matrix and bias. Heads: scores y_i'A y_j + a'y_j over a text's keys j; wanted is the place
before (queries: the text itself) and the same word (queries: its words in another order). Bits: sent less cross-entropies."""
import sys

import numpy as np


def softmax_loss(scores, wanted):
    """Mean cross-entropy over all but the last axis, and its gradient by the scores."""
    s = scores - scores.max(-1, keepdims=True)
    s -= np.log(np.exp(s).sum(-1, keepdims=True))
    e, at = np.exp(s), wanted[..., None]
    np.put_along_axis(e, at, np.take_along_axis(e, at, -1) - 1, -1)
    return -np.take_along_axis(s, at, -1).mean(), e / at.size


class Cell:
    def __init__(self, reader, learned, d, v, length, width, noise, seed, real=np.float32):
        self.d, self.v, self.length, self.noise, self.power = d, v, length, noise, 1.5 * d
        self.joined, self.words, self.start = width > 0, d - max(width, 0), d - abs(width) if width else 0  # words in [:words], positions in [start:]
        self.rng, self.real, self.heads = np.random.default_rng(seed), real, reader == "heads"
        self.sent = 2 * np.log2(length) if self.heads else np.log2(v * length)
        self.centred = {"x": learned != "none", "p": learned == "both"}
        x, k = self.rng.standard_normal((v, self.words)), d - self.start
        angles = np.arange(length)[:, None] * 10000.0 ** (-2 * np.arange(k // 2) / k)
        p = np.hstack([np.sin(angles), np.cos(angles)]) if learned == "words" else self.rng.standard_normal((length, k))
        self.at = {"logit": np.array(np.log(.5), real), "x": x.astype(real), "p": p.astype(real)}
        self.at |= {name: start.astype(real) for name, start in self.matched().items()}
        self.learned = [name for name in self.at if self.centred.get(name, True)]

    def table(self, name):
        t = self.at[name] - self.at[name].mean(0) * self.centred[name]
        size = np.sqrt((t * t).sum() / len(t))
        return t / size, size

    def table_gradient(self, name, g):
        t, size = self.table(name)
        g = (g - t * ((g * t).sum() / len(t))) / size
        return g - g.mean(0) * self.centred[name]

    def scales(self):
        beta = 1 / (1 + np.exp(-self.at["logit"]))
        return np.sqrt((1 - beta) * self.power), np.sqrt(beta * self.power), beta

    def sent_tables(self):
        a, b, _ = self.scales()
        x = np.pad(a * self.table("x")[0], ((0, 0), (0, self.d - self.words)))
        return x, np.pad(b * self.table("p")[0], ((0, 0), (self.start, 0)))

    def matched(self):
        """Where the reader starts: the filter of these tables in noise."""
        (a, b, _), (x, p), n2, d = self.scales(), self.sent_tables(), self.noise ** 2, self.d
        if self.heads:
            s = np.cov(x.T, bias=True) + np.cov(p.T, bias=True) + n2 * np.eye(d)
            forms = {"previous": p[1:].T @ p[:-1] / (self.length - 1), "same": x.T @ x / self.v}
            forms = {name: np.linalg.solve(s, np.linalg.solve(s, c).T).T for name, c in forms.items()}
            return {**forms, "previous_key": np.zeros(d), "same_key": np.zeros(d)}
        wide = [n2 + other * other / d * (not self.joined) for other in (b, a)]
        return {"word": x / wide[0], "word_bias": -(x * x).sum(1) / (2 * wide[0]),
                "place": p / wide[1], "place_bias": -(p * p).sum(1) / (2 * wide[1])}

    def batch(self, size=1024):
        """Word, position and noise of each sample; for heads of texts and, beside them, of the queries of the second head."""
        rng, order = self.rng, None
        w, t = rng.integers(self.v, size=size), rng.integers(self.length, size=size)
        if self.heads:
            w = rng.random((size // self.length, self.v)).argsort(1)[:, :self.length]
            order = rng.random(w.shape).argsort(1)
            w = np.stack([w, np.take_along_axis(w, order, 1)])
            t = np.broadcast_to(np.arange(self.length), w.shape)
        return w, t, rng.standard_normal((*w.shape, self.d), dtype=self.real), order

    def loss(self, w, t, z, order):
        """Sum of the two cross-entropies in nats, and its gradient by everything that is learned."""
        (a, b, beta), (x, p), at, g = self.scales(), self.sent_tables(), self.at, {}
        y, dy, total = x[w] + p[t] + self.noise * z, np.zeros_like(z), 0
        for name, wanted in (("word", w), ("place", t)) if not self.heads else ():
            nats, ds = softmax_loss(y @ at[name].T + at[name + "_bias"], wanted)
            g[name], g[name + "_bias"] = ds.T @ y, ds.sum(0)
            dy += ds @ at[name]
            total += nats
        for name, i, first, wanted in (("previous", 0, 1, t[0, :, :-1]), ("same", 1, 0, order)) if self.heads else ():
            q, keys, key = y[i, :, first:], y[0], at[name + "_key"]
            qa = q @ at[name]
            nats, ds = softmax_loss(qa @ keys.swapaxes(1, 2) + (keys @ key)[:, None], wanted)
            dsk, columns = ds @ keys, ds.sum(1)[..., None]
            g[name], g[name + "_key"] = np.tensordot(q, dsk, ((0, 1), (0, 1))), (columns * keys).sum((0, 1))
            dy[0] += ds.swapaxes(1, 2) @ qa + columns * key
            dy[i, :, first:] += dsk @ at[name].T
            total += nats
        gx, gp = ((np.arange(len(m))[:, None] == i.ravel()).astype(self.real) @ dy.reshape(-1, self.d) for m, i in ((x, w), (p, t)))
        g["logit"] = ((1 - beta) * (gp * p).sum() - beta * (gx * x).sum()) / 2
        g["x"], g["p"] = self.table_gradient("x", a * gx[:, :self.words]), self.table_gradient("p", b * gp[:, self.start:])
        return total, g

    def learn(self, steps, top=.01):
        warm, first, second = min(200, steps / 4), dict.fromkeys(self.learned, 0), dict.fromkeys(self.learned, 0)
        for step in range(1, steps + 1):
            rate = top * (step / warm if step < warm else (1 + np.cos(np.pi * (step - warm) / (steps - warm))) / 2)
            g = self.loss(*self.batch())[1]
            for name in self.learned:
                first[name], second[name] = .9 * first[name] + .1 * g[name], .98 * second[name] + .02 * g[name] ** 2
                move = first[name] / (1 - .9 ** step) / (np.sqrt(second[name] / (1 - .98 ** step)) + 1e-9)
                self.at[name] = (self.at[name] - rate * move).astype(self.real)

    def overlap(self):
        x, p = (np.cov(table.T) for table in self.sent_tables())
        return self.d * (x * p).sum() / (np.trace(x) * np.trace(p))


def measure(reader, learned, d, v, length, width, noise, steps, seeds):
    rows = []
    for seed in range(int(seeds)):
        cell = Cell(reader, learned, int(d), int(v), int(length), int(width), float(noise), seed)
        before = cell.overlap()
        cell.learn(int(steps))
        bits = cell.sent - np.mean([cell.loss(*cell.batch())[0] for _ in range(20)]) / np.log(2)
        rows.append((bits, bits / cell.sent, before, cell.overlap(), cell.scales()[2]))
        print("seed %d: bits %.4f, share of those sent %.5f, ω %.4f before, %.4f after, β %.4f" % (seed, *rows[-1]), flush=True)
    mean, error = np.mean(rows, 0), np.std(rows, 0, ddof=len(rows) > 1) / len(rows) ** .5
    print("mean:  bits %.4f ± %.4f, share %.5f ± %.5f, ω %.4f ± %.4f before, %.4f ± %.4f after, β %.4f ± %.4f"
          % tuple(np.ravel([mean, error], "F")))


def check():
    for reader, width in (("classifier", 0), ("classifier", 4), ("heads", 0), ("heads", 4)):
        cell = Cell(reader, "both", 12, 24, 8, width, .8, 1, np.float64)
        batch = cell.batch()
        g, found = cell.loss(*batch)[1], []
        for name in cell.learned:
            point, way, slope = cell.at, cell.rng.standard_normal(cell.at[name].shape), 0
            for step in (1e-5, -1e-5):
                cell.at = {**point, name: point[name] + step * way}
                slope += cell.loss(*batch)[0] / (2 * step)
            cell.at = point
            found.append(f"{name} {slope:.6f} {(g[name] * way).sum():.6f}")
        print(reader, width, *found, sep=" | ")


if __name__ == "__main__":
    check() if sys.argv[1:] == ["check"] else measure(*sys.argv[1:])
