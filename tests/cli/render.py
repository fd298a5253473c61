#!/usr/bin/env python3
"""The whole way, from a folder of results to the report: pages for a repository and for a browser, what they hold and link to, what
cannot be believed or shown, and what happens without pandoc or gnuplot.
usage: render.py <perp> <source folder>"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

perp, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
failures, scratch = [], tempfile.TemporaryDirectory()


def check(holds, *what):
    if not holds:
        failures.append(": ".join(str(part)[:300] for part in what))


class Place:
    """A small results folder, pages and sections (tests/reports/fixture) where they may be spoilt."""

    def __init__(self):
        self.root = Path(tempfile.mkdtemp(dir=scratch.name))
        for folder, to in (("tests/reports/fixture", ""), ("reports/pages/html", "pages/html")):
            shutil.copytree(source / folder, self.root / to, dirs_exist_ok=True, copy_function=shutil.copyfile)
        shutil.copyfile(source / "reports/pages/style.gp", self.root / "pages/style.gp")

    def read(self, file):
        return (self.root / file).read_text()

    def on_one_line(self, file):
        return self.read(file).replace("\n", " ")

    def write(self, file, text):
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text)

    def append(self, file, text):
        self.write(file, self.read(file) + text)

    def exchange(self, file, old, new):
        assert old in self.read(file), old
        self.write(file, self.read(file).replace(old, new))

    def has(self, file, *parts):
        text = self.on_one_line(file)
        for part in parts:
            check(part in text, file, "lacks", part)

    def lacks(self, file, *parts):
        text = self.on_one_line(file)
        for part in parts:
            check(part not in text, file, "has", part)

    def exists(self, *files):
        return all((self.root / file).exists() for file in files)

    def run(self, *options, out="out", results="results", path=None):
        environment = {**os.environ, **({"PATH": path} if path else {})}
        return subprocess.run([perp, "render", "--results", results, "--templates", "pages", "--sections", "studies", "--out", out, *options],
                              cwd=self.root, capture_output=True, text=True, env=environment)

    def render(self, *options, **how):
        done = self.run(*options, **how)
        check(done.returncode == 0, "not rendered", done.stderr)
        return done.stderr

    def refuses(self, message, *options, code=2, **how):
        done = self.run(*options, **how)
        check(done.returncode == code and message in done.stderr and done.stderr.count("\n") == 1, f"expected '{message}', exit code {code}",
              done.returncode, done.stderr)

    def program(self, name, text):
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
        (self.root / "bin" / name).chmod(0o755)
        return str(self.root / "bin")


results, script = "results/orthogonality/results.json", "studies/orthogonality/o1-spread.gp"

# ---- one file with everything inside --------------------------------------------------------------------------------------

place = Place()
place.append("pages/report.md", "\nThe law is $`\\sqrt{\\frac{a}{b}}`$.\n")
place.render("--single")
page, line = place.read("out/report.html"), place.on_one_line("out/report.html")
check(page.startswith('<!DOCTYPE html>\n<html lang="en">'), page)
# Contents: pandoc 3 gives the link a name of its own, and breaks the line before it.
check(re.search('<li><a href="#o1"[^>]*>O1 · random', line), "no contents")
place.has("out/report.html", "<title>A small report</title>", '<h3 id="o1">O1 · random', '<a href="#o1">random vectors',
          '<meta name="description" content="', "globalThis.perpendicular = {",
          'alt="At 512 dimensions the spread &quot;times √d&quot; is 1.009."', '<td data-label="verdict">',
          "<msqrt><mfrac><mi>a</mi><mi>b</mi></mfrac></msqrt>", "prefers-color-scheme: dark")
check(page.count("<h1>") == page.count('src="data:image/svg+xml,') == page.count('src="') == 1, "headings and pictures")
check(page.count('<div class="frame">\n<table') == page.count("<caption><strong>Table ") > 1, "frames of tables")
place.lacks("out/report.html", '.csv"', 'MACHINE.md"')  # what does not travel with the file is not linked
place.has("out/REPORT.md", "The law is $`\\sqrt{\\frac{a}{b}}`$.")

# ---- chapters, rules, the artifact, and pages about one result; where links lead, tests/project/links.py asks ---------------

place = Place()
place.exchange("pages/report.md", "{{study orthogonality}}", "{{chapter orthogonality}}\n\n[O5](#o5)")
place.exchange("studies/orthogonality/chapter.md", "## Ortho", "# Ortho")
place.write("pages/rules.md", "# Rules: all\n\n[Data](conditions.csv), [report](REPORT.md)\n\n{{rules}}\n")
place.write("pages/artifact.md", "# Artifact\n\n{{artifact}}\n")
place.render()
check(place.read("out/chapters/orthogonality.md").startswith(
    "[Report](../REPORT.md) · Orthogonality · [Rules](rules.md) · [All findings](../FINDINGS.md)\n\n# "), "the way to other pages")
place.has("out/chapters/rules.md", "[Data](../conditions.csv), [report](../REPORT.md)")
place.has("out/REPORT.md", "[O5](chapters/orthogonality.md#o5)")
place.has("out/site/index.html", 'href="orthogonality.html#o5"')
place.has("out/ARTIFACT.md", "| [O1](chapters/orthogonality.md#o1) | `perp report --studies orthogonality --only O1 --preset quick "
          "--seed 1` | 0.0 | ")
place.has("out/site/orthogonality.html", 'loading="lazy"')
place.lacks("out/site/orthogonality.html", "data:image/svg")

place = Place()
place.write("pages/results/near.md", "# Near: how near?\n\n{{#when measured O1}}[O1](#o1), {{O1.spread.gaussian.d512|.3f}}{{/when}}\n\n"
            "{{instrument subspaces}}\n")
place.append("pages/report.md", "\n{{#when measured O1}}{{result near}}{{/when}}\n")
place.render("--single")
place.has("out/site/index.html", '<li><a href="near.html">Near: how near?</a></li>', '<li class="result"><a href="near.html">Near</a></li>')
place.has("out/site/near.html", "<title>Near: how near?</title>", '<a href="index.html#o1">O1</a>', 'id="try-subspaces"')
# All instruments that have no place of their own come last on the first page.
for file, part, times in (("near", '<form class="instrument"', 1), ("index", '<form class="instrument"', 5), ("index", 'class="result"', 1)):
    check(place.read(f"out/site/{file}.html").count(part) == times, file, part, f"not {times} times")
for other in ("out/REPORT.md", "out/report.html"):
    place.lacks(other, "how near?")
place.append("pages/report.md", "\n{{result far}}\n")
place.refuses("no result page ")

# ---- what pages of a site link to; a drawing for a phone -------------------------------------------------------------------

place = Place()
place.render()
for file in ("tables/orthogonality/o1_spread.csv", "scripts/orthogonality-o1-spread.gp", "machine.html"):
    place.has("out/site/index.html", f'href="{file}"')
    check(place.exists(f"out/site/{file}"), file)
place.lacks("out/site/index.html", 'href="../')
# A table that is too long is named and not there.
table = place.read("results/orthogonality/o1_spread.csv")
place.append("results/orthogonality/o1_spread.csv", (table.rstrip("\n").rpartition("\n")[2] + "\n") * 300)
(place.root / script).unlink()
place.exchange("studies/orthogonality/o1.md", "{{figure orthogonality-o1-spread}}", "[data](orthogonality/o1_spread.csv)")
place.render()
place.lacks("out/site/index.html", ".csv")
check(not place.exists("out/site/tables/orthogonality/o1_spread.csv"), "a long table in the site")
place.has("out/REPORT.md", "[data](orthogonality/o1_spread.csv)")

place = Place()
place.exchange(script, "#: alt:", "#: phone: 340x420\n#: alt:")
place.render("--single")
name = "figures/orthogonality-o1-spread"
place.has("out/site/index.html", f'<div class="frame"><picture><source media="(max-width: 640px)" srcset="{name}-phone.svg" width="340" '
          f'height="420"><img src="{name}.svg"')
place.has(f"out/site/{name}-phone.svg", 'viewBox="0 0 340 420"')
place.has(f"out/site/{name}.svg", 'viewBox="0 0 760 430"')
check(not place.exists(f"out/{name}-phone.svg"), "a phone's drawing in the repository")
place.lacks("out/report.html", "-phone.svg")

# ---- without pandoc or gnuplot, and with one that writes no page -----------------------------------------------------------

place = Place()
place.render("--single")
older = place.read("out/report.html")
place.program("gnuplot", f'exec {shutil.which("gnuplot")} "$@"')
alone = {"path": str(place.root / "bin")}
(place.root / "out/REPORT.md").unlink()
(place.root / "out/REPORT.md").mkdir()  # in the way: the older page goes only with the new report
place.refuses("REPORT.md", **alone)
check(place.read("out/report.html") == older, "the older page has changed")
(place.root / "out/REPORT.md").rmdir()
note = "pandoc is not installed (sudo apt-get install pandoc)"
said = place.render(**alone)
check(f"site/ left out, the older one removed: {note}" in said and " 6 files in " in said, said)
check(not any(place.exists(page) for page in ("out/report.html", "out/site/index.html")), "an older page")
check(f"site/ left out: {note}" in place.render(**alone), "a note")

place = Place()
for said in ("", r"<!DOCTYPE html>\n<html>\n<body>", "words"):
    folder = place.program("pandoc", f"printf '{said}'")
    place.refuses("site/index.html: pandoc wrote no complete page", code=1, path=f"{folder}:{os.environ['PATH']}")
place.refuses("gnuplot is not installed, and the figures need it: sudo apt-get install gnuplot-nox", path="/nonexistent")
check(not place.exists("out/REPORT.md"), "half a report")

# ---- what is left out, and what a longer run found -------------------------------------------------------------------------

place = Place()
place.write("pages/twice.md", "{{#when O1.share_near.d512 above 0.99}}x{{/when}}")
place.append("pages/report.md", "\n{{include twice}}\n\n{{include twice}}\n")
said = place.render()
check(said.count("left out:") == said.count("twice.md:1, since 'O1.share_near.d512 above 0.99'") == 1, said)

place = Place()
place.append("pages/report.md", "\n{{#when measured O5.of_long}}<{{O5.of_long|.1e}}>{{/when}}\n")
said = place.render()
check(said.count("left out:") == said.count("1 passages on what was not measured here, of O5") == 1, said)
shutil.copytree(place.root / "results/orthogonality", place.root / "results/long/orthogonality")
place.exchange("results/long/orthogonality/results.json", '"value": 3.1e-17', '"value": 4.1e-17')
place.exchange("results/long/orthogonality/results.json", "O5.largest_cosine", "O5.of_long")
check("left out:" not in place.render(), "left out though a longer run has it")
place.has("out/REPORT.md", "<4.1·10⁻¹⁷>")

# ---- what cannot be believed or shown --------------------------------------------------------------------------------------

place = Place()
for file, old, new, message, *code in (
        # Verdicts, outcomes and intervals that do not follow.
        (results, '"value": 3.1e-17', '"value": 0.2', "results.json: claim O5: the file says true, its rule and findings say false"),
        (results, '"bound": 0.95', '"bound": 0.99', "claim O1: the file says true, its rule and findings say depends"),
        (results, '"outcome": "holds", "says": "share', '"outcome": "open", "says": "share',
         "claim O1: the file says that the condition on 'O1.share_near.d512' open, its finding says holds"),
        (results, '"level": 0.9995', '"level": 0.999', "claim O1: the file judges at the level 0.999, its rule says"),
        (results, '"factor": {}, "level": 0.999, "low": 0.9', '"factor": {}, "level": 0.999, "low": 0.8',
         "the interval of the condition on 'O1.spread.gaussian.d512' does not follow from its finding"),
        (results, '"with_limits": false', '"with_limits": true', "the file says true, with limits, its rule and findings say true"),
        (results, '"factor": null', '"factor": "d"', "claim O1: the file says that it depends on 'd'"),
        # Findings and their names.
        (results, "O5.largest_cosine", "O5.largest_cosine.theory", "finding 'O5.largest_cosine.theory' ends in 'theory'"),
        (results, '"findings": ["O5.largest_cosine"]', '"findings": ["O5.other"]',
         "claim O5 names the finding 'O5.other', which is not there"),
        (results, "O1.spread.sphere.d512", "O1.spread.gaussian.d512", "'O1.spread.gaussian.d512' is defined twice"),
        # What is not there, and what pandoc cannot show.
        ("results/orthogonality/o1_spread.csv", "", "", "o1-spread.gp: needs "),
        ("pages/html/page.css", "", "", "no page.css in "),
        (results, "", "", "holds no <study>/results.json; run the studies first"),
        ("pages/report.md", "{{study orthogonality}}", "{{study orthogonality}}\n\n$`\\frac{a}`$\n",
         "site/index.html: pandoc says: [WARNING] Could not convert TeX math", 1),
        ("pages/report.md", "{{study orthogonality}}", '{{study orthogonality}}\n\n<img src="figures/other.svg">\n',
         "site/index.html shows 'figures/other.svg', which was not drawn", 1)):
    original = place.read(file)
    if old:
        place.exchange(file, old, new)
    else:
        (place.root / file).unlink()
    place.refuses(message, code=code[0] if code else 2)
    check(not place.exists("out/REPORT.md"), message, "a report")
    place.write(file, original)
place.refuses("run the studies first", results="nowhere")

# ---- scripts, what an earlier run wrote, the README's block, the machine ---------------------------------------------------

place = Place()
place.render()
beside = place.read("out/REPORT.md")
check("[script](../studies/orthogonality/o1-spread.gp)" in beside, "no script beside the report")
place.render(out="elsewhere/out")
place.lacks("elsewhere/out/REPORT.md", ".gp")
place.render("--at", "out", out="elsewhere/out")
check(place.read("elsewhere/out/REPORT.md") == beside, "links from where the report will lie")

place = Place()
place.write("pages/rules.md", "# Rules\n\n{{rules}}\n")
place.render("--single")
(place.root / "pages/rules.md").unlink()
older = ["out/chapters/rules.md", "out/site/rules.html", "out/report.html"]
somebodys = [f"out/{file}" for file in ("chapters/notes.md", "site/blog.html", "site/scripts/mine.gp", "site/tables/mine.csv", "site/figures/mine.svg",
                                        "figures/x.gp", "figures/bench-curve.svg", "figures/orthogonality-o9-mine.svg")]
for file in somebodys:
    place.write(file, "precious")
place.render("--only-figures")
check(place.exists(*older), "pages that went with figures alone")
place.render()
check(not any(place.exists(file) for file in older), "pages of an earlier run")
check(all(place.read(file) == "precious" for file in somebodys), "somebody's files")
check(place.exists("out/REPORT.md", "out/figures/orthogonality-o1-spread.svg", "out/site/index.html"), "the report")
listed = place.read("out/REPORT.md.sha256")
place.render()
check(place.read("out/REPORT.md.sha256") == listed, "another list")

place = Place()
place.write("README.md", "# A\n<!-- perpendicular:begin -->\n<!-- perpendicular:end -->\nend\n")
place.refuses("README.md': its generated block is not current", "--readme", "README.md", "--check-readme", code=1)
(place.root / "README.md").chmod(0o444)
place.refuses("README.md' may only be read", "--readme", "README.md")
(place.root / "README.md").chmod(0o644)
check(" 18 files in " in place.render("--readme", "README.md"), "18 files")
place.has("README.md", "](out/REPORT.md#o1)", 'src="out/figures/orthogonality-o1-spread.svg"', "<!-- perpendicular:end --> end ")
check(" 0 files in " in place.render("--readme", "README.md", "--check-readme"), "written, though it is only looked at")

place = Place()
record = "results/orthogonality/run.json"
place.render()
place.has("out/MACHINE.md", "| memory | 7.8 GiB |", "| O1 | 32 | 1.10 | 2.10 |")
place.has("out/FINDINGS.md", " ## O5  ", "`O1.spread.sphere.d512`")
place.lacks("out/REPORT.md", "A processor")
place.write(record, '{"cores": 4, "host_cpu": "a|b", "cells": 3}')
(place.root / "results/orthogonality/timings.json").unlink()
place.render()
place.has("out/MACHINE.md", "| processor | a\\|b | | cores | 4 | ")
for text, message in (("{", "run.json: not JSON: parse error at line 1"), ("[]", "run.json: expected an object"),
                      (f'{{"x": {"[" * 100_000}{"]" * 100_000}}}', "run.json: nested deeper than 32 levels")):
    place.write(record, text)
    place.refuses(message)

print("\n".join(failures) or "render: ok")
sys.exit(bool(failures))
