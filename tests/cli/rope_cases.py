#!/usr/bin/python3
"""perp rope on what people have: each row of rope_cases.json is a public report (thread), its configuration, or GGUF metadata, by
value, and what was computed apart by the published rules: numbers of --json ([low, high] where a range is meant), what the screen
says and what it does not.
usage: rope_cases.py <perp>"""

import json
import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

perp = sys.argv[1]
failures = []
CLOSE = 2e-5  # expected numbers are given to five or six digits


def gguf(arch, values):
    """A model's file: metadata and one table of words."""
    def text(s):
        return struct.pack("<Q", len(s.encode())) + s.encode()

    def value(v):
        if isinstance(v, str):
            return struct.pack("<I", 8) + text(v)
        return struct.pack("<If", 6, v) if isinstance(v, float) else struct.pack("<II", 4, v)

    pairs = {"general.architecture": arch, **{f"{arch}.{key}": v for key, v in values.items()}}
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs)) + b"".join(text(key) + value(v) for key, v in pairs.items())
    head += text("token_embd.weight") + struct.pack("<IQQIQ", 2, 8, 1, 0, 0)
    return head + bytes(-len(head) % 32 + 32)


def at(answer, path):
    for step in path.split("."):
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    return answer


def fits(got, want):
    if isinstance(want, list) and len(want) == 2 and isinstance(got, (int, float)):
        return want[0] <= got <= want[1]
    if isinstance(want, (int, float)) and isinstance(got, (int, float)):
        return math.isclose(got, want, rel_tol=CLOSE)
    return got == want


with tempfile.TemporaryDirectory() as folder:
    for row in json.loads(Path(__file__).with_name("rope_cases.json").read_text(encoding="utf-8")):
        name, given = row["case"], row.get("arguments", [])
        path = Path(folder, "config.json" if "config" in row else "model.gguf")
        path.write_bytes(json.dumps(row["config"]).encode() if "config" in row else gguf(row["gguf"], row["values"]))
        runs = [subprocess.run([perp, "rope", path, *given, *form], capture_output=True, encoding="utf-8", check=False) for form in (["--json"], [])]
        for run in runs:
            if run.returncode or run.stderr:
                failures.append(f"{name}: exit {run.returncode}, {run.stderr}")
        answer, screen = json.loads(runs[0].stdout or "{}"), runs[1].stdout
        for key, want in row.get("json", {}).items():
            try:
                got = at(answer, key)
            except (KeyError, IndexError, TypeError) as error:
                got = repr(error)
            if not fits(got, want):
                failures.append(f"{name}: {key} is {got}, expected {want}")
        failures += [f"{name}: does not say {text!r}:\n{screen}" for text in row.get("says", []) if text not in screen]
        failures += [f"{name}: says {text!r}:\n{screen}" for text in row.get("says_not", []) if text in screen]

print("\n".join(failures) or "every configuration is read as computed apart")
sys.exit(1 if failures else 0)
