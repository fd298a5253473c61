#!/usr/bin/python3
"""The paper's numbers against the published report: each is followed by "<!-- finding format -->" and is that finding of
reports/published in that format. The paper is not generated, so it names them; and it has at most 1,000 words before its references,
one table and one figure that is there.
usage: paper.py <source folder>      paper.py <source folder> --write (puts today's numbers in)"""

import json
import math
import re
import sys
from pathlib import Path

source = Path(sys.argv[1])
paper = source / "docs/paper/paper.md"
marked = re.compile(r"([+−]?[\d.,]+[%°]?)<!-- (\S+) (\S+) -->")
findings = {finding["id"]: finding["value"] for path in sorted(source.glob("reports/published/*/results.json"))
            for finding in json.loads(path.read_text(encoding="utf-8"))["findings"]}


def shown(value, form):
    """As the report prints it: lib/perp/study/display.hpp."""
    if form == "d":
        return f"{value:,.0f}" if abs(value) >= 10000 else f"{value:.0f}"
    if form.endswith("deg"):
        return f"{math.degrees(math.acos(value)):{form[:-3]}f}°"
    return f"{value:{form}}".replace("-", "−")


def failures(text):
    body = text.split("---", 2)[2].split("# References")[0]
    found = []
    for said, finding, form in marked.findall(body):
        if finding not in findings:
            found.append(f"{finding} is not published")
        elif shown(findings[finding], form) != said:
            found.append(f"{finding}: the paper says {said}, the report {shown(findings[finding], form)}; put in by paper.py --write")
    plain = re.sub(r"<!--.*?-->", "", marked.sub("", body))
    found += [f"'{number}' names no finding" for number in re.findall(r"\b\d+\.\d+\b%?", plain)]
    if (words := len(re.sub(r"<!--.*?-->|^\|[:|-]+$", "", body, flags=re.MULTILINE).split())) > 1000:
        found.append(f"{words} words before the references; expected 1,000 at most")
    if len(re.findall(r"^\|:-", body, re.MULTILINE)) != 1:
        found.append("expected one table")
    figures = re.findall(r"^!\[.+\]\((.+)\)$", body, re.MULTILINE)
    if len(figures) != 1 or not (paper.parent / figures[0]).is_file():
        found.append(f"figures {figures}; expected one that is there")
    return found


given = paper.read_text(encoding="utf-8")
if sys.argv[2:] == ["--write"]:
    given = marked.sub(lambda m: f"{shown(findings[m[2]], m[3])}<!-- {m[2]} {m[3]} -->", given)
    paper.write_text(given, encoding="utf-8")
for text in (found := failures(given)):
    print(text)
print(f"{len(marked.findall(given))} numbers, {len(found)} failures")
sys.exit(bool(found) or not marked.search(given))
