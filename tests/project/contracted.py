#!/usr/bin/env python3
"""No inline function is compiled both with and without contracted multiply-adds: the linker would keep one of the copies, and
which one decides about last bits elsewhere.
usage: contracted.py <build folder>"""

import json
import re
import subprocess
import sys
from pathlib import Path


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def inline_functions(objects):
    """Mangled name: one of the objects that define it for the linker to choose."""
    found = {}
    for line in output("nm", "-A", "--defined-only", *objects).splitlines() if objects else []:
        place, kind, name = line.rsplit(maxsplit=2)
        if kind == "W" and "perp" in name:
            found.setdefault(name, place.rsplit(":", 1)[0])
    return found


build = Path(sys.argv[1]).resolve()
contracted, plain = [], []
for unit in json.loads((build / "compile_commands.json").read_text()):
    path = Path(unit["directory"], re.search(r" -o (\S+) -c ", unit["command"])[1])
    if path.suffix == ".o" and path.exists() and re.match("lib|studies|tests/CMakeFiles/contracted_", str(path.relative_to(build))):
        (plain if "-ffp-contract=off" in unit["command"] else contracted).append(path)
if not contracted or not plain:
    sys.exit(f"contracted.py: {build} holds {len(contracted)} objects of the one kind and {len(plain)} of the other")

fused = inline_functions(contracted)
shared = fused.keys() & inline_functions(plain).keys()
wrong = set()
for path in {fused[name] for name in shared}:
    for text in output("objdump", "-d", "--no-show-raw-insn", path).split("\n\n"):
        name = re.match(r"\s*[0-9a-f]+ <([^>]+)>:", text)
        if name and name[1] in shared and re.search(r"\b(vfn?m(add|sub)|fml[as]|fn?m(add|sub))", text):
            wrong.add(name[1])
for name in sorted(wrong):
    print(f"{output('c++filt', name).strip()}: compiled with and without contraction; make it [[gnu::always_inline]]")
sys.exit(1 if wrong else 0)
