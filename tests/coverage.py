#!/usr/bin/env python3
"""gcovr's summary as tables: lines and branches by folder, and each file of which no test reaches some lines, with the reason
that stands beside it in tests/uncovered.txt.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import command

FEW = 2  # lines of one file that need no reason of their own


def share(of, what):
    total = sum(f[f"{what}_total"] for f in of)
    return f"{100 * sum(f[f'{what}_covered'] for f in of) / total:.1f} %" if total else "–"


def missed(file):
    return file["line_total"] - file["line_covered"]


def main(summary):
    with command.reading(summary) as file:
        files = json.load(file)["files"]
    print("| folder | files | lines | covered | branches | covered |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for folder in ("lib", "studies", "reports"):
        of = [f for f in files if f["filename"].startswith(folder + "/")]
        print(f"| {folder} | {len(of)} | {sum(f['line_total'] for f in of)} | {share(of, 'line')} "
              f"| {sum(f['branch_total'] for f in of)} | {share(of, 'branch')} |")

    reasons = {}
    for line in (pathlib.Path(__file__).parent / "uncovered.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, reason = line.split(": ", 1)
            reasons[name] = reason

    print(f"\nFiles with more than {FEW} lines that no test reaches:\n")
    print("| file | lines missed | of | branches missed | of | because |\n| --- | ---: | ---: | ---: | ---: | --- |")
    for f in sorted(files, key=missed, reverse=True):
        if missed(f) > FEW:
            print(f"| {f['filename']} | {missed(f)} | {f['line_total']} | {f['branch_total'] - f['branch_covered']} "
                  f"| {f['branch_total']} | {reasons.get(f['filename'], '**not said**')} |")
    few = [f for f in files if 0 < missed(f) <= FEW]
    print(f"\n{len(few)} other files miss a line or two, {sum(map(missed, few))} in all: system calls that fail, copies that nobody makes, "
          "cases that quick does not have.")


if __name__ == "__main__":
    parser = command.Parser(__doc__)
    parser.add_argument("summary", metavar="SUMMARY.json")
    command.run(parser, main)
