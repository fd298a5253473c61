#!/usr/bin/env python3
"""Writes texts as the numbers of their tokens, a row each, for perp inspect --token-ids.

TOKENIZER is the tokenizer.json of a model; OUT becomes an .npy file of int32, a new one: nothing that is there is replaced. The
texts are windows that follow one another through the whole of FILE at equal distances: [CLS], L - 2 tokens, [SEP]; with --bare L
tokens and nothing else. Needs PyPI's `tokenizers`:  python3 -m venv build/tokenizers && build/tokenizers/bin/pip install tokenizers"""
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
import command

CORPUS = "/usr/share/dictd/gcide.dict.dz"  # Debian's dict-gcide, which the studies read


def windows(tokenizer, text, count, length):
    """`count` runs of `length` tokens; each is cut out of a piece of text long enough for any of them."""
    step = len(text) // count
    for i in range(count):
        ids = tokenizer.encode(text[i * step:i * step + min(step, 16 * length)], add_special_tokens=False).ids
        # The piece may begin inside a word.
        ids = ids[8:8 + length]
        command.expect(len(ids) == length, f"{step} characters for each of {count} texts of {length} tokens; expected a longer text")
        yield ids


def write_npy(path, rows):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with command.writing(path) as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            file.write(struct.pack(f"<{len(row)}i", *row))


def main(tokenizer, out, text, texts, length, bare):
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise command.Failed("no module tokenizers; expected PyPI's (pip install tokenizers)") from error
    with command.reading(tokenizer):
        known = Tokenizer.from_file(tokenizer)
        known.no_truncation()
        known.no_padding()
        ends = [] if bare else [known.token_to_id("[CLS]"), known.token_to_id("[SEP]")]
        command.expect(None not in ends, "no [CLS] and [SEP] in it; expected both, or --bare")
    command.expect(length > len(ends), f"--length {length}: expected more than {len(ends)}")
    rows = list(windows(known, command.text_of(text), texts, length - len(ends)))
    write_npy(out, [ends[:1] + ids + ends[1:] for ids in rows])
    print(f"{out}: {texts} texts of {length} tokens")


if __name__ == "__main__":
    parser = command.Parser(__doc__)
    parser.add_argument("tokenizer", metavar="TOKENIZER")
    parser.add_argument("out", metavar="OUT", type=command.new_name)
    parser.add_argument("--text", metavar="FILE", default=CORPUS)
    parser.add_argument("--texts", metavar="N", type=command.whole, default=200)
    parser.add_argument("--length", metavar="L", type=command.whole, default=128)
    parser.add_argument("--bare", action="store_true", help="no [CLS] and [SEP]")
    command.run(parser, main)
