#!/usr/bin/env python3
"""Two folders of results: what may differ between them and what may not, line by line; and the text about it.
usage: verify.py <perp>"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

perp = Path(sys.argv[1]).resolve()
work = tempfile.TemporaryDirectory()
outcomes = ["equal", "within", "listed", "skipped", "failed"]
titles = {"Listed, not judged": "listed", "Skipped": "skipped", "Moved beyond tolerance": "failed"}
failures = []


def check(holds, *what):
    if not holds:
        failures.append(": ".join(map(str, what)))


def finding(name, value, kind="exact", unit="1", n=1, low=None, high=None, level=None, theory=None, spread=None):
    return {"id": f"O1.{name}", "at": {}, "value": value, "low": low, "high": high, "level": level, "theory": theory, "unit": unit,
            "n": n, "kind": kind, "meaning": "m", "spread": spread}


def condition(of, bound):
    return {"finding": of, "is": "above", "bound": bound, "margin": None, "role": "core", "evidence": "theorem", "factor": {},
            "level": None, "low": None, "high": None, "outcome": "holds", "says": "", "needs": ""}


def column(name, kind="exact", low=None, high=None):
    return {"name": name, "unit": "1", "kind": kind, "low": low, "high": high, "meaning": "m"}


def known(error):
    return {"error": error, "freedom": None, "replicates": 0}


class Run:
    """One study's results, its one table and what it ran on."""

    def __init__(self):
        self.share = finding("share", 0.5, "sampled", low=0.49, high=0.51, level=0.99, theory=0.5, spread=known(0.01 / 2.5758293035489))
        self.rank = finding("rank", 109, "count")
        self.claim = {"id": "O1", "statement": "s", "source": "[a]", "of": "O1", "evidence": [], "verdict": "true", "with_limits": False,
                      "factor": None, "level": 0.999, "condition": "", "matters": "",
                      "rule": [condition("O1.rank", 1.0), condition("O1.share", 0.45)], "findings": ["O1.share", "O1.rank"]}
        self.columns = [column("d"), column("value", "rounded"), column("at", "rounded")]
        self.rows = [[64, 0.25, 3], [128, 0.125, 9]]
        self.results = {"schema": 3, "study": "toy", "preset": "quick", "seed": 1, "parameters": {},
                        "inputs": [{"name": "text.gz", "sha256": "a" * 64}], "findings": [self.share, self.rank], "claims": [self.claim],
                        "tables": [{"file": "t.csv", "columns": self.columns}]}
        self.program = "aa"

    def write(self, root):
        folder = root / "toy"
        folder.mkdir(parents=True)
        table = [[column["name"] for column in self.columns]] + self.rows
        (folder / "t.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in table))
        (folder / "results.json").write_text(json.dumps(self.results))
        blas = {"name": "b", "version": "1", "kernel": "k", "path": "p", "lapack_path": "p"}
        (folder / "run.json").write_text(json.dumps({"program_sha256": self.program, "host_cpu": "c", "cpu_model": "m", "blas": blas}))


def verify(published, fresh, pages=None):
    """Exit code, what was printed, the lines of each outcome (place and reason), the counts of each sort."""
    arguments = ["--published", published, "--fresh", fresh] + (["--pages", pages] if pages else [])
    done = subprocess.run([perp, "verify", *arguments], capture_output=True, text=True)
    moved, tallies, at = {outcome: [] for outcome in outcomes}, {}, ""
    for line in done.stdout.split("\n"):
        if line.endswith(" (published, here)"):
            at = titles[line.removesuffix(" (published, here)")]
        elif not line:
            at = ""
        elif at:
            moved[at].append((line.split("  ")[1], line.split("  ")[-1]))
        elif line.startswith(("claims", "files", "findings", "pages", "table values")):
            tallies[line[:14].strip()] = dict(zip(outcomes, map(int, line[14:].split()[1:])))
    check(done.returncode == (2 if done.stderr else 1 if moved["failed"] else 0), "exit code", done.returncode, done.stderr)
    return done.stdout, moved, tallies


def runs_of(published, fresh, other):
    """Both runs after their changes, in a new folder; `other`: what they have not in common besides."""
    folder = Path(tempfile.mkdtemp(dir=work.name))
    for name, change in (("published", published), ("fresh", fresh)):
        run = Run()
        if name == "fresh":
            run.program = "bb" if other == "program" else "aa"
            run.results["seed"] = 2 if other == "seed" else 1
        change(run)
        run.write(folder / name)
    return folder / "published", folder / "fresh"


def same(run):
    pass


def compare(expected, change, where=None, other="program", published=same):
    """The worst of all outcomes; `where`: the one line that has it."""
    _, moved, tallies = verify(*runs_of(published, change, other))
    worst = max((outcomes.index(outcome) for tally in tallies.values() for outcome in outcomes if tally[outcome]), default=0)
    lines = [place for place, _ in moved[expected] if not place.endswith("/results.json")]
    check(outcomes[worst] == expected and (where is None or lines == [where]), f"expected {expected} {where}", outcomes[worst], lines)


def with_share(**values):
    return lambda run: run.share.update(values)


def with_row(*values):
    return lambda run: run.rows.__setitem__(1, list(values))


def all_of(*changes):
    return lambda run: [change(run) for change in changes]


# ---- the same run -------------------------------------------------------------------------------------------------------

said, _, tallies = verify(*runs_of(same, same, None))
check("byte for byte" in said, said)
check({sort: tally["equal"] for sort, tally in tallies.items()} == {"files": 2, "claims": 1, "findings": 2, "table values": 6}, tallies)

# ---- how far a number may move: kind, value, by how much, how much is too far ---------------------------------------------

limits = [("exact", 0.3, 2e-13, 2e-12), ("count", 109, 1, 2), ("count", 20000, -19, -21), ("rounded", 7.5, 7e-5, 8e-5),
          ("rounded", 3e-15, 9e-9, 2e-8), ("rounded", 0.2, 0.7, 1.1, "× rounding error"), ("rounded", 0.04, 9e-6, 2e-5, "cosine")]
same_draws = [("sampled", 0.5, 0.0009, 0.0012), ("sampled", 0.004, 0.0015, 0.0025, "share")]
for other in ("program", "seed"):
    asked = limits + (same_draws if other == "program" else [])

    def put(run, moves):
        for i, (kind, value, *by, unit) in enumerate((*limit, "1") if len(limit) == 4 else limit for limit in asked):
            for k, sort in enumerate(("in", "beyond")):
                run.results["findings"].append(finding(f"{sort}{i}", value + moves * by[k], kind, unit))
        run.results["findings"] += [finding("whole", 662 + moves), finding("place", 3 - 2 * moves, "rounded"),
                                    finding("drawn", 0.5 + 0.4 * moves, "sampled")]
    _, moved, tallies = verify(*runs_of(lambda run: put(run, 0), lambda run: put(run, 1), other))
    failed, listed = [[place for place, _ in moved[outcome]] for outcome in ("failed", "listed")]
    drawn = ["O1.drawn"]  # without an interval another seed says nothing of it
    check(failed == [f"O1.beyond{i}" for i in range(len(asked))] + ["O1.whole"] + drawn * (other == "program"), other, failed)
    check(listed == ["O1.place"] + drawn * (other == "seed"), other, listed)
    check(tallies["findings"]["within"] == len(asked), other, tallies)
compare("failed", with_share(value=0.5 + 2**-53), "O1.share", other=None)
# ± .01 at 99 %: both have a standard error of .0039, together .0055.
for other, value, expected in (("program", 0.5009, "within"), ("program", 0.5012, "failed"), ("seed", 0.5325, "within"),
                               ("seed", 0.5335, "failed")):
    compare(expected, with_share(value=value), "O1.share" if expected == "failed" else None, other)


def grows(run):
    run.results["parameters"] = {"rounding": "grows"}


compare("within", all_of(grows, with_share(value=0.53)), published=grows)
compare("failed", all_of(grows, with_share(value=0.53)), "O1.share", other=None, published=grows)


def silent(run):
    """It does not say on what it ran."""
    run.program = ""


compare("within", all_of(silent, lambda run: run.rank.update(value=110)), other=None, published=silent)


# ---- one decision moves a share and its interval --------------------------------------------------------------------------

def share_of(counts):
    """Found in so many of 400, eight groups of 50. Groups that differ widen Student's interval, those that agree leave Wilson's."""
    def change(run):
        n, z, t, p = 400, 2.5758293035489, 3.4994832974, sum(counts) / 400
        error = math.sqrt(sum((count / 50 - p) ** 2 for count in counts) / 7 / 8)
        middle, half = (p + z * z / 2 / n) / (1 + z * z / n), z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
        low, high = max(0, min(middle - half, p - t * error)), max(middle + half, p + t * error)
        run.share.update(value=p, low=low, high=high, unit="share", n=n,
                         spread={"error": error, "freedom": 7.0, "successes": sum(counts), "trials": n, "replicates": 8})
        run.columns[:] = [column("share", "sampled", "low", "high"), column("low", "sampled"), column("high", "sampled"), column("trials")]
        run.rows[:] = [[p, low, high, n]]
    return change


for counts in ([0, 1, 2, 9, 3, 2, 4, 3], [3] * 8):
    one, three = [[count + more * (i == 3) for i, count in enumerate(counts)] for more in (1, 3)]
    compare("within", share_of(one), published=share_of(counts))
    _, moved, _ = verify(*runs_of(share_of(counts), share_of(three), "program"))
    check(len(moved["failed"]) >= 2, "the finding and the table", moved)

# An end of an interval over few draws moves with them.
for n, by, expected in ((2, 0.00299, "within"), (2, 0.00399, "failed"), (200, 0.00299, "failed")):
    few = dict(value=0.0028, low=0.00279, high=0.00281, level=0.999, n=n, spread=known(1.0))
    compare(expected, with_share(**(few | {"low": 0.00279 - by})), published=with_share(**few))


# ---- what comes or goes ---------------------------------------------------------------------------------------------------

def without_rank(run):
    run.results["findings"].pop()


def without_column(run):
    run.columns.pop()
    for row in run.rows:
        row.pop()


def without_input(run):
    without_rank(run)
    run.rows.pop()
    run.results["inputs"].clear()


def another_input(run):
    run.results["inputs"][0]["sha256"] = "b" * 64


for where, without in (("toy/O1.rank", without_rank), ("toy/t.csv", lambda run: run.results["tables"].clear()),
                       ("toy/O1", lambda run: run.results["claims"].clear()), ("toy/t.csv", without_column),
                       ("toy/t.csv", lambda run: run.rows.pop())):
    compare("failed", without, where)
    compare("failed", same, where, published=without)
compare("failed", with_row(128, 0.126, 9), "toy/t.csv value row 2")
compare("skipped", without_input, other=None)
compare("failed", all_of(without_input, with_share(value=0.6)), "O1.share", other=None)
compare("skipped", all_of(another_input, with_share(value=0.6)), "O1.share", other=None)
compare("failed", all_of(another_input, lambda run: run.rank.update(value=190)), "O1.rank", other=None)

# ---- what is said of a number, a column, a claim or a condition -----------------------------------------------------------

for values in ({"level": 0.999}, {"unit": "bits"}, {"n": 2}, {"kind": "rounded"}, {"meaning": "another"}):
    compare("failed", with_share(**values), "O1.share")
for part, value in (("theory", None), ("low", 0.48), ("high", 0.52)):
    compare("failed", with_share(**{part: value}), f"O1.share.{part}")
for values in ({"unit": "bits"}, {"meaning": "n"}, {"kind": "count"}, {"high": "at"}):
    compare("failed", lambda run: run.columns[1].update(values), "toy/t.csv value")
for values in ({"statement": "t"}, {"source": "[b]"}, {"of": "O2"}):
    compare("failed", lambda run: run.claim.update(values), "O1")
for values in ({"bound": 2.0}, {"is": "below"}, {"finding": "O1.share"}, {"bound": "theory"}, {"role": "limit"},
               {"evidence": "trained here"}, {"factor": {"a": "b"}}, {"says": "rank"}, {"needs": "a model"}):
    compare("failed", lambda run: run.claim["rule"][0].update(values), "O1.rule")
compare("equal", lambda run: run.claim["rule"][1].update(bound=0.1 + 0.2), published=lambda run: run.claim["rule"][1].update(bound=0.3))
for outcome, expected in (("open", "listed"), ("unmeasured", "equal"), ("fails", "failed")):
    compare(expected, lambda run: run.claim["rule"][1].update(outcome=outcome), other="seed")

# ---- pages are those that the published numbers give -----------------------------------------------------------------------

published, fresh = runs_of(same, same, "seed")
pages = published.parent / "pages"


def page(name, before, now):
    for root, text in ((published, before), (pages, now)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).unlink(missing_ok=True)
        if text:
            (root / name).write_text(text)


for name in ("BENCHMARKS.md", "figures/bench-cpu.svg", "bench/a.csv", "long/REPORT.md", "long-one/a.csv", "rope/a.json"):
    page(name, "of another command\n", "")
for name in ("REPORT.md", "figures/a.svg", "figures/b.svg", "site/index.html"):
    page(name, "a\n", "a\n")
_, moved, tallies = verify(published, fresh, pages)
check(tallies["pages"]["equal"] == 4 and not any(moved.values()), tallies)
check("pages" not in verify(published, fresh)[2], "pages that nobody asked for")
for name in ("REPORT.md", "figures/b.svg"):
    for before, now, why in (("a\n", "b\n", "other bytes"), ("", "b\n", "not published"), ("b\n", "", "not written again")):
        page(name, before, now)
        check(verify(published, fresh, pages)[1]["failed"] == [(name, why)], name, why)
    page(name, "a\n", "a\n")
for name in ("figures/a.svg", "figures/b.svg"):
    page(name, "a\n", "b\n")
page("site/index.html", "a\n", "")
_, moved, tallies = verify(published, fresh, pages)
check(tallies["pages"]["skipped"] == 3 and not moved["failed"], "another gnuplot, no pandoc", tallies)

# ---- the text -------------------------------------------------------------------------------------------------------------

said, _, _ = verify(*runs_of(same, lambda run: run.rank.update(value=190), "program"))
check(said == """toy: by kinds: the same seed, another program

Moved beyond tolerance (published, here)
  O1.rank  109  190  count: 81 apart, 1 allowed

                compared     equal    within    listed   skipped    failed
claims                 1         1         0         0         0         0
findings               2         1         0         0         0         1
table values           6         6         0         0         0         0

not verified
""", said)

print("\n".join(failures) or "verify: ok")
sys.exit(bool(failures))
