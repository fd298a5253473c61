#!/usr/bin/python3
"""Are .github/workflows what a fork can run? YAML without a key given twice, every step with one action of a fixed major version or
one command, commands that are there (.ci/run, verbs of the Makefile), nothing of a pull request put into a command, both Debian
releases with both compilers, and the published site on Pages.
usage: workflows.py <source folder>"""

import os
import re
import sys
from pathlib import Path

import yaml

source = Path(sys.argv[1])
verbs = {verb for line in (source / "Makefile").read_text(encoding="utf-8").splitlines() if (rule := re.match(r"([a-z -]+):(?!=)", line))
         for verb in rule[1].split()}


class Loader(yaml.BaseLoader):
    """Every value is a text, for else the key on were true; no key stands twice."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if twice := {key for key in keys if keys.count(key) > 1}:
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: {sorted(twice)} given twice")
        return super().construct_mapping(node, deep)


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
        flow = yaml.load(text, Loader)
    except yaml.YAMLError as error:
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
        if not all(re.fullmatch(r"\d+ \d+ \* \* \*", time["cron"]) for time in times):
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
found = [f"{name}: {text}" for name, given in flows.items() for text in failures(name, given)]
for text in found:
    print(text)
steps = [] if found else [step for text in flows.values() for job in yaml.load(text, Loader)["jobs"].values() for step in job["steps"]]
print(f"{len(flows)} workflows, {len(steps)} steps, {len(verbs)} verbs, {len(found)} failures")
sys.exit(1 if found or not steps or not verbs or sorted(flows) != ["ci.yml", "nightly.yml", "pages.yml"] else 0)
