#!/usr/bin/env python3
"""What keeps the report something that people read: lengths of pages, sentences, tables and of README's first page, words that the
field has no use for, numbers typed by hand, colours and intervals of figures. Of the published report, of the pages that the
quick preset's golden results make (drawn and framed by programs that do nothing), and of all templates.
usage: pages.py <source folder> <perp>"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

root, perp = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
templates, published, golden = root / "reports/pages", root / "reports/published", root / "tests/golden"
failures = []


def check(holds, *what):
    if not holds:
        failures.append(": ".join(map(str, what)))


# ---- pages as text ------------------------------------------------------------------------------------------------------

def words_in(text):
    """What a reader sees: no tags with their alternative texts, no addresses, no marks alone."""
    seen = re.sub(r"<[^>]*>|\]\([^)]*\)", "", text).replace("|", " ")
    return [word for word in re.findall(r"[^ \t\n]+", seen) if re.search("[A-Za-z0-9\u00c0-\u03ff]", word)]


def rows_of_tables(text):
    runs = groupby(text.split("\n"), lambda line: line.startswith("|"))
    return [len(list(lines)) - 2 for is_table, lines in runs if is_table]


def prose_of(text):
    """Without code, addresses, tags with their alternative texts and formulas."""
    return re.sub(r"<[^>]*>|\]\([^)]*\)|\$`.*?`\$|`[^`]*`|\\", "", text, flags=re.DOTALL)


def paragraphs_in(page):
    """Running text, the items of a list one by one: no heading, no table with its title and notes, no picture with its caption."""
    behind_table = False
    for text in re.split(r"\n\s*\n|\n(?=\* )", page):
        note = behind_table and re.match(r"\*(?!\*)", text)
        behind_table = text.startswith("|")
        if text.strip() and not note and not re.match(r"[#|<]|\*\*(Figure|Table) ", text):
            yield text


def numbers_in(paragraph):
    """Words of digits without letters ("12%", "[0.9,", not "GPT-2"), but for those that count figures, tables, sections, references."""
    words = prose_of(re.sub(r"\\\[\[.*?\\\]", "", paragraph, flags=re.DOTALL)).split()
    return [word for before, word in zip([""] + words, words)
            if re.search("[0-9]", word) and not re.search("[A-Za-z]", word) and not before.endswith(("Figure", "Table", "ection"))]


def words_a_sentence(page):
    """A sentence ends where a mark is followed by a capital, a digit or what opens a formula or a quotation."""
    for paragraph in paragraphs_in(page):
        sentences = [""]
        for word in prose_of(paragraph).split():
            before = sentences[-1].rstrip(" *)").removesuffix("”")
            if before.endswith((".", "?", "!")) and re.match("[A-Z0-9]|[^\0-\x7f]", word.lstrip("*[(") or word[-1]):
                sentences.append("")
            sentences[-1] += word + " "
        yield from (len(words_in(sentence)) for sentence in sentences if words_in(sentence))


def display_names():
    """Column, identifier and name of all that pages show by another name."""
    with open(root / "lib/perp/study/display_names.csv", newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def codes_in(page):
    """Identifiers that have a name: as words of prose where no language has them, else as cells; a second form of percent."""
    text = prose_of(page)
    for column, identifier, _ in display_names():
        if len(identifier) > 2 and column not in ("model", "says") and re.search("[_0-9]", identifier):
            yield from re.findall(rf"(?<![A-Za-z0-9_]){re.escape(identifier)}(?![A-Za-z0-9_])", text)
        elif column in ("model", "") and (f"| {identifier} |" in page or column == "model" and f" {identifier}: " in page):
            yield identifier
    yield from re.findall("[0-9] %", text)


assert len(list(codes_in("| bite | 1 |\n| copy2, then `copy2` | [a](as_is.md) <b bite>|\n5 % of it"))) == 3


def pages_of(folder):
    """Those in Markdown whose text is the templates'."""
    names = ["REPORT.md", "FINDINGS.md", "ARTIFACT.md"] + sorted(f"chapters/{path.name}" for path in (folder / "chapters").glob("*.md"))
    return {name: (folder / name).read_text() for name in names}


def check_lengths(folder, where):
    of_chapters = 0
    for name, text in pages_of(folder).items():
        at, body = f"{where}/{name}", text.split("\n## References")[0]
        if name == "REPORT.md":
            check(len(text.encode()) <= 45_000, at, "longer than 45,000 bytes")
            check(1900 < len(words_in(body)) <= 4000, at, f"{len(words_in(body))} words, expected 1,900 to 4,000")
            check(len(words_in(text.split("\n## 2 ")[0])) <= 900, at, "over 900 words before its section 2")
            check(text.count("\n**Figure ") <= 10 and 1 <= len(rows_of_tables(text)) <= 4, at, "over 10 figures or 4 tables")
            check(sum(len(numbers_in(p)) for p in paragraphs_in(body)) > 10, at, "hardly a number")
        elif name == "chapters/rules.md":
            check(len(words_in(text)) <= 12_000, at, "over 12,000 words")
        elif name.startswith("chapters/"):
            of_chapters += len(words_in(text))
        if name == "REPORT.md" or name.startswith("chapters/") and name != "chapters/rules.md":
            most, longest = (4, 12) if name == "REPORT.md" else (9, 20)
            for paragraph in paragraphs_in(body):
                check(len(numbers_in(paragraph)) <= most, at, f"over {most} numbers", paragraph)
            check(max(rows_of_tables(body if name == "REPORT.md" else text), default=0) <= longest, at, f"a table of over {longest} rows")
        # GitHub shows no more of a page.
        check(len(text.encode()) < 512_000, at, "half a megabyte")
        if name == "REPORT.md" or name.startswith("chapters/"):
            # Of the rules what stands above the claims, which are quoted.
            lengths = sorted(words_a_sentence(text.split("\n## ")[0] if name == "chapters/rules.md" else body))
            check(4 < lengths[len(lengths) // 2] <= 16, at, f"half of its sentences have over {lengths[len(lengths) // 2]} words")
            check(lengths[-1] <= 40, at, f"a sentence of {lengths[-1]} words")
    check(0 < of_chapters <= 30_000, where, "chapters of over 30,000 words")


def answer_of(readme):
    return readme.split("<!-- perpendicular:begin -->")[1].split("<!-- perpendicular:end -->")[0]


def check_answer(readme, where):
    for paragraph in paragraphs_in(answer_of(readme)):
        if re.match(r"(?!\*)|\*\*", paragraph):
            check(len(numbers_in(paragraph)) <= 4, where, "over 4 numbers", paragraph)


def render_golden(into):
    """The golden results' pages and README; the tables there are thinned, and not those that the results were written with."""
    for name, says in (("gnuplot", "<svg><title></title></svg>"), ("pandoc", "<!DOCTYPE html></html>")):
        (into / "bin").mkdir(exist_ok=True)
        (into / "bin" / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (into / "bin" / name).chmod(0o755)
    for study in re.findall(r"\{\{chapter (\w+)\}\}", (templates / "report.md").read_text()):
        (into / "results" / study).mkdir(parents=True)
        for path in (golden / study).iterdir():
            text = path.read_text()
            if path.name == "results.json":
                text = re.sub(r'("file": "[^"]*", )"sha256": "\w+", ', r"\1", text)
            (into / "results" / study / path.name).write_text(text)
    (into / "README.md").write_text("<!-- perpendicular:begin -->\n<!-- perpendicular:end -->\n")
    subprocess.run([perp, "render", "--results", "results", "--out", "out", "--readme", "README.md", "--templates", templates, "--sections",
                    root / "studies"], cwd=into, check=True, env={**os.environ, "PATH": f"{into / 'bin'}:{os.environ['PATH']}"},
                   capture_output=True)


# ---- templates ----------------------------------------------------------------------------------------------------------

# Our own words for what the field has words for, and forms that read like a translation. Exempt are the field's own: "half-split"
# tables, "one core" and "core types" of processors, a "linear reader", which the report defines, and the command `perp reader`.
exempt = re.compile(r"\]\([^)]*\)|half-split|one core\b|core types?\b|(?:linear|perp) readers?|`[^`\n]*`", re.IGNORECASE)
private = re.compile(
    r"\b(?:splits?|full sums?|narrow sums?|lineages?|core|codebooks?|rounding bounds?|about the origin|of them|said of|what is no|"
    r"the rest stands in|readers?|carr(?:y|ies|ied|ying)|sent|told apart|loads?|standing|dear|flat sums?|others do|neither does|"
    r"which could be chance|of two tables|what to type|word for|may)\b|, too\b", re.IGNORECASE)


def shown_by(text):
    """A template without code, and of its tags what stands in quotation marks, such as heads of tables."""
    plain = re.sub(r"```[^`]*```|`[^`\n]*`", "", text)
    return re.sub(r"\{\{[^}]*\}\}", lambda tag: " " + " ".join(re.findall('"([^"]*)"', tag[0])) + " ", plain)


def private_words(text):
    return private.findall(exempt.sub("", text))


assert len(private_words(shown_by('A split, half-split `core` {{table split.csv as "of them"}}'))) == 2


def typed_numbers(text):
    """Lines with a decimal number that no placeholder, link, code or address holds: a measured number typed by hand."""
    allowed = r"\{\{[^}]*\}\}|```[^`]*```|`[^`]*`|\]\([^)]*\)|https?://[^\s)]*|arXiv[: ]*[0-9.]+|doi[: ]*[0-9./a-z-]+"
    blanked = re.sub(allowed, lambda found: re.sub("[^\n]", " ", found[0]), text, flags=re.IGNORECASE)
    return [line for line, left in zip(text.split("\n"), blanked.split("\n")) if re.search(r"[0-9]\.[0-9]", left)]


assert len(typed_numbers("a 20,000, `0.5` {{O1.x.d0p5|.3f}} [a](http://x/1.2)\nb 1.5 words")) == 1


def check_templates():
    for path in sorted(path for folder in (templates, root / "studies") for path in folder.rglob("*") if path.suffix in (".md", ".gp")):
        lines = path.read_text().split("\n")
        if path.suffix == ".gp":  # its header, without colours
            lines = [line if line.startswith("#:") and not line.startswith("#: dark:") else "" for line in lines]
        for line in typed_numbers("\n".join(lines)):
            check(False, path, "a number typed by hand", line)
        for word in private_words(shown_by("\n".join(line for line in lines if not line.startswith("#: number:")))):
            check(False, path, "says", word)
    for _, _, shown in display_names():
        check(not private_words(shown), "a display name says", shown)
    readme = (root / "README.md").read_text()
    others = {"README.md": readme.replace(answer_of(readme), "")}  # its answer is a template's
    for name in ("CONTRIBUTING.md", "docs/manual.md", "docs/TRUST.md", "docs/adding-a-claim.md", "docs/internals.md"):
        others[name] = (root / name).read_text()
    for name, text in others.items():  # which may permit, and speak of who reads them and of what loads
        for word in private_words(shown_by(text)):
            check(re.match("may|reader|load", word), name, "says", word)
    check(readme.count("\n") <= 110, "README.md", "over 110 lines")
    first = readme.split("\n## What you can do here")[0]
    check(first.count("\n") <= 40 and len(words_in(first)) <= 400, "README.md", "a first page of over 40 lines or 400 words")


# ---- figures ------------------------------------------------------------------------------------------------------------

def luminance(colour):
    """Relative, of sRGB (WCAG 2.2)."""
    values = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(weight * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for weight, c in zip((0.2126, 0.7152, 0.0722), values))


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


assert abs(contrast("#000000", "#ffffff") - 21) < 1e-9


def check_colours():
    """Every colour of texts stands out from the ground, as it is drawn and in a dark theme."""
    style = (templates / "style.gp").read_text()
    dark = dict(re.findall(r"^#: dark: (\S+) (\S+)$", style, re.MULTILINE))
    colours = re.search(r"^texts = '(.*)'$", style, re.MULTILINE)[1].split()
    colours += ["#" + value for value in re.findall(r"^(?:ink|quiet) = 0x(\w{6})$", style, re.MULTILINE)]
    check(len(colours) == 10, "style.gp", "expected eight colours of texts, ink and quiet")
    for colour in colours:
        check(contrast(colour, "#ffffff") >= 4.5, colour, "pale on white")
        check(contrast(dark[colour], dark["#ffffff"]) >= 4.5, dark[colour], "dark on dark")


def columns_of(text):
    """What stands behind "using", apart at the colons that no bracket holds."""
    columns, depth = [""], 0
    for c in text:
        if depth == 0 and c.isspace():
            break
        depth += {"(": 1, ")": -1}.get(c, 0)
        columns += [""] if depth == 0 and c == ":" else []
        columns[-1] += "" if depth == 0 and c == ":" else c
    return columns


def ends_match(value, low, high):
    """Whether a bar ends where its value's interval does: the value's column, the same with _low, with _high. A low end may be
    lifted onto a logarithmic axis."""
    low = low[9:-1] if low.startswith("(floor_of(") else low
    mirrored = high.replace("high", "low").replace("largest_draw", "smallest_draw").replace("q95", "q05")
    if mirrored != low or low == high or value in (low, high):
        return False
    stem = low.replace(" . '_low'", "").replace("_low", "")
    stem = stem[1:-1] if stem.startswith("(") and stem.endswith(")") else stem
    return "_low" not in low or not value or stem in value


def check_intervals():
    bars = bands = 0
    for path in sorted(path for path in (*templates.glob("*.gp"), *(root / "studies").rglob("*.gp")) if path.name != "style.gp"):
        for element in re.split(" using ", path.read_text().replace("\\\n", " "))[1:]:
            element = element.split("\n")[0]
            c, ends = columns_of(element), []
            if " with filledcurves" in element and len(c) == 3 and "low" in c[1] + c[2]:
                ends, bands = [("", 1)], bands + 1
            elif " with xyerrorbars" in element:
                ends, bars = [(c[0], 2), (c[1], 4)], bars + 1
            elif re.search(" with [xy]errorbars", element) and len(c) > 3:
                ends, bars = [(c[0 if " with xerrorbars" in element else 1], 2)], bars + 1
            for value, low in ends:
                check(ends_match(value, c[low], c[low + 1]), path, f"{value} from {c[low]} to {c[low + 1]}")
    check(bars >= 20 and bands >= 8, f"{bars} bars and {bands} bands", "expected more")


# ---- rules --------------------------------------------------------------------------------------------------------------

def check_rules():
    """Every finding that a rule asks for was measured at some time, quick, full or long, of some model. What A12 asks of the preset
    long waits for the first such run since it is there."""
    def of_any_model(name):
        return name.rpartition(".")[0] if name.startswith(("M", "A11.")) else name

    measured, asked = set(), set()
    for path in (path for folder in (golden, published, published / "long") for path in folder.glob("*/results.json")):
        results = json.loads(path.read_text())
        measured |= {of_any_model(finding["id"]) for finding in results["findings"]}
        words = {word for claim in results["claims"] for line in claim["rule"] for word in (line["finding"], line["bound"])}
        asked |= {of_any_model(word) for word in words if isinstance(word, str) and word != "theory"}
    check(len(asked) > 100, "rules", "hardly a finding is asked for")
    for name in sorted(asked - measured):
        waits = name.startswith("A12.") and not name.endswith(("both.d32", "classifier.words.d32"))
        check(waits, name, "asked for by a rule, and no run has measured it")


with tempfile.TemporaryDirectory() as folder:
    render_golden(Path(folder))
    check_lengths(published, "reports/published")
    check_lengths(Path(folder) / "out", "of tests/golden")
    check_answer((root / "README.md").read_text(), "README.md")
    check_answer((Path(folder) / "README.md").read_text(), "README.md of tests/golden")
    # Of the golden results alone: what is published is as old as its run.
    for page, text in pages_of(Path(folder) / "out").items():
        check(not list(codes_in(text)), page, "shows", *codes_in(text))
check_templates()
check_colours()
check_intervals()
check_rules()
print("\n".join(failures) or "pages: ok")
sys.exit(bool(failures))
