#!/usr/bin/env python3
"""Reference tables of lib/perp/vectors: encodings of positions by mpmath, from the papers' formulas."""

import mpmath as mp
from tables import writer

mp.mp.dps = 40
write = writer("vectors")


def angle(d, base, t, i):
    """Of pair i: t T^(-2i/d)."""
    return t * mp.mpf(base) ** (-mp.mpf(2 * i) / d)


# Vaswani et al. 2017, section 3.5: sines in even columns, cosines in odd ones.
write("sinusoid", "d,base,t,column,expected", [
    (d, base, t, column, (mp.cos if column % 2 else mp.sin)(angle(d, base, t, column // 2)))
    for d, base in ((64, 10000), (16, 500)) for t in (0, 1, 37, 999, 3000) for column in (0, 1, 2, 7, d - 2, d - 1)])
write("sine_only", "d,t,column,expected", [
    (d, t, column, mp.sin(angle(d, 10000, t, mp.mpf(column) / 2)))
    for d in (5, 6) for t in (0, 1, 9, 500) for column in (0, 1, d - 1)])


def turned(x, pairs, base, t):
    y = [0] * len(x)
    for i, (a, b) in enumerate(pairs):
        c, s = mp.cos(angle(len(x), base, t, i)), mp.sin(angle(len(x), base, t, i))
        y[a], y[b] = x[a] * c - x[b] * s, x[a] * s + x[b] * c
    return y


# Su et al. 2021, section 3.2, of (1, 2, … 6): neighbours are pairs.
write("rotary", "t,column,turned", [
    (t, column, turned(range(1, 7), ((0, 1), (2, 3), (4, 5)), 1000, t)[column]) for t in (0, 1, 10, 15, 3000) for column in range(6)])

# Press, Smith & Lewis 2022, section 3.
write("alibi", "head,heads,slope", [
    (head, heads, mp.mpf(2) ** (-mp.mpf(8 * head) / heads)) for head, heads in ((1, 8), (2, 8), (8, 8), (1, 16), (5, 12))])


def t5_bucket(lag):
    """Raffel et al. 2020, section 2.1: 8 exact distances, then 8 buckets up to 128 by their logarithm."""
    distance = abs(lag)
    bucket = distance if distance < 8 else min(15, 8 + int(mp.floor(8 * mp.log(mp.mpf(distance) / 8) / mp.log(16) + mp.mpf(10) ** -30)))
    return bucket + (16 if lag > 0 else 0)


STARTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)
LAGS = sorted({sign * (start + off) for start in STARTS for off in (-1, 0) for sign in (-1, 1)} | {
    sign * far for far in (127, 128, 129, 100000, 5000000000000) for sign in (-1, 1)})
write("t5", "lag,bucket", [(lag, t5_bucket(lag)) for lag in LAGS])
