#!/usr/bin/env python3
"""The least good rotary base of `perp base` against a plain search of its own, for ten contexts and widths.

A base T is good when sum_i cos(m T^(-2i/d)) >= 0 at every lag m = 1 ... L. All bases from L/8 on are tried in steps of a
quarter of the first good stretch that the program names, so that a good stretch as wide as that cannot be passed by; the first
one found is then bisected to its lower end. Prints a line for each; exit code 1 if one differs by more than 1e-8.
"""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import command
import numpy as np

CASES = [(512, 64), (1024, 64), (2048, 64), (4096, 64), (1024, 128), (4096, 128), (2048, 256), (4096, 256), (2048, 1024), (4096, 1024)]


def is_good(bases, context, width):
    """For each base; lags are asked a few at a time, and bases that have failed no more."""
    good = np.ones(len(bases), bool)
    log_theta = -2 * np.arange(width // 2) / width
    theta = np.exp(np.outer(np.log(bases), log_theta))
    for first in range(1, context + 1, 16):
        lags = np.arange(first, min(first + 16, context + 1))
        left = np.flatnonzero(good)
        if left.size == 0:
            break
        sums = np.cos(theta[left][:, None, :] * lags[None, :, None]).sum(axis=2)
        good[left[(sums < 0).any(axis=1)]] = False
    return good


def least_base(context, width, step):
    log_base = np.log(context / 8)
    while True:
        logs = log_base + step * np.arange(512)
        good = np.flatnonzero(is_good(np.exp(logs), context, width))
        if good.size:
            bad, fine = logs[good[0]] - step, logs[good[0]]
            while fine - bad > 1e-13 * fine:
                middle = (bad + fine) / 2
                if is_good(np.exp([middle]), context, width)[0]:
                    fine = middle
                else:
                    bad = middle
            return np.exp(fine)
        log_base = logs[-1] + step


def main(program):
    failed = False
    print(f"{'L':>5} {'d':>5} {'program':>18} {'search':>18} {'difference':>11}")
    for context, width in CASES:
        out = subprocess.run([program, "base", "--context", str(context), "--dim", str(width), "--json"], check=True, capture_output=True)
        answer = json.loads(out.stdout)
        low, high = answer["intervals"][0]
        step = min(np.log(high / low) / 4, 1e-3)
        found = least_base(context, width, step)
        off = abs(answer["least"] / found - 1)
        failed |= off > 1e-8
        print(f"{context:>5} {width:>5} {answer['least']:>18.10g} {found:>18.10g} {off:>11.1e}", flush=True)
    return int(failed)


if __name__ == "__main__":
    parser = command.Parser(__doc__)
    parser.add_argument("program", metavar="PROGRAM", help="build/perp")
    command.run(parser, main)
