#!/usr/bin/env python3
"""Reference tables of lib/perp/statistics by SciPy and NumPy."""

import mpmath as mp
import numpy as np
from scipy import stats
from tables import writer

mp.mp.dps = 40
write = writer("statistics")
SAMPLE = [0.25, 2.5, -3.75, 4.0, 8.5, 1.25, -0.5, 3.0, 12.0]


class SplitMix:
    """Steele, Lea & Flood 2014; as Picks of tests/support/scratch.hpp has it."""

    def __init__(self, seed):
        self.state = seed % 2**64

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def uniforms(self, n):
        return [((self.bits() >> 11) + .5) * 2.0**-53 for _ in range(n)]


# ---- the normal law, shares

write("normal", "p,quantile", [(p, mp.sqrt(2) * mp.erfinv(2 * mp.mpf(p) - 1)) for p in (1e-10, .025, .3, .5, .9, .999)])
write("wilson", "successes,n,level,low,high", [
    (k, n, level, *stats.binomtest(k, n).proportion_ci(level, "wilson"))
    for k, n, level in [(0, 10, .95), (10, 10, .95), (1, 10, .95), (3, 10, .95), (9, 10, .99), (81, 263, .95), (500000, 1000000, .999)]])

# ---- order

write("quantile", "p,value", [(p, np.quantile(SAMPLE, p)) for p in (0, .1, .25, 1 / 3, .5, .9, 1)])


# ---- moments


def moments(values):
    x = [mp.mpf(v) for v in values]
    n, mean = len(x), mp.fsum(x) / len(x)
    return n, mean, mp.fsum((v - mean) ** 2 for v in x) / (n - 1), min(x), max(x)


# t of 8 degrees of freedom in closed form (Abramowitz & Stegun 26.7.4), solved in 40 digits.
def student(freedom, level):
    return mp.findroot(lambda t: mp.betainc(freedom / 2, .5, 0, freedom / (freedom + t * t), regularized=True) - (1 - mp.mpf(level)), 2)


def mean_interval(values, level):
    n, mean, variance = moments(values)[:3]
    half = student(mp.mpf(n - 1), level) * mp.sqrt(variance / n)
    return mp.sqrt(variance / n), mean - half, mean + half


write("moments", "skewed,count,mean,variance,minimum,maximum,error,low,high", [
    (skewed, *moments(values), *mean_interval(values, .95))
    for skewed, values in enumerate([SAMPLE, [u * u * u + .25 for u in SplitMix(1).uniforms(5003)]])])

# ---- spreads: strata and their freedom after Welch and Satterthwaite, residuals of a ratio

EIGHT, SIX = [1, 2, 3, 4, 5, 6, 7, 8], [2, 2.5, 1.5, 3, 1, 3.5]
squares = [np.var(x, ddof=1) / len(x) for x in (EIGHT, SIX)]
pooled = np.sqrt(sum(squares)) / 2, sum(squares) ** 2 / sum(s * s / (len(x) - 1) for s, x in zip(squares, (EIGHT, SIX)))
write("pooled", "error,freedom,low,high,replicates", [(*pooled, *stats.t.interval(.999, pooled[1], 3, pooled[0]), 6)])
parts, wholes = np.array([1., 3, 2]), np.array([2., 4, 4])
ratio = parts.sum() / wholes.sum()
write("ratio", "value,error,freedom", [(ratio, stats.sem(parts - ratio * wholes) / wholes.mean(), 2)])

# ---- a trimmed mean, its power (in 30 digits, by the density of chi), an exact test of pairs


def trimmed(values, share):
    cut = int(share * len(values))
    left = len(values) - 2 * cut
    # SciPy's winsorised values are those of Yuen's test; its own interval of one sample has n (1 - 2 share)² in place of h (h - 1)/(n - 1).
    winsorised = np.asarray(stats.mstats.winsorize(np.array(values), (share, share)))
    return stats.trim_mean(values, share), np.sqrt(((winsorised - winsorised.mean()) ** 2).sum() / (left * (left - 1))), left - 1


write("trimmed", "skewed,share,value,error,freedom", [
    (skewed, share, *trimmed([1 / u - u for u in SplitMix(2).uniforms(60)] if skewed else SAMPLE, share))
    for skewed, share in [(0, 0), (0, .2), (0, .25), (1, 0), (1, .1), (1, .2)]])


def power(bound, deviation, n, share, level):
    freedom = n - 2 * int(share * n) - 1
    z = -mp.sqrt(2) * mp.erfinv(2 * mp.mpf(share) - 1) if share else mp.mpf(0)
    winsorised = 2 * mp.quad(lambda x: x * x * mp.npdf(x), [0, z]) + 2 * share * z * z if share else 1
    shift = bound / (deviation * mp.sqrt(winsorised / n) / (1 - 2 * mp.mpf(share)))
    t = mp.mpf(stats.t.isf((1 - level) / 2, freedom))

    def above(s):  # s = chi / sqrt(freedom)
        log_density = (freedom - 1) * mp.log(s) - freedom * s * s / 2 + mp.log(2) + freedom / mp.mpf(2) * mp.log(freedom / mp.mpf(2)) - mp.loggamma(freedom / mp.mpf(2))
        return mp.exp(log_density) * mp.ncdf(shift - t * s)

    return mp.quad(above, [0, .5, .8, 1, 1.2, 1.5, 3, 10])


write("power", "bound,deviation,n,share,level,p", [
    (*row, power(*row)) for row in [(.01, .009, 60, .2, .999), (.01, .013, 60, .2, .999), (.01, .0196, 60, .2, .999), (.01, .013, 30, .2, .999),
                                    (.01, .0196, 12, 0, .999), (1, 2, 9, .25, .95)]])
write("paired", "first,second,p", [(a, b, stats.binomtest(a, a + b, .5, "greater").pvalue if a + b else 1)
                                   for a, b in [(0, 0), (0, 5), (5, 0), (6, 2), (7, 7), (40, 11)]])
