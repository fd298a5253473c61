#!/usr/bin/env python3
"""The six workloads in PyTorch on the processor. As in numpy_peer.py; torch brings its own BLAS."""
import torch

from peer import main


def sinusoids(length, dim, base=10000.0):
    place = torch.arange(length, dtype=torch.float64)[:, None]
    omega = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    table = torch.empty((length, dim), dtype=torch.float32)
    table[:, 0::2] = torch.sin(place * omega)
    table[:, 1::2] = torch.cos(place * omega)
    return table


def unit_rows(table):
    return torch.nn.functional.normalize(table, dim=1)


def w1(count=100_000, length=2048, dim=512, bins=2000, piece=8192):
    random = torch.Generator().manual_seed(1)
    positions = unit_rows(sinusoids(length, dim))
    histogram = torch.zeros(bins, dtype=torch.float64)
    square = largest = 0.0
    for first in range(0, count, piece):
        words = unit_rows(torch.randn((min(piece, count - first), dim), generator=random))
        cosines = words @ positions.T
        histogram += torch.histc(cosines, bins=bins, min=-1, max=1).double()
        square += float(torch.sum(cosines * cosines, dtype=torch.float64))
        largest = max(largest, float(cosines.abs().max()))
    return {"mean_square_times_d": square / (count * length) * dim, "largest": largest,
            "counted": float(histogram.sum())}


def w2(dim=512, k=128, r=64, trials=200):
    random = torch.Generator().manual_seed(2)
    largest = torch.empty(trials, dtype=torch.float64)
    for trial in range(trials):
        a, _ = torch.linalg.qr(torch.randn((dim, k), generator=random, dtype=torch.float64))
        b, _ = torch.linalg.qr(torch.randn((dim, r), generator=random, dtype=torch.float64))
        largest[trial] = torch.linalg.svdvals(a.T @ b)[0]
    return {"mean": float(largest.mean()), "sd": float(largest.std(unbiased=False))}


def w3(length=8192, dim=512):
    table = sinusoids(length, dim)
    gram = table @ table.T
    worst, first_lag = 0.0, 0.0
    for lag in range(length):
        diagonal = torch.diagonal(gram, lag).double()
        mean = diagonal.mean()
        worst = max(worst, float((diagonal - mean).abs().max()))
        first_lag = float(mean) if lag == 1 else first_lag
    return {"worst": worst, "mean_of_lag_1": first_lag}


def w4(vocabulary=50_000, length=512, dim=256, count=8192, sigma=0.5, piece=1024):
    random = torch.Generator().manual_seed(4)
    words = torch.randn((vocabulary, dim), generator=random)
    positions = sinusoids(length, dim)
    positions -= positions.mean(dim=0)
    word = torch.randint(0, vocabulary, (count,), generator=random)
    place = torch.randint(0, length, (count,), generator=random)
    half_square = (words * words).sum(dim=1) / 2
    right = 0
    for first in range(0, count, piece):
        some = slice(first, first + piece)
        noise = torch.randn((len(word[some]), dim), generator=random)
        sums = words[word[some]] + positions[place[some]] + sigma * noise
        right += int(((sums @ words.T - half_square).argmax(dim=1) == word[some]).sum())
    return {"share": right / count}


def w5(length=200_000, dim=512):
    return {"sum_of_last_row": float(sinusoids(length, dim)[-1].sum(dtype=torch.float64))}


def w6(count=50_000_000):
    values = torch.randn(count, generator=torch.Generator().manual_seed(6))
    return {"sd": float(values.std(unbiased=False)), "mean": float(values.mean(dtype=torch.float64))}


def warm_up():
    square = torch.ones((256, 256))
    square @ square


if __name__ == "__main__":
    main("PyTorch", f"PyTorch {torch.__version__}", {"w1": w1, "w2": w2, "w3": w3, "w4": w4, "w5": w5, "w6": w6},
         ("torch_cpu", "mkl"), warm_up)
