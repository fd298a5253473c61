#!/usr/bin/python3
"""Links of Markdown and HTML files that lead nowhere: files that are not there, and places ("#…") that no heading, id or name
makes. Addresses of other hosts are not asked for.
usage: links.py <file or folder>…      links.py --self-test"""

import re
import sys
import tempfile
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote


class Page(HTMLParser):
    """Links and places of HTML, also of that inside Markdown."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            elif name == "srcset":
                self.links += [part.split()[0] for part in value.split(",")]
            elif name == "id" or name == "name" and tag == "a":
                self.places.add(value)


def slug(heading):
    """The place that GitHub makes of a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]*>", "", heading)).replace("\\", "")
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@cache
def page_of(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".html":
        return Page(text)
    text = re.sub(r"^( *)(```|~~~).*?^ *\2", "", text, flags=re.MULTILINE | re.DOTALL)
    headings, seen = re.findall(r"^#{1,6} +(.*?)#* *$", text, re.MULTILINE), {}
    text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    page = Page(text)
    for place in map(slug, headings):
        page.places.add(f"{place}-{seen[place]}" if place in seen else place)
        seen[place] = seen.get(place, 0) + 1
    text = re.sub(r"\\[\[\]]", "", text)
    while found := re.findall(r"\[[^\[\]]*\]\(<?([^()\s>]+)>?(?: \"[^\"]*\")?\)", text):  # a picture may stand inside a link
        page.links += found
        text = re.sub(r"\[[^\[\]]*\]\([^()]*\)", "", text)
    page.links += re.findall(r"(?:\A|\n) *\n {0,3}\[[^\]]+\]: *(\S+)", text)
    return page


def dead(path):
    for link in page_of(path).links:
        if re.match(r"[a-zA-Z][\w+.-]*:", link) or link in ("", "#"):
            continue
        file, _, place = link.partition("#")
        target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
        if not target.exists():
            yield f"{link}: there is no such file"
        elif place and target.suffix in (".md", ".html") and unquote(place) not in page_of(target).places:
            yield f"{link}: there is no such place"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        a, b = Path(folder) / "a.md", Path(folder) / "b.html"
        b.write_text('<h2 id="here">x</h2><a href="a.md#the-end--twice">y</a><a href="#gone">z</a><img src="no.svg">')
        a.write_text('# The end: twice\n## The end & twice\n## Again\n## Again\n[a](b.html#here) [b](#again-1) [c](#again-2) [d](c.md)\n'
                     '`[code](nowhere)` <a href="b.html#there">e</a> [f](https://example.org/x) \\[g](h)\n```\n[in](code)\n```\n\n[i]: d.csv\nword\n[0, 1]: e\n')
        found = sorted(line.split(":")[0] for path in (a, b) for line in dead(path))
        wanted = sorted(["#again-2", "c.md", "b.html#there", "d.csv", "#gone", "no.svg"])
        if found != wanted:
            sys.exit(f"self-test: found {found}, expected {wanted}")
        print("self-test: ok")


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit()
files = [f for name in sys.argv[1:] for f in (sorted(p for p in Path(name).rglob("*") if p.suffix in (".md", ".html"))
                                             if Path(name).is_dir() else [Path(name)])]
failures = [f"{file}: {line}" for file in files for line in dict.fromkeys(dead(file.resolve()))]
for failure in failures:
    print(failure)
print(f"{len(files)} files, {len(failures)} dead links")
sys.exit(1 if failures or not files else 0)
