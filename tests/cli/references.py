#!/usr/bin/python3
"""The report's references: what templates, figures and the paper cite as [@key] is in references.bib, once, with author, title and
year; the paper has the entries that it cites and CITATION.cff's authors and date.
usage: references.py <source folder>"""

import re
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

source = Path(sys.argv[1])
bib, paper = source / "reports/pages/references.bib", source / "docs/paper/paper.md"
failures = []


def entries(text):
    """(key, {field: value}) of each entry; a file has one field a line, and no line is left over."""
    found, fields = [], None
    for number, line in enumerate(text.split("\n"), 1):
        start = re.fullmatch(r"@[a-z]+\{([^\s,]+),", line)
        field = re.fullmatch(r"  ([a-z]+) = \{((?:[^{}]|\{[^{}]+\})+)\},?", line)
        if start:
            fields = {}
            found.append((start[1], fields))
        elif field and fields is not None and field[1] not in fields:
            fields[field[1]] = field[2]
        elif line not in ("", "}") and not line.startswith("%"):
            failures.append(f"{bib.name}:{number}: {line}")
    return found


def citations(path):
    """(line, key) of what the file cites, alone or as [@a; @b]."""
    text = path.read_text(encoding="utf-8")
    for group in re.finditer(r"\[-?@[^\]]*\]", text):
        for key in re.findall(r"@([\w:.-]*[\w-])", group[0]):
            yield text.count("\n", 0, group.start()) + 1, key


all_entries = entries(bib.read_text(encoding="utf-8"))
keys = [key for key, _ in all_entries]
bare = lambda text: re.sub(r"[^a-z0-9]", "", text.lower())
for what, values in (("key", keys), ("title", [bare(f.get("title", key)) for key, f in all_entries]),
                     ("address", [f[k] for _, f in all_entries for k in ("eprint", "url") if k in f])):
    failures += [f"two entries have the {what} {value}" for value, count in Counter(values).items() if count > 1]
if keys != sorted(keys):
    failures.append("the entries are not sorted by key")
for key, fields in all_entries:
    failures += [f"{key} has no {field}" for field in ("author", "title", "year") if field not in fields]
    year = re.fullmatch(r"\d{4}|n\.d\.", fields.get("year", "n.d."))
    if not year or re.search(r"\d{4}$", key) and key[-4:] != fields.get("year"):
        failures.append(f"{key} is of the year {fields.get('year')}")

citing = [paper, *(path for folder in ("reports/pages", "studies") for end in ("md", "gp") for path in sorted((source / folder).rglob(f"*.{end}")))]
cited = [(path, line, key) for path in citing for line, key in citations(path)]
for path, line, key in cited:
    if key not in keys:
        failures.append(f"{path.relative_to(source)}:{line}: no entry {key}")
if not cited:
    failures.append("nothing is cited: has the form of a citation changed?")

written = subprocess.run([source / "scripts/paper", "--entries"], check=True, capture_output=True, encoding="utf-8").stdout
if written != (source / "docs/paper/paper.bib").read_text(encoding="utf-8"):
    failures.append("docs/paper/paper.bib is not what scripts/paper writes: run make paper")
if [key for key, _ in entries(written)] != sorted({key for path, _, key in cited if path == paper}):
    failures.append("docs/paper/paper.bib has not the entries that the paper cites")

head, cff = paper.read_text(encoding="utf-8").split("---")[1], (source / "CITATION.cff").read_text(encoding="utf-8")
names = lambda text: re.findall(r"^  - name: \"?([^\"\n]*)", text, re.MULTILINE)
released = date.fromisoformat(re.search(r"date-released: (\S+)", cff)[1])
if names(head) != names(cff) or not names(cff):
    failures.append("the paper's authors are not CITATION.cff's")
if f"date: {released.day} {released:%B %Y}\n" not in head:
    failures.append("the paper's date is not CITATION.cff's")

print(f"{len(keys)} entries, {len(cited)} citations")
for failure in failures:
    print("FAILED:", failure)
sys.exit(bool(failures))
