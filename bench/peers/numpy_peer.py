#!/usr/bin/env python3
"""The six workloads as one would write them in NumPy and SciPy: whole-array calls, tables taken in pieces where the
result would not fit into memory comfortably. Sizes and meaning are those of bench/workloads.cpp; random numbers are
NumPy's own, so what is drawn at random agrees in law and not digit by digit."""
import numpy as np
import scipy
import scipy.linalg

from peer import main


def sinusoids(length, dim, base=10000.0):
    """length x dim, float32: sines in even columns, cosines in odd ones, angles in float64."""
    place = np.arange(length, dtype=np.float64)[:, np.newaxis]
    omega = base ** (-np.arange(0, dim, 2) / dim)
    table = np.empty((length, dim), dtype=np.float32)
    table[:, 0::2] = np.sin(place * omega)
    table[:, 1::2] = np.cos(place * omega)
    return table


def unit_rows(table):
    return table / np.linalg.norm(table, axis=1, keepdims=True)


def w1(count=100_000, length=2048, dim=512, bins=2000, piece=8192):
    random = np.random.default_rng(1)
    positions = unit_rows(sinusoids(length, dim))
    histogram = np.zeros(bins, dtype=np.int64)
    square = largest = 0.0
    for first in range(0, count, piece):
        words = unit_rows(random.standard_normal((min(piece, count - first), dim), dtype=np.float32))
        cosines = words @ positions.T
        histogram += np.histogram(cosines, bins=bins, range=(-1.0, 1.0))[0]
        square += float(np.einsum("ij,ij->", cosines, cosines, dtype=np.float64))
        largest = max(largest, float(np.abs(cosines).max()))
    return {"mean_square_times_d": square / (count * length) * dim, "largest": largest,
            "counted": float(histogram.sum())}


def w2(dim=512, k=128, r=64, trials=200):
    random = np.random.default_rng(2)
    largest = [np.cos(scipy.linalg.subspace_angles(random.standard_normal((dim, k)),
                                                   random.standard_normal((dim, r)))).max()
               for _ in range(trials)]
    return {"mean": float(np.mean(largest)), "sd": float(np.std(largest))}


def w3(length=8192, dim=512):
    table = sinusoids(length, dim)
    gram = table @ table.T
    means, worst = np.empty(length), 0.0
    for lag in range(length):
        diagonal = np.diagonal(gram, lag)
        means[lag] = diagonal.mean(dtype=np.float64)
        worst = max(worst, float(np.abs(diagonal - means[lag]).max()))
    return {"worst": worst, "mean_of_lag_1": float(means[1])}


def w4(vocabulary=50_000, length=512, dim=256, count=8192, sigma=0.5, piece=1024):
    random = np.random.default_rng(4)
    words = random.standard_normal((vocabulary, dim), dtype=np.float32)
    positions = sinusoids(length, dim)
    positions -= positions.mean(axis=0)
    word, place = random.integers(0, vocabulary, count), random.integers(0, length, count)
    half_square = np.einsum("ij,ij->i", words, words) / 2
    right = 0
    for first in range(0, count, piece):
        some = slice(first, first + piece)
        noise = random.standard_normal((len(word[some]), dim), dtype=np.float32)
        sums = words[word[some]] + positions[place[some]] + np.float32(sigma) * noise
        right += int(np.count_nonzero((sums @ words.T - half_square).argmax(axis=1) == word[some]))
    return {"share": right / count}


def w5(length=200_000, dim=512):
    return {"sum_of_last_row": float(sinusoids(length, dim)[-1].sum(dtype=np.float64))}


def w6(count=50_000_000):
    values = np.random.default_rng(6).standard_normal(count, dtype=np.float32)
    return {"sd": float(values.std()), "mean": float(values.mean(dtype=np.float64))}


def warm_up():
    square = np.ones((256, 256), dtype=np.float32)
    square @ square


if __name__ == "__main__":
    main("NumPy", f"NumPy {np.__version__}, SciPy {scipy.__version__}",
         {"w1": w1, "w2": w2, "w3": w3, "w4": w4, "w5": w5, "w6": w6}, ("blas", "lapack", "mkl", "blis", "atlas"),
         warm_up)
