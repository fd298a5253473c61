#!/usr/bin/python3
"""What greets people who come from elsewhere, held against what it speaks of: packages of packaging/Dockerfile and environment.yml against packages.txt
and Debian's package, CITATION.cff against the site, commands of the issue templates and of SECURITY.md against the programs.
usage: doors.py <source folder>"""

import re
import sys
from pathlib import Path

source = Path(sys.argv[1])

# Debian's packages for a report by conda-forge's names. No fonts: an SVG names its font. Nothing there has the dictionary.
conda = {"g++": "cxx-compiler", "cmake": "cmake", "ninja-build": "ninja", "libxtensor-dev": "xtensor", "libxtensor-blas-dev": "xtensor-blas",
         "libopenblas-dev": "blas-devel=*=*openblas", "libboost-dev": "libboost-devel", "libboost-test-dev": None, "libfmt-dev": "fmt",
         "libcli11-dev": "cli11", "nlohmann-json3-dev": "nlohmann_json", "libtomlplusplus-dev": "tomlplusplus", "zlib1g-dev": "zlib",
         "gnuplot-nox": "gnuplot", "fonts-dejavu-core": None, "pandoc": "pandoc", "dict-gcide": None}
files = ["packages.txt", "packaging/Dockerfile", "packaging/environment.yml", "packaging/CMakeLists.txt", "packaging/pyproject.toml", "CMakeLists.txt", "CITATION.cff",
         "LICENSE", "SECURITY.md", "reports/pages/cite.md", "reports/pages/html/page.html", "program/words.cpp", "Makefile",
         *(str(path.relative_to(source)) for path in sorted((source / ".github/ISSUE_TEMPLATE").glob("*")))]


def listed(text):
    """Verb and package of packages.txt."""
    return [tuple(line.split()) for line in text.splitlines() if line and not line.startswith("#")]


def instructions(text):
    """Of a Dockerfile: word and rest, lines that go on joined."""
    plain = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [tuple(line.split(maxsplit=1)) for line in plain.splitlines() if line.strip()]


def image_faults(of):
    steps = instructions(of["packaging/Dockerfile"])
    stages = [rest for word, rest in steps if word == "FROM"]
    if stages != ["debian:bookworm-slim AS build", "debian:bookworm-slim"]:
        yield f"Dockerfile: stages {stages}; expected two on Debian's slim image"
    for word, rest in steps:
        if word == "RUN" and "apt-get" in rest and not (re.search("apt-get update +&&", rest) and "--no-install-recommends" in rest):
            yield f"Dockerfile: {rest}; expected update, and install --no-install-recommends"
    if ("RUN", "make -C /perpendicular deb") not in steps:
        yield "Dockerfile: expected make deb, which installs what packages.txt has"
    last = [rest for word, rest in steps if word == "RUN"][-1]
    recommended = re.search(r'CPACK_DEBIAN_PACKAGE_RECOMMENDS\s+"([^"]+)"', of["packaging/CMakeLists.txt"])[1]
    wanted = [choice.split("|")[0].strip() for choice in recommended.split(",")]
    installed = re.search(r"perpendicular_\*\.deb +(.*?) *&&", last)[1].split()
    if installed != wanted:
        yield f"Dockerfile: installs {installed}; Debian's package recommends {wanted}"
    known = {package for _, package in listed(of["packages.txt"])}
    if not set(installed) <= known:
        yield f"Dockerfile: packages.txt has no {sorted(set(installed) - known)}"
    if dict(steps).get("ENTRYPOINT") != '["perp"]' or dict(steps).get("USER") != "reader":
        yield "Dockerfile: expected perp as an ordinary user"


def conda_faults(of):
    needed = [package for verb, package in listed(of["packages.txt"]) if verb == "deps"]
    if set(needed) != conda.keys():
        yield f"environment.yml: packages.txt and the names here differ in {sorted(set(needed) ^ conda.keys())}"
    given = re.findall(r"^  - (\S+)$", of["packaging/environment.yml"].split("dependencies:")[1], re.MULTILINE)
    if given != (wanted := [conda[package] for package in needed if conda.get(package)]):
        yield f"environment.yml: {given}; expected {wanted}"


def citation_faults(of):
    name = re.search(r'^  - name: "(.+)"$', of["CITATION.cff"], re.MULTILINE)[1]
    title = re.search(r'^title: "(.+)"$', of["CITATION.cff"], re.MULTILINE)[1]
    for file, says in (("reports/pages/html/page.html", f'name="author" content="{name}"'), ("reports/pages/cite.md", f"{name}, *{title}*"), ("LICENSE", name),
                       ("packaging/pyproject.toml", f'authors = [{{ name = "{name}" }}]')):
        if says not in of[file]:
            yield f"CITATION.cff: {file} does not say '{says}'"
    if (version := re.search(r"^version: (.+)$", of["CITATION.cff"], re.MULTILINE)[1]) != re.search(r"VERSION ([\d.]+) LANG", of["CMakeLists.txt"])[1]:
        yield f"CITATION.cff: version {version}; CMakeLists.txt has another"


def commands(of):
    """File, program and word of what issue templates and SECURITY.md say to type."""
    return [(file, *typed) for file in of if file.startswith(".github/") or file == "SECURITY.md"
            for typed in re.findall(r"`(perp|make) ([a-z][a-z-]*)", of[file])]


def template_faults(of):
    names = [file for file in of if file.startswith(".github/")]
    if len(names) != 4:
        yield f"{len(names)} templates of issues; expected 4"
    for file in names:
        if not re.match(r"---\nname: \S.*\nabout: \S.*\nlabels: \S+\n---\n", of[file]):
            yield f"{file}: expected name, about and labels between lines of dashes"
    known = {"perp": re.findall(r'^    \{"([a-z-]+)", "', of["program/words.cpp"], re.MULTILINE),
             "make": " ".join(re.findall(r"^([a-z -]+):(?!=)", of["Makefile"], re.MULTILINE)).split()}
    for file, program, word in commands(of):
        if word not in known[program]:
            yield f"{file}: {program} has no {word}"


def failures(of):
    return [fault for check in (image_faults, conda_faults, citation_faults, template_faults) for fault in check(of)]


of = {name: (source / name).read_text(encoding="utf-8") for name in files}
for fault in (found := failures(of)):
    print(fault)
print(f"{len(of)} files, {len(commands(of))} commands, {len(found)} failures")
sys.exit(bool(found) or not commands(of))
