#!/usr/bin/python3
"""Are .github/workflows what a fork can run? YAML (as pandoc reads it, which the report needs anyway), every step with one action of
a fixed major version or one command, commands that are there (.ci/run, verbs of the Makefile), nothing of a pull request put into a
command, both Debian releases with both compilers, and the published site on Pages.
usage: workflows.py <source folder>      workflows.py <source folder> --self-test"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

source = Path(sys.argv[1])
verbs = {verb for line in (source / "Makefile").read_text(encoding="utf-8").splitlines() if (rule := re.match(r"([a-z -]+):(?!=)", line))
         for verb in rule[1].split()}


def plain(node):
    """What pandoc made of a value, as text, lists and dictionaries."""
    if isinstance(node, list):
        return "".join(map(plain, node))
    kind, content = node["t"], node.get("c")
    if kind == "MetaMap":
        return {key: plain(value) for key, value in content.items()}
    if kind == "MetaList":
        return [plain(value) for value in content]
    if kind == "MetaBool":
        return content
    if kind in ("Space", "SoftBreak", "LineBreak"):
        return " "
    return content if isinstance(content, str) else plain(content[-1] if kind in ("Code", "RawInline", "Link") else content)


def parsed(text):
    """The YAML's values, or what is wrong with it. Blanks at the ends of lines, tabs and keys given twice are wrong, too."""
    if re.search(r"\t| $", text, re.MULTILINE):
        raise ValueError("a tab, or a blank at the end of a line")
    # Markdown would take quotes, stars and angle brackets for its own.
    safe = re.sub(r"(?m)^(\s*(?:- )?[\w-]+: )([^\[#|>\n].*)$", lambda m: m[1] + json.dumps(re.sub(r"([*_`<>$~^])", r"\\\1", m[2])), text)
    for given in (text, safe):
        said = subprocess.run(["pandoc", "--from=commonmark", "--metadata-file=/dev/stdin", "--to=json", "/dev/null"], input=given,
                              capture_output=True, encoding="utf-8", check=False)
        if said.returncode:
            raise ValueError(said.stderr.strip().splitlines()[-1])
    keys = [[]]
    for line in text.splitlines():
        if match := re.match(r"( *)(- )?([\w-]+):", line):
            depth = len(match[1]) + len(match[2] or "")
            keys = [k for k in keys if not k or k[0] <= depth and not (match[2] and k[0] == depth)]
            level = next((k for k in keys if k and k[0] == depth), None)
            if level is None:
                keys.append([depth, match[3]])
            elif match[3] in level:
                raise ValueError(f"'{match[3]}' is given twice")
            else:
                level.append(match[3])
    return {key: plain(value) for key, value in json.loads(said.stdout)["meta"].items()}


def command_fails(command):
    """What is wrong with the command of a step."""
    if "${{" in command:
        yield f"'{command}': a value is put into a command; expected it in env"
    for part in command.split(" && "):
        words = part.split()
        if words[0] == "make":
            for verb in words[1:]:
                if "=" in verb:
                    break
                if verb not in verbs:
                    yield f"the Makefile has no verb {verb}"
        elif words[0] != "apt-get" and not os.access(source / words[0], os.X_OK):
            yield f"no program {words[0]}"


def step_fails(step):
    if ("uses" in step) == ("run" in step):
        yield f"a step with {sorted(step)}; expected uses or run"
    elif "uses" in step and not re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]):
        yield f"{step['uses']}: expected an action of GitHub's own with its major version"
    elif "run" in step:
        yield from command_fails(step["run"])


def failures(name, text):
    try:
        flow = parsed(text)
    except ValueError as error:
        return [str(error)]
    found = []
    if not {"name", "on", "permissions", "jobs"} <= set(flow):
        return [f"has {sorted(flow)}; expected name, on, permissions and jobs"]
    occasions = {"schedule", "workflow_dispatch"} if name == "nightly.yml" else {"push"}
    if not occasions <= set(flow["on"]) or flow["permissions"].get("contents") != "read":
        found.append(f"expected: on {' and '.join(sorted(occasions))}, contents to read")
    for job in flow["jobs"].values():
        image = job.get("container", "")
        image = image if isinstance(image, str) else image.get("image", "")
        if not {"runs-on", "timeout-minutes", "steps"} <= set(job) or not image.startswith("debian:"):
            found.append(f"a job with {sorted(job)}; expected runs-on, a container of debian, timeout-minutes and steps")
            continue
        for step in job["steps"]:
            found += step_fails(step)
    steps = [step for job in flow["jobs"].values() for step in job.get("steps", [])]
    commands = [step.get("run", "") for step in steps]
    if name == "ci.yml":
        matrix = flow["jobs"]["check"]["strategy"]["matrix"]
        if (matrix["debian"], matrix["compiler"]) != (["bookworm", "trixie"], ["g++", "clang++"]):
            found.append(f"checks {matrix}")
        asked = sorted(step["if"] for step in steps if "if" in step)
        if asked != [f"matrix.compiler == '{compiler}'" for compiler in ("clang++", "g++")]:
            found.append(f"{asked}: expected a command for each compiler")
        if ".ci/run" not in commands:
            found.append("does not call .ci/run")
    if name == "nightly.yml":
        run = (source / ".ci/run").read_text(encoding="utf-8")
        for command in ("make sanitize", "make sanitize-threads", "make test-survival", "make test-scale", "tests/cli/wheel.sh dist/*.whl", "tests/cli/arm64.sh build 4"):
            if command not in commands or re.search(rf"^{re.escape(command)}\b", run, re.MULTILINE):
                found.append(f"expected '{command}' here, and not in .ci/run")
        times = flow["on"].get("schedule", [])
        if not all(re.fullmatch(r"'\d+ \d+ \* \* \*'", time["cron"]) for time in times):
            found.append(f"runs at {times}; expected once a day")
    if name == "pages.yml":
        uploads = [step["with"]["path"] for step in steps if "upload-pages" in step.get("uses", "")]
        if uploads != ["reports/published/site"] or not (source / uploads[0]).is_dir():
            found.append(f"uploads {uploads}")
        if not any(command.startswith("make site OUT=reports/published ") for command in commands):
            found.append("does not call make site")
        if flow["permissions"] != {"contents": "read", "pages": "write", "id-token": "write"}:
            found.append(f"may {flow['permissions']}")
    return found


flows = {path.name: path.read_text(encoding="utf-8") for path in sorted((source / ".github/workflows").iterdir())}
if sys.argv[2:] == ["--self-test"]:
    for name, old, new, said in (
            ("ci.yml", "branches: [main]", "branches: [main", "expected ',' or ']'"), ("ci.yml", "name: CI", "name: CI: all", "not allowed"),
            ("ci.yml", "name: CI", "name: CI ", "a blank at the end"), ("ci.yml", "    timeout-minutes: 180\n", "", "a job with"),
            ("ci.yml", "run: .ci/run", "run: .ci/walk", "no program .ci/walk"), ("ci.yml", "make deps-ci reports", "make deps-ci report", "no verb report"),
            ("ci.yml", "CMAKE_CXX_COMPILER=\"$CXX\"", "CMAKE_CXX_COMPILER=${{ matrix.compiler }}", "put into a command"),
            ("ci.yml", "checkout@v4", "checkout@main", "major version"), ("ci.yml", "[bookworm, trixie]", "[bookworm]", "checks {"),
            ("ci.yml", "== 'clang++'", "== 'icc'", "for each compiler"), ("ci.yml", "contents: read", "contents: write", "contents to read"),
            ("ci.yml", "        run: .ci/run\n", "        run: .ci/run\n        uses: actions/checkout@v4\n", "expected uses or run"),
            ("ci.yml", "name: CI\n", "name: CI\nname: CI\n", "given twice"), ("pages.yml", "path: reports/published/site", "path: reports/published", "uploads"),
            ("nightly.yml", "  schedule:\n    - cron: '23 1 * * *'\n", "", "on schedule and workflow_dispatch"), ("nightly.yml", "image: debian:bookworm", "image: alpine", "a job with"), ("nightly.yml", "'23 1 * * *'", "'* 1 * * *'", "once a day"),
            ("nightly.yml", "run: make sanitize\n", "run: make coverage\n", "expected 'make sanitize'"), ("pages.yml", "make site", "make figures", "does not call make site"), ("pages.yml", "pages: write", "packages: write", "may {")):
        broken = flows[name].replace(old, new)
        found = failures(name, broken)
        if broken == flows[name] or not any(said in text for text in found):
            sys.exit(f"self-test: {name} with '{new}': {found}; expected '{said}'")
    sys.exit(print("self-test: ok"))
found = [f"{name}: {text}" for name, given in flows.items() for text in failures(name, given)]
for text in found:
    print(text)
print(f"{len(flows)} workflows, {len(found)} failures")
sys.exit(1 if found or sorted(flows) != ["ci.yml", "nightly.yml", "pages.yml"] else 0)
