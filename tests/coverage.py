#!/usr/bin/env python3
"""gcovr's summary as tables: lines and branches by folder, and the files that have most of what no test reaches.

usage: coverage.py summary.json
"""

import json
import sys

with open(sys.argv[1]) as file:
    files = json.load(file)["files"]


def share(of, what):
    total = sum(f[f"{what}_total"] for f in of)
    return f"{100 * sum(f[f'{what}_covered'] for f in of) / total:.1f} %" if total else "–"


print("| folder | files | lines | covered | branches | covered |\n| --- | ---: | ---: | ---: | ---: | ---: |")
for folder in ("lib", "studies", "reports"):
    of = [f for f in files if f["filename"].startswith(folder + "/")]
    print(f"| {folder} | {len(of)} | {sum(f['line_total'] for f in of)} | {share(of, 'line')} "
          f"| {sum(f['branch_total'] for f in of)} | {share(of, 'branch')} |")

print("\nFiles with most lines that no test reaches:\n\n| file | lines missed | of | branches missed | of |\n| --- | ---: | ---: | ---: | ---: |")
missed = sorted(files, key=lambda f: f["line_covered"] - f["line_total"])[:20]
for f in missed:
    if f["line_covered"] < f["line_total"]:
        print(f"| {f['filename']} | {f['line_total'] - f['line_covered']} | {f['line_total']} "
              f"| {f['branch_total'] - f['branch_covered']} | {f['branch_total']} |")
