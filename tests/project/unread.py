#!/usr/bin/env python3
"""What studies write and nobody reads: findings that no template, figure or rule names, tables that none shows, and columns of
these (but for kind exact) that none names.

  tests/project/unread.py [RESULTS]        lists them; without RESULTS of tests/golden, where one is an error
"""
import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
templates = root / "reports/pages"
# Some templates put their ids together, and some columns wait for what will read them: runs on a text, a configuration's scaling.
said = ("V6.share.", "A9.mixed.", "A9.position_position.", "A10.learned_", "A2.first_quarter.", "O3.r99_share.", "learning/a10_",
        "learning/a12_", "distance/d12_contexts.csv")
# Draws and seeds one by one; M10's table, of which the report has no section.
for_programs = ("_draws.", "_pairs.", "_seeds.", "_tiles.", "_codebooks.", "choices.", "m10_layers.")


def words_in(text):
    return {word.rstrip(".") for word in re.findall(r"[A-Za-z0-9_.]+", text)}


def of_any_model(name):
    """M3.overlap of M3.overlap.minilm and M3.overlap.minilm.k8: models have names of their own."""
    return ".".join(name.split(".")[:2]) if name.startswith(("M", "A11.")) else name


def unread(results):
    pages = [path.read_text() for folder in (templates, root / "studies") for path in folder.rglob("*.md")]
    scripts = [path.read_text() for folder in (templates, root / "studies") for path in folder.rglob("*.gp") if path.name != "style.gp"]
    notebook = (root / "docs/notebook/why-add.ipynb").read_text()
    chapters = re.findall(r"\{\{chapter (\w+)\}\}", (templates / "report.md").read_text())
    studies = [json.loads(path.read_text()) for name in chapters for path in [results / name / "results.json"] if path.exists()]
    rules = [str(word) for study in studies for claim in study["claims"] for line in claim["rule"] for word in (line["finding"], line["bound"])]
    ids = {word for text in pages + scripts + rules for word in words_in(text) if re.fullmatch(r"[A-Z][0-9]+(\.[a-z0-9_]+)+", word)}
    named = {of_any_model(name) for word in ids for name in (word, word.rpartition(".")[0])}
    for study in studies:
        yield from (finding["id"] for finding in study["findings"] if of_any_model(finding["id"]) not in named)
        for table in study["tables"]:
            name, data = f"{study['study']}/{table['file']}", "data_" + table["file"].removesuffix(".csv")
            if any(part in name for part in for_programs):
                continue
            drawn = [text for text in scripts if name in re.findall(r"\S+", " ".join(re.findall(r"#: (?:needs|also):(.*)", text)))]
            readers = drawn + [tag for text in pages for tag in re.findall(r"\{\{(?:table|cell) (.*?)\}\}", text, re.S) if tag.split()[0] == name]
            if name in notebook:  # which takes what it needs by names put together
                continue
            if not readers:
                yield name
            elif not any(re.search(rf"\b{data} [^,\n]*\bmatrix ", text) for text in drawn):  # which is read whole
                words = set().union(*map(words_in, readers))
                ends = {end for column in table["columns"] if column["name"] in words for end in (column["low"], column["high"])}
                yield from (f"{name}: {column['name']}" for column in table["columns"]
                            if column["kind"] != "exact" and column["name"] not in words | ends)


found = list(unread(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "tests/golden"))
if len(sys.argv) > 1:
    print("\n".join(found))
else:
    found = [name for name in found if not name.startswith(said)]
    print(f"{len(found)} unread, none expected:", *found, sep="\n")
    sys.exit(bool(found))
