#!/usr/bin/env python3
"""Writes texts as the numbers of their tokens, a row each, for perp inspect --token-ids.

usage: token_ids.py TOKENIZER OUT [--text FILE] [--texts N] [--length L] [--bare]

TOKENIZER is the tokenizer.json of a model; OUT becomes an .npy file of int32. The texts are windows that follow one another
through the whole of FILE at equal distances: [CLS], L - 2 tokens, [SEP]; with --bare L tokens and nothing else. Needs PyPI's
`tokenizers`:  python3 -m venv build/tokenizers && build/tokenizers/bin/pip install tokenizers"""
import argparse
import gzip
import struct
import sys

CORPUS = "/usr/share/dictd/gcide.dict.dz"  # Debian's dict-gcide, which the studies read


def read_text(path):
    with open(path, "rb") as file:
        start = file.read(2)
    with (gzip.open if start == b"\x1f\x8b" else open)(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def windows(tokenizer, text, count, length):
    """`count` runs of `length` tokens; each is cut out of a piece of text long enough for any of them."""
    step = len(text) // count
    for i in range(count):
        ids = tokenizer.encode(text[i * step:i * step + min(step, 16 * length)], add_special_tokens=False).ids
        # The piece may begin inside a word.
        ids = ids[8:8 + length]
        if len(ids) < length:
            sys.exit(f"token_ids.py: {step} characters for each of {count} texts of {length} tokens; expected a longer text")
        yield ids


def write_npy(path, rows):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            file.write(struct.pack(f"<{len(row)}i", *row))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer")
    parser.add_argument("out")
    parser.add_argument("--text", default=CORPUS)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--bare", action="store_true", help="no [CLS] and [SEP]")
    given = parser.parse_args()
    try:
        from tokenizers import Tokenizer
    except ImportError:
        sys.exit("token_ids.py: no module tokenizers; expected PyPI's (pip install tokenizers)")
    tokenizer = Tokenizer.from_file(given.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    ends = [] if given.bare else [tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")]
    if None in ends:
        sys.exit(f"token_ids.py: {given.tokenizer} has no [CLS] and [SEP]; expected both, or --bare")
    text = read_text(given.text)
    rows = list(windows(tokenizer, text, given.texts, given.length - len(ends)))
    write_npy(given.out, [ends[:1] + ids + ends[1:] for ids in rows])
    print(f"{given.out}: {given.texts} texts of {given.length} tokens")


if __name__ == "__main__":
    main()
