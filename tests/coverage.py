#!/usr/bin/env python3
"""gcovr's summary in one line a folder: the shares of lines and of branches that tests reach."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import command


def share(of, what):
    total = sum(f[f"{what}_total"] for f in of)
    return f"{100 * sum(f[f'{what}_covered'] for f in of) / total:.1f} %" if total else "none"


def main(summary):
    with command.reading(summary) as file:
        files = json.load(file)["files"]
    for folder in ("lib", "studies", "reports"):
        of = [f for f in files if f["filename"].startswith(folder + "/")]
        print(f"{folder} {share(of, 'line')} and {share(of, 'branch')}")


if __name__ == "__main__":
    parser = command.Parser(__doc__)
    parser.add_argument("summary", metavar="SUMMARY.json")
    command.run(parser, main)
