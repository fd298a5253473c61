#!/usr/bin/env python3
"""Mutations: single changes to the sources, each of which some test must notice.

Each mutation of the list is built and tested alone, in a copy of the tree: first the tests that it names, then, where these
notice nothing, those of the studies and of the report. What came out is kept beside the list, a line of JSON each, and the same
command goes on from there; a mutation whose text in the list has changed is tried again.

The list: a line ":: <id> <file> <test> [<test>...]", below it the text that is replaced ("- ", it stands in the file once),
the text in its place ("+ "; several lines are several lines of the file), and, where no test is meant to notice, "~ " with the
reason.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "scripts"))
import command

studies = ["orthogonality", "distance", "capacity", "order", "learning", "anatomy", "inspect"]
then = studies + ["reports", "verify"]
# Programs that a test runs besides its own.
programs = {
    "cli_study": ["orthogonality"], "cli_distance": ["distance", "perp"], "cli_capacity": ["capacity"],
    "cli_learning": ["learning"], "cli_inspect": ["inspect", "perp"], "cli_report": ["orthogonality", "perp"], "cli_render": ["perp"],
    "cli_figures": ["perp"], "cli_scripts": [], "cli_make": [], "cli_kernels": ["kernels_tool", "orthogonality"],
    "cli_example": ["example_study", "perp"], "cli_verify": ["orthogonality", "order", "perp"], "cli_doctor": ["perp"],
    "cli_perp": ["order", "anatomy", "perp"], "cli_models": ["perp"], "cli_rope": ["perp"], "cli_survival": ["orthogonality", "perp"],
    "cli_cases": ["perp"], "cli_edges": ["perp"], "pages": ["perp"], "render": ["perp"], "verify": ["perp"],
}
areas = [("lib", "lib/"), ("studies", "studies/"), ("reports", "reports/"), ("program", "program/"), ("scripts", "scripts/")]


class Mutation:
    def __init__(self, line):
        self.id, self.file, *self.tests = line.split()
        self.before, self.after, self.reason = [], [], ""

    def key(self):
        text = "\0".join([self.file, *self.before, "=>", *self.after])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def area(self):
        if self.file.startswith("reports/pages/") or self.file.endswith((".md", ".gp")):
            return "templates, figures"
        return next((name for name, folder in areas if self.file.startswith(folder)), "other")

    def applied(self, text):
        """The file's text with the change; nothing where the place has gone or is not the only one."""
        before = "\n".join(self.before)
        return text.replace(before, "\n".join(self.after)) if before and text.count(before) == 1 else None


def read_list(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith(":: "):
            found.append(Mutation(line[3:]))
        elif line[:2] in ("- ", "-") and found:
            found[-1].before.append(line[2:])
        elif line[:2] in ("+ ", "+") and found:
            found[-1].after.append(line[2:])
        elif line.startswith("~ ") and found:
            found[-1].reason = line[2:]
        elif line and not line.startswith("#"):
            sys.exit(f"{path}:{number}: neither '::' nor '-', '+', '~', '#': {line}")
    ids = [m.id for m in found]
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        sys.exit(f"{path}: twice: {' '.join(twice)}")
    return found


def sources():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True)
    return [name for name in listed.stdout.decode().split("\0") if name and Path(name).is_file()]


def bring_up_to_date(tree):
    """Copies what differs, so that only that is compiled again; a file that is no longer a source goes."""
    names = set(sources())
    for name in names:
        to = tree / name
        if not to.exists() or to.read_bytes() != Path(name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, to)
    for path in tree.rglob("*"):
        name = path.relative_to(tree)
        if path.is_file() and name.parts[0] != "build" and str(name) not in names:
            path.unlink()


def run(command, log):
    with open(log, "a") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True) as started:
        try:
            return started.wait()
        except BaseException:  # interrupted: what it has started goes with it
            os.killpg(started.pid, signal.SIGKILL)
            raise


def targets(tests):
    names = []
    for test in tests:
        names += programs.get(test, [f"test_{test.removesuffix('_tables')}"])
    return list(dict.fromkeys(names))


def noticed(build, tests, options, log):
    """The test that failed first; '' where none did; None where something does not compile."""
    if wanted := targets(tests):
        if run(["cmake", "--build", str(build), "-j", str(options.jobs), "--target", *wanted], log) != 0:
            return None
    pattern = f"^({'|'.join(tests)})$"
    for limit in (options.limit, 4 * options.limit):  # a test that takes too long may be slow on a busy machine, or never end
        log.write_text("")
        status = run(["ctest", "--test-dir", str(build), "-R", pattern, "--timeout", str(limit), "--stop-on-failure",
                      "--output-on-failure"], log)
        said = log.read_text()
        if "No tests were found" in said:
            sys.exit(f"no such tests: {' '.join(tests)}")
        if status == 0:
            return ""
        failed = re.search(r"\d+ - (\S+) \((\w+)", said)
        if not failed or failed[2] != "Timeout":
            break
    return f"{failed[1]}{' (time)' if failed[2] == 'Timeout' else ''}" if failed else "ctest"


def try_one(mutation, tree, build, options, log):
    path = tree / mutation.file
    text = path.read_text()
    changed = mutation.applied(text)
    if changed is None:
        return "gone", ""
    log.write_text("")
    try:
        path.write_text(changed)
        by = noticed(build, mutation.tests, options, log)
        if by == "" and not options.own:
            by = noticed(build, [t for t in then if t not in mutation.tests], options, log)
    finally:
        path.write_text(text)
    return ("not built", "") if by is None else ("survived", "") if by == "" else ("killed", by)


def read_results(path):
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {(line["id"], line["key"]): line for line in lines}


def print_table(mutations, results, out):
    rows = {}
    for m in mutations:
        outcome = results.get((m.id, m.key()), {}).get("outcome", "not run")
        rows.setdefault(m.area(), []).append((m, outcome))
    def line(name, of):
        count = lambda outcome: sum(o == outcome for _, o in of)
        tried = count("killed") + count("survived")
        share = f"{100 * count('killed') / tried:.0f} %" if tried else "–"
        print(f"| {name} | {len(of)} | {tried} | {count('killed')} | {share} |", file=out)
    print("| area | mutations | tried | killed | share |\n| --- | ---: | ---: | ---: | ---: |", file=out)
    for name in [a for a, _ in areas] + ["templates, figures", "other"]:
        if name in rows:
            line(name, rows[name])
    line("all", [entry for of in rows.values() for entry in of])
    for outcome, says in (("survived", "Survived"), ("not built", "Does not compile: replace it"), ("gone", "Its place has gone: replace it")):
        found = [m for of in rows.values() for m, o in of if o == outcome]
        if found:
            print(f"\n{says}:\n", file=out)
        for m in found:
            print(f"* {m.id} {m.file}: `{' '.join(m.before).strip()}` → `{' '.join(m.after).strip()}`{'. ' + m.reason if m.reason else ''}", file=out)


def main():
    parser = command.Parser(__doc__.splitlines()[0])
    parser.add_argument("--list", type=Path, default=Path("tests/mutations/list.txt"))
    parser.add_argument("--results", type=Path, default=Path("tests/mutations/results.jsonl"), help="what came out, and goes on")
    parser.add_argument("--folder", type=Path, default=Path("build/mutate"), help="the log, and the copy of the tree")
    parser.add_argument("--tree", type=Path, help="a copy of the tree, built in its folder build, to change instead of one of our own")
    parser.add_argument("--only", default="", help="ids, or beginnings of ids; 'survived': those that survived, again")
    parser.add_argument("--limit", type=int, default=120, help="seconds for one test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--own", action="store_true", help="the tests that a mutation names, and not those of the studies")
    parser.add_argument("--table", action="store_true", help="print what is known, and try nothing")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    mutations = read_list(options.list)
    results = read_results(options.results)
    known = lambda m: results.get((m.id, m.key()), {}).get("outcome")
    wanted = options.only.split()
    if wanted == ["survived"]:
        pending = [m for m in mutations if known(m) == "survived" and not m.reason]
    else:
        pending = [m for m in mutations if known(m) is None or known(m) == "gone"]
        if wanted:
            exact = {m.id for m in mutations}
            pending = [m for m in mutations if any(m.id == w or (w not in exact and m.id.startswith(w)) for w in wanted)]
    if not options.table and pending:
        options.folder.mkdir(parents=True, exist_ok=True)
        tree = options.tree or options.folder / "tree"
        build, log = tree.resolve() / "build", options.folder.resolve() / "log"
        if not options.tree:
            bring_up_to_date(tree)
            if not (build / "build.ninja").exists():
                log.write_text("")
                if run(["cmake", "-S", str(tree), "-B", str(build), "-G", "Ninja", "-DPERP_UNITY=OFF"], log) != 0:
                    sys.exit(f"mutate: cmake failed; see {log}")
        if (copied := subprocess.run(["scripts/made-here", build, tree]).returncode):
            return copied
        # Those of one file one after the other: taking a change back is then no compilation of its own.
        files = list(dict.fromkeys(m.file for m in pending))
        for m in sorted(pending, key=lambda m: files.index(m.file)):
            start = time.monotonic()
            outcome, by = try_one(m, tree, build, options, log)
            if outcome == "not built":
                shutil.copy(log, options.folder / f"{m.id}.log")
            entry = {"id": m.id, "key": m.key(), "area": m.area(), "outcome": outcome, "by": by,
                     "seconds": round(time.monotonic() - start), "date": date.today().isoformat()}
            results[(m.id, m.key())] = entry
            with open(options.results, "a") as out:
                print(json.dumps(entry), file=out)
            print(f"{m.id} {m.file}: {outcome}{' by ' + by if by else ''} ({entry['seconds']} s)", flush=True)
    print_table(mutations, results, sys.stdout)
    left = [m for m in mutations if known(m) in ("survived", "not built", "gone") and not m.reason]
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
