#!/usr/bin/env python3
"""Reference tables of lib/perp/theory: laws by mpmath's own functions and integrals, spectra and sums by NumPy, what has no
closed form by drawing (columns `trials`)."""

import itertools

import mpmath as mp
import numpy as np
from scipy import integrate, optimize, special, stats
from tables import writer

mp.mp.dps = 40
write = writer("theory")


# ---- the cosine of two directions, the largest of many

def two_sided(d, m):
    """P(|cosine| > m), by the incomplete beta function at 1 - m² where the tail is thin."""
    m = mp.mpf(m)
    return mp.betainc(mp.mpf(d - 1) / 2, mp.mpf(1) / 2, 0, 1 - m * m, regularized=True)


def root(f, low, high):
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (low, middle) if f(middle) > 0 else (middle, high)
    return middle


def cosine_density(d, c):
    return mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2) * (1 - mp.mpf(c) ** 2) ** (mp.mpf(d - 3) / 2)


def over_angles(d, f, low):
    """∫ f times the density of the angle, ~ sin^(d-2), from `low` to π."""
    knots = sorted({low, *(x for x in mp.linspace(mp.pi / 2 - 12 / mp.sqrt(d), mp.pi / 2 + 12 / mp.sqrt(d), 13) if low < x < mp.pi), mp.pi})
    constant = mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)
    return constant * mp.quad(lambda angle: f(angle) * mp.sin(angle) ** (d - 2), knots)


write("cosine", "d,c,density,cdf,sd", [
    (d, c, cosine_density(d, c), over_angles(d, lambda angle: 1, mp.acos(c)),
     mp.sqrt(over_angles(d, lambda angle: mp.cos(angle) ** 2, mp.mpf(0))))
    for d, c in [(2, .5), (3, -.9), (4, .1), (5, -.25), (16, .4), (64, .25), (512, -.1), (4096, .03)]])
write("cosine_tail", "d,m,log_exceeds", [
    (d, m, mp.log(two_sided(d, m))) for d, m in
    [(2, .5), (3, .25), (8, .9), (64, .3), (300, .2), (512, .05), (2048, .3), (4096, .001), (16384, .02), (768, .9)]])
write("cosine_largest", "d,pairs,p,m", [
    (d, pairs, p, root(lambda m: (1 - mp.mpf(p) ** (1 / mp.mpf(pairs))) - two_sided(d, m), mp.mpf(0), mp.mpf(1)))
    for d, pairs, p in
    [(300, 199990000, .5), (64, 499500, .5), (512, 199990000, .5), (512, 199990000, .025), (512, 199990000, .975),
     (768, 1280000000, .5), (4, 10, .5), (2, 1, .5), (4096, 10**12, .999), (64, 1, .01), (8, 199990000, .5)]])
write("first_dimension", "m,share,d", [
    (m, share, next(d for d in itertools.count(2) if 1 - stats.beta.sf(m * m, .5, (d - 1) / 2) >= share))
    for m, share in [(.1, .99), (.1, .5), (.5, .9), (.05, .95), (.9, .1), (.2, .999), (.7, .999)]])


# ---- principal angles

def wachter(a, b, x):
    a, b, x = map(mp.mpf, (a, b, x))
    low, high = (mp.sqrt(a * (1 - b)) - mp.sqrt(b * (1 - a))) ** 2, (mp.sqrt(a * (1 - b)) + mp.sqrt(b * (1 - a))) ** 2

    half = (high - low) / 2

    def integral(to, power):  # t = middle of the edges - half their distance cos(angle): no roots at the ends
        def at(angle):
            t, rest = low + 2 * half * mp.sin(angle / 2) ** 2, 1 - high + 2 * half * mp.cos(angle / 2) ** 2
            return (half * mp.sin(angle)) ** 2 / (2 * mp.pi * a * t * rest) * t**power
        return mp.quad(at, mp.linspace(0, 2 * mp.asin(mp.sqrt(min(1, (to - low) / (high - low)))), 9), method="gauss-legendre")

    atom = 1 - integral(high, 0)
    assert abs(integral(high, 1) + atom - b) < 1e-20  # E cos² = b, for every a
    return low, high, abs(atom) if abs(atom) > 1e-20 else 0, mp.sqrt((high - x) * (x - low)) / (2 * mp.pi * a * x * (1 - x)), integral(x, 0)


write("wachter", "a,b,x,lower,upper,atom,density,cdf", [
    (a, b, x, *wachter(a, b, x)) for a, b, x in
    [(.125, .25, .3), (.125, .25, .03), (.1, .1, .05), (.1, .1, .0001), (.5, .625, .7), (.3, .7, .8), (.02, .9, .85), (.9, .95, .1)]])

SHAPE, SCALE, SHIFT = 46.446, .186054, 9.84801  # Chiani 2014
GAMMA = stats.gamma(SHAPE, scale=SCALE)


def johnstone(d, k, r):
    if k + r > d:
        k, r = d - k, d - r
    g, f = (2 * mp.asin(mp.sqrt((mp.mpf(n) - .5) / (d - 1))) for n in (min(k, r), max(k, r)))
    mu = 2 * mp.log(mp.tan((f + g) / 2))
    sigma = (16 / ((d - 1) ** 2 * mp.sin(f + g) ** 2 * mp.sin(f) * mp.sin(g))) ** (mp.mpf(1) / 3)
    c = 1 / mp.sqrt(1 + mp.exp(-(mu - 1.2065 * sigma)))
    return mu, sigma, 1.268 * sigma * c * (1 - c * c) / 2


def largest_mean(d, k, r):
    mu, sigma, _ = map(float, johnstone(d, k, r))
    return integrate.quad(lambda t: np.sqrt(special.expit(mu + sigma * (t - SHIFT))) * GAMMA.pdf(t), 3, 20, epsabs=1e-12)[0]


SUBSPACES = [(512, 64, 128), (512, 128, 64), (512, 448, 384), (64, 8, 16), (64, 27, 28), (300, 30, 30), (128, 20, 60)]
write("largest_angle", "d,k,r,mu,sigma", [(*at, *johnstone(*at)[:2]) for at in SUBSPACES])
write("largest_cosine", "d,k,r,mean,sd", [
    (*at, largest_mean(*at), johnstone(*at)[2]) for at in SUBSPACES if at[1] + at[2] < at[0]] + [
    (64, *at, 1, 0) for at in [(40, 24), (40, 40), (64, 8)]])  # subspaces that must meet


def applies(d, k, r):
    """At least 8 dimensions each, and k + r more than 8 short of d or, of the complements, beyond it."""
    least, together = (min(k, r), k + r) if k + r <= d else (d - max(k, r), 2 * d - k - r)
    return int(least >= 8 and together + 8 < d)


write("johnstone", "d,k,r,applies", [
    (64, *at, applies(64, *at)) for at in [(8, 16), (8, 47), (8, 48), (7, 20), (20, 7), (32, 32), (36, 36), (37, 36), (57, 40), (64, 64), (65, 10)]] + [
    (512, 64, 128, 1), (512, 448, 384, 1)])


def largest_drawn(d, k, r, runs):
    """Mean and sd of the largest cosine: of P and Q with iid normal columns, that of Qᵀ P, both orthonormal."""
    rng = np.random.default_rng([d, k, r])
    c = []
    for _ in range(runs):
        # Bartlett's factors of W_k(r) and W_k(d-r); the squared cosines are the eigenvalues of A against A + B.
        def wishart(n):
            t = np.tril(rng.standard_normal((k, k)), -1)
            np.fill_diagonal(t, np.sqrt(rng.chisquare(n - np.arange(k))))
            return t @ t.T
        a, b = wishart(r), wishart(d - r)
        inverse = np.linalg.inv(np.linalg.cholesky(a + b))
        c.append(np.sqrt(np.linalg.eigvalsh(inverse @ a @ inverse.T)[-1]))
    return [float(f"{v:.5f}") for v in (np.mean(c), np.std(c))]


write("largest_cosine_drawn", "d,k,r,mean,sd", [
    (*at, *largest_drawn(*at, runs)) for at, runs in
    [((512, 64, 128), 6000), ((64, 8, 16), 20000), ((64, 27, 28), 20000), ((300, 30, 30), 20000), ((128, 20, 60), 20000)]])


# ---- the overlap of two tables, one of them turned

def overlap(a, b):
    """Mean and sd of Σ a_i b_j Q_ij² by the fourth moments of a uniform orthogonal Q (Weingarten)."""
    n, a, b = mp.mpf(len(a)), list(map(mp.mpf, a)), list(map(mp.mpf, b))
    same, line, neither = 3 / (n * (n + 2)), 1 / (n * (n + 2)), (n + 1) / (n * (n - 1) * (n + 2))
    second = sum(a[i] * b[j] * a[k] * b[l] * (same if (i, j) == (k, l) else line if i == k or j == l else neither)
                 for i, j, k, l in itertools.product(range(len(a)), repeat=4))
    mean = sum(a) * sum(b) / n
    return mean, mp.sqrt(second - mean**2)


def spectra(n, seed):
    rng = np.random.default_rng(seed)
    return np.abs(rng.standard_normal(n)), np.exp(2 * rng.standard_normal(n))


def projections(d, k, r):
    return np.repeat([1., 0.], [k, d - k]), np.repeat([1., 0.], [r, d - r])


write("overlap", "d,tr_a,tr_a2,tr_b,tr_b2,mean,sd", [
    (len(a), np.sum(a), np.sum(a * a), np.sum(b), np.sum(b * b), *overlap(a, b))
    for a, b in [spectra(n, n) for n in (2, 3, 8, 11)] + [projections(12, 4, 5), projections(10, 1, 1), projections(8, 3, 7), projections(9, 7, 6)]])



def least(a, b):
    orders = min(np.dot(a, order) for order in itertools.permutations(b))
    for turn in stats.ortho_group.rvs(len(a), size=200, random_state=1):  # no rotation gets below the least order
        assert a @ turn**2 @ b >= orders * (1 - 1e-12)
    return len(a) * orders / (np.sum(a) * np.sum(b))


write("least_overlap", "a0,a1,a2,a3,a4,a5,b0,b1,b2,b3,b4,b5,least", [
    (*a, *b, least(a, b)) for a, b in [spectra(6, seed) for seed in range(5)] + [projections(6, 5, 4), projections(6, 2, 3)]])


# ---- dimensions of the sinusoid

def sinusoid(positions, d, base):
    angles = np.arange(positions)[:, None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], 2).reshape(positions, d)


def r99(table):
    values = np.linalg.eigvalsh(table.T @ table)[::-1]
    return int(np.argmax(np.cumsum(values) >= .99 * np.sum(values))) + 1


def r99_line(positions, d, base, kept, lost):
    """min over the two densities, integrated over ω; then what the header takes off and adds."""
    x, log = positions * np.log(base) / (np.pi * d), np.log(base)
    if x >= base:
        return .99 * d
    area = positions / np.pi * base ** (-.01 * kept) if x <= 1 else \
        integrate.quad(lambda s: min(positions / np.pi * np.exp(s), d / log), -log, 0, points=[-np.log(x)], epsabs=1e-12)[0] \
        + positions / np.pi / base - d / log * (x / base) - .015 * kept * d
    return area + 1.4 - lost


def mean_share(positions, base):
    return np.clip((np.log(base / positions) + .923) / np.log(base), 0, 1)


write("sinusoid_dimension", "positions,d,base,crowding,line,centred_line,whole,centred", [
    (n, d, t, n * np.log(t) / (np.pi * d), r99_line(n, d, t, 1, 0), r99_line(n, d, t, 1 - f, f > 0), r99(p), r99(p - p.mean(0)))
    for n, d, t in
    [(16, 64, 1e3), (128, 256, 1e3), (512, 384, 1e3), (512, 512, 1e3), (2048, 512, 1e3), (8192, 512, 1e3), (256, 768, 1e3),
     (466, 1024, 1e3), (2048, 64, 1e3), (30000, 64, 1e3), (16, 64, 1e4), (512, 384, 1e4), (512, 512, 1e4), (2048, 512, 1e4),
     (8192, 512, 1e4), (256, 768, 1e4), (384, 1024, 1e4), (512, 1024, 1e4), (16, 64, 1e5), (512, 512, 1e5), (8192, 512, 1e5),
     (256, 768, 1e5), (293, 1024, 1e5)]
    for f in [mean_share(n, t)] for p in [sinusoid(n, d, t)]])


# ---- the sinusoid's products

def angles(d, base, t):
    return [mp.mpf(base) ** (mp.mpf(-2 * i) / d) * t for i in range(d // 2)]


def kernel(d, base, k):
    return mp.fsum(mp.cos(a) for a in angles(d, base, k))


def limit(base, k):
    k = abs(mp.mpf(k))
    return (mp.ci(k) - mp.ci(k / base)) / mp.log(base) if k else mp.mpf(1)


def finite(d, base, k):
    slow = mp.mpf(k) / base
    return limit(base, k) + (mp.cos(k) - mp.cos(slow)) / d + mp.log(base) / (3 * d * d) * (slow * mp.sin(slow) - k * mp.sin(k))


write("cosine_integral", "x,value", [(x, mp.ci(mp.mpf(x))) for x in
                                     (1e-8, .01, .5, 1, 1.9999, 2, 2.0001, 3, 5, 10, 50, 616.9, 1e4, 1e6)])
write("kernel", "d,base,lag,exact,limit,log_line,finite,alias_lag,alias_size", [
    (d, base, k, kernel(d, base, k), limit(base, k), 1 - (mp.euler + mp.log(abs(k))) / mp.log(base), finite(d, base, k),
     mp.pi * d / mp.log(base), mp.sqrt(2 / (d * mp.log(base))))
    for d, base, lags in [(16, 1e4, (1, -5)), (512, 1e4, (1, 10, 100, 1.5, 1e-200)), (64, 1e2, (1, 7, 10, 20)), (512, 1e2, (3, 80, 170)),
                          (64, 1e4, (2, 5, 10)), (64, 1e6, (3, 7)), (512, 1e6, (30, 58)), (2, 1e4, (4, 50000))] for k in lags])
write("rise", "d,base,rise,wavelength", [
    (d, t, int(np.argmax(np.diff(np.cos(np.arange(400)[:, None] * t ** (-2 * np.arange(d // 2) / d)).sum(1)) > 0)),
     2 * mp.pi * mp.mpf(t) ** (1 - mp.mpf(2) / d))
    for d, t in [(2, 1e4), (64, 1e4), (128, 1e4), (256, 1e4), (512, 1e4), (1024, 1e4), (2048, 1e4), (4096, 1e4), (64, 1e2)]])


def low(d, base, most, tolerance):
    """The first lag at which the sum lies below -tolerance d/2 (0: none)."""
    sums = np.cos(np.arange(most + 1)[:, None] * base ** (-2 * np.arange(d // 2) / d)).sum(1) * 2 / d
    return int(np.argmax(sums < -tolerance))


write("kernel_low", "d,base,most,tolerance,first", [
    (d, base, 2000, tolerance, low(d, base, 2000, tolerance)) for d in (2, 6, 64, 128) for base in (2., 300., 1e4, 1e6) for tolerance in (0., .05)])
write("rounding", "d,base,u,t,s,bound", [
    (d, base, u, t, s, sum(min(2, u * float(w) * (t + s)) for w in angles(d, base, 1)))
    for d, base, u, t, s in [(512, 1e4, 2**-8, 1e6, 1e6), (64, 1e4, .25, 1e9, 1e9), (256, 1e4, 2**-53, 1e6, 1e6),
                             (4096, 1e2, 2**-53, 1e6, 10)]])


def overlap_of(length, delta):
    return abs(mp.fsum(mp.expj(mp.mpf(delta) * t) for t in range(length))) / length


def columns(length, omega):
    s, c = ([f(mp.mpf(omega) * t) for t in range(length)] for f in (mp.sin, mp.cos))
    moments = [v for x in (s, c) for m in [mp.fsum(x) / length] for v in (m, mp.fsum((y - m) ** 2 for y in x) / length)]
    norm = mp.sqrt(mp.fsum(x * x for x in s) * mp.fsum(x * x for x in c))
    return *moments, mp.fsum(a * b for a, b in zip(s, c)) / norm if norm else 0, overlap_of(length, omega)


write("columns", "length,omega,sine_mean,sine_variance,cosine_mean,cosine_variance,cross,overlap", [
    (n, w, *columns(n, w)) for n in (1, 2, 7, 64, 512, 3000) for w in (0., 1e-9, 1e-4, .003, .1, .7, 2.5, 3.141592653589793, 5.9)])


def constant_share(length, d, first, last, base):
    p = sinusoid(length, d, base)[:, first:last]
    return np.sum(p.mean(0) ** 2) / np.sum((p * p).mean(0))


write("constant_share", "length,d,first,last,base,share", [
    (*at, constant_share(*at)) for at in [(64, 32, 0, 32, 1e4), (1, 32, 0, 32, 1e4), (512, 512, 0, 128, 1e4), (512, 512, 384, 512, 1e4), (9, 6, 3, 4, 30.)]])


# ---- scores: sinusoids under isotropic words, random and tied weights

def scores(g, rank, d, words, power):
    """Shares of the four terms, M = QᵀQ, from the fourth moments of Q's entries."""
    n = len(g)
    gram = np.array([[g[abs(t - s)] for s in range(n)] for t in range(n)])
    # E[(uᵀMv)(wᵀMz)]: rank² (u·v)(w·z) + rank ((u·w)(v·z) + (u·z)(v·w)).
    iid = np.einsum("tu,sv->tsuv", gram, gram)
    tied = rank**2 * np.einsum("ts,uv->tsuv", gram, gram) + rank * (iid + np.einsum("tv,su->tsuv", gram, gram))
    pp = np.einsum("tsts->ts", tied).mean() - tied.mean()
    # Terms of (x+p)ᵀQᵀQ(y+p'): E[(uᵀQᵀQv)²] = (rank² + rank)(u·v)² + rank ‖u‖²‖v‖².
    x, same = power * d, 1 / words
    ww = (rank**2 + rank) * ((1 - same) * power**2 * d + same * power**2 * (d * d + 2 * d)) \
        + rank * ((1 - same) * x * x + same * power**2 * (d * d + 2 * d))
    wp = (rank**2 + rank) * power * g[0] + rank * x * g[0]
    return ww / (ww + 2 * wp + pp), wp / (ww + 2 * wp + pp)


write("scores", "length,d,base,rank,words,power,word_word,word_position", [
    (n, d, t, rank, words, power, *scores([float(kernel(d, t, k)) for k in range(n)], rank, d, words, power))
    for n, d, t, rank, words, power in [(2, 4, 1e4, 1, 5, .5), (9, 8, 100., 3, 40, 1.), (16, 16, 1e4, 16, 1000, .25)]])


def four(d, length, base, word_power):
    p = sinusoid(length, d, base)
    pp = (d / 2) ** 2 - np.sum(p.mean(0) ** 2) ** 2
    whole = word_power**2 + 2 * word_power * d / 2 + pp
    return np.sum(p.mean(0) ** 2), word_power**2 / whole, word_power * d / 2 / whole, pp / whole


write("four_shares", "d,length,base,word_power,square_mean,word_word,word_position,position_position",
      [(d, n, t, w, *four(d, n, t, w)) for d, n, t, w in [(64, 256, 1e4, 64.), (16, 30, 100., 2.)]])


# ---- words recovered

def cosine_law(d, words, ratio):
    """∫ f(c) F((1+ρc)/√(1+ρ²+2ρc))^(V-1) dc over the angle, by SciPy."""
    a = (d - 1) / 2
    scale = 1 / special.beta(a, .5)

    def at(angle):
        c = np.cos(angle)
        m = (1 + ratio * c) / np.sqrt(1 + ratio * ratio + 2 * ratio * c)
        outside = special.betainc(a, .5, 1 - m * m) / 2
        return scale * np.sin(angle) ** (d - 2) * (outside if m < 0 else 1 - outside) ** (words - 1)

    middle, width = np.pi / 2, 12 / np.sqrt(d)
    return integrate.quad(at, max(0, middle - width), min(np.pi, middle + width), points=[middle], epsabs=1e-12, epsrel=0, limit=500)[0]


write("recovered", "d,words,ratio,share", [(d, v, r, cosine_law(d, v, r)) for d, v, r in
      [(2, 2, 1.), (2, 50, .3), (3, 2, 1.), (3, 20, .5), (16, 50, 1.5), (64, 1000, 2.), (64, 1000, 8.), (64, 5000, 1.), (300, 1000, 4.),
       (300, 1000, 5.), (1024, 5000, 3.), (64, 50, 1e6), (8, 50257, .7), (512, 1000, 0.), (768, 50257, 8.), (4096, 1000000, 3.), (16384, 2, 32.)]])
write("knee", "d,words,share,knee,half", [
    (d, v, .5, np.sqrt(d / (2 * np.log(v))), optimize.brentq(lambda r: cosine_law(d, v, r) - .5, .5, 40, xtol=1e-11))
    for d in (64, 512, 1024) for v in (1000, 50000)])


def sinusoid_drawn(d, positions, base, ratio, trials):
    rng = np.random.default_rng([d, positions])
    p = ratio * sinusoid(positions, d, base) / np.sqrt(d / 2)
    x = rng.standard_normal((trials, d))
    t = np.arange(trials) % positions
    y = x / np.linalg.norm(x, axis=1, keepdims=True) + p[t]
    return np.mean(np.argmax(y @ p.T, 1) == t)


def sinusoid_bounds(d, positions, base, ratio):
    """The nearest row to x + p_t is p_t: from below by the sum of all other rows' chances (Bonferroni), from above by the two at
    the lag where less is left; both of these are nearer only if their sum is."""
    p = ratio * sinusoid(positions, d, base) / np.sqrt(d / 2)

    def beyond(t, way):  # chance that <x, way> exceeds its part of p_t's product, x a uniform direction
        length = np.linalg.norm(way)
        return stats.beta.sf((1 - p[t] @ way / length) / 2, (d - 1) / 2, (d - 1) / 2) if length > 0 else .5

    nearer = np.array([[beyond(t, p[s] - p[t]) if s != t else 0 for s in range(positions)] for t in range(positions)])
    both = [sum(beyond(t, p[t + k] + p[t - k] - 2 * p[t]) for t in range(k, positions - k)) for k in range(positions)]
    high = min(1 - (np.trace(nearer, k) + np.trace(nearer, -k) - both[k]) / positions for k in range(1, positions))
    return max(0, 1 - nearer.sum() / positions), min(1, high)


def sinusoid_recovered(d, positions, base, ratio, trials=96000):
    low, high = sinusoid_bounds(d, positions, base, ratio)
    drawn = sinusoid_drawn(d, positions, base, ratio, trials)
    slack = 5 * np.sqrt(drawn * (1 - drawn) / trials)
    assert low < drawn + slack and drawn - slack < high
    return low, high


write("sinusoid_recovered", "d,positions,base,ratio,low,high", [
    (*at, *sinusoid_recovered(*at)) for at in [(d, 32, 1e4, r) for d in (16, 64) for r in (.2, .3, .7, 1., 2.)]])


# ---- sums read by a matched filter

def rival_variance(d, n, overlap, square, random):
    return (2 * (n - 2) + 2 * (1 - overlap) + 2 * (square - overlap**2) + random) / d


def matched(d, words, n, overlap, square, random):
    rival, stranger = np.sqrt(rival_variance(d, n, overlap, square, random)), np.sqrt((2 * n - 1) / d)
    lead = np.sqrt(2) * (1 - overlap) / rival if rival > 0 else 0.
    log_p = lambda z: (n - 1) * special.log_ndtr(z + lead) + (words - n) * special.log_ndtr(z + np.sqrt(2) / stranger)
    return integrate.quad(lambda z: np.exp(log_p(z) - z * z / 2) / np.sqrt(2 * np.pi), -10, 10, points=[0], epsabs=1e-13, limit=300)[0]


FILTERS = [(1, 2, 1, 0., 1., 0), (9, 2, 1, 0., 1., 0), (512, 1000, 8, 0., 1., 1), (128, 1000, 8, 0., 1., 1), (512, 1000, 16, 0., 1., 1),
           (512, 1000, 32, 0., .5, 1), (512, 1000, 8, .6, .5, 0), (512, 1000, 8, .9, .85, 0), (1000000, 8, 3, 1., 1., 0)]
write("matched_filter", "d,words,n,overlap,mean_square,random,share", [(*at, matched(*at)) for at in FILTERS])


# ---- one matrix for all scores of sums

def added(words, positions, d, power):
    count = np.array([words - 1, positions - 1, 1.])
    weight, variance = np.array([positions, words, words + positions]), np.array([positions, words * power, positions + words * power])
    if d >= count.sum():
        return 0.
    xi = optimize.brentq(lambda x: np.sum(count * variance / (variance + x)) - d, 0, 1e12, xtol=1e-9, rtol=1e-15)
    return 1 - (np.sum(count * weight * variance / (variance + xi)) / (2 * words * positions)) ** 2


def split(words, positions, a, b):
    return 1 - ((min(a / words, 1) + min(b / positions, 1)) / 2) ** 2


write("added_residual", "words,positions,d,power,residual", [(*at, added(*at)) for at in
      [(300, 32, 64, p) for p in (.25, 1., 4., 1e6)] + [(33, 33, 64, 1.), (33, 32, 63, 1.), (33, 32, 64, 1.), (500, 500, 200, 1.), (500, 500, 800, 1.)]])
write("split_residual", "words,positions,d,best,word_width,residual", [
    (v, n, d, best, d - best, split(v, n, d - best, best)) for v, n, d in [(300, 32, 64), (20, 20, 10), (5, 3, 20)]
    for best in [int(np.argmin([round(split(v, n, d - w, w), 12) for w in range(1, d)])) + 1]])
write("low_rank_residual", "rank,positions,d,power,flatness,residual", [
    (r, n, d, p, f, 1 - (kept(n / r) ** 2 + kept(p) ** 2 + kept(p) * (1 - kept(p)) * f) / 2)
    for r, n, d, p, f in [(16, 1024, 768, 1., .03), (16, 1024, 768, 64., .03), (4, 60, 32, 8., 1.)]
    for xi in [optimize.brentq(lambda x: r * n / (n + r * x) + n * p / (p + x) - d, 0, 1e9, xtol=1e-12)]
    for kept in [lambda variance, xi=xi: variance / (variance + xi)]])


# ---- bits

def two_codewords(d, s):
    """Bits of two random vectors, coordinates of variance s in noise 1: a line, half of its squared distance s χ²_d apart."""
    def loss(root):
        line = np.linspace(-9, 9, 721)
        inner = np.logaddexp(0, -2 * s * root * root / 2 + np.sqrt(2 * s) * root * line) @ stats.norm.pdf(line) * (line[1] - line[0])
        return inner * stats.chi.pdf(root, d)
    return 1 - integrate.quad(loss, 0, np.sqrt(d) + 9, epsabs=1e-11, limit=400)[0] / np.log(2)


def table_bits_drawn(m, d, s, trials, rng):
    """Drawn squared distances, of other rows and of the sent one, under each trial's own ‖y‖²."""
    square = (1 + s) * rng.chisquare(d, (trials, 1))
    other = s * rng.noncentral_chisquare(d, square / s, (trials, m - 1))
    own = s / (1 + s) * rng.noncentral_chisquare(d, square / (s + s * s))
    lost = np.log1p(np.exp((own - other) / 2).sum(axis=1)) / np.log(2)
    return np.log2(m) - lost.mean(), lost.std() / np.sqrt(trials)


def capacity_noise(noise, variance, mean_of):
    """n' of as much capacity: mean_of(f) is the mean of f over the interference's eigenvalues."""
    told = mean_of(lambda value: np.log1p(variance / (noise**2 + value)))
    return optimize.brentq(lambda n: np.log1p(variance / n**2) - told, 1e-6, 1e6, xtol=1e-14, rtol=1e-14)


def marchenko_pastur(variance, ratio):
    """Mean over the eigenvalues, `ratio` rows a dimension, in angles of the bulk; what is below 1 row a dimension is 0."""
    low, high = (variance * (1 - r / np.sqrt(ratio)) ** 2 for r in (1, -1))

    def mean_of(f):
        def part(angle):
            value = (low + high) / 2 + (high - low) / 2 * np.cos(angle)
            return f(value) * ratio * ((high - low) / 2 * np.sin(angle)) ** 2 / (2 * np.pi * variance * value)
        return integrate.quad(part, 0, np.pi, epsabs=1e-13)[0] + max(0, 1 - ratio) * f(0)
    return mean_of


write("table_bits", "codewords,d,power,noise,bits", [
    (2, d, d * s * n * n, n, two_codewords(d, s)) for d, s, n in [(2, 3, 1), (4, 1.5, 2), (16, .2, 1), (64, .05, .5), (500, .004, 1)]])
bits_rng = np.random.default_rng(7)
write("table_bits_drawn", "codewords,d,power,noise,bits,error", [
    (m, d, d * s, 1, *table_bits_drawn(m, d, s, 40000, bits_rng))
    for m, d, s in [(16, 4, 2.5), (64, 8, 1), (256, 32, .75 / 1.75), (300, 200, .05), (2000, 768, .02)]])
write("noise_beside", "noise,variance,first,second,third,beside", [
    (n, v, *e, capacity_noise(n, v, lambda f: np.mean(f(np.array(e))))) for n, v, e in [
        (1., .75, (0., 0., 3.)), (.5, 2., (1., 1., 1.)), (2., .1, (.1, 5., 40.))]])
write("noise_beside_random", "noise,d,power,other,rows,beside", [
    (n, d, p, o, rows, capacity_noise(n, p / d, marchenko_pastur(o / d, (rows - 1) / d)))
    for n, d, p, o, rows in [(1., 32, 24., 24., 64), (.5, 32, 12., 36., 20), (4., 768, 576., 576., 1024), (2., 64, 64., 32., 65)]])


# ---- costs, by the shapes of the arrays

def block(width, inner):
    shapes = {f"{x}.{y}": s for x in "qkvo" for y, s in (("map", (width, width)), ("bias", (width,)))}
    shapes |= {"up.map": (width, inner), "up.bias": (inner,), "down.map": (inner, width), "down.bias": (width,)}
    shapes |= {f"norm{i}.{y}": (width,) for i in (1, 2) for y in ("gain", "shift")}
    return shapes


def count(shapes, part=""):
    return sum(int(np.prod(s)) for name, s in shapes.items() if part in name)


def operations(width, tokens):
    return tokens * count(block(width, 4 * width), "map") + 2 * tokens * tokens * width


write("block", "width,tokens,parameters,operations,cache", [
    (w, n, count(block(w, 4 * w)), operations(w, n), 2 * w) for w, n in [(1, 1), (3, 7), (384, 7), (768, 512)]])


def model(joining, width, positions, blocks, words):
    joined = width + positions if joining == 1 else width
    return joined, words * (width - (positions if joining == 2 else 0)) + blocks * count(block(joined, 4 * joined))


# Added, appended, divided. GPT-2 small has 124,439,808 parameters with its positions' table and its last norm's 2 · 768.
assert model(0, 768, 0, 12, 50257)[1] + (1024 + 2) * 768 == 124439808
write("model", "joining,width,positions,blocks,words,joined,parameters", [
    (*at, *model(*at)) for at in [(0, 768, 0, 12, 50257)] + [(j, 512, 64, 3, 1000) for j in range(3)]])
