#!/usr/bin/env python3
"""Checks results files against docs/schema/results.schema.json, and that the schema refuses what it must.

usage: schema.py SCHEMA FILE...     (needs python3-jsonschema)
"""

import copy
import json
import sys

import jsonschema


def spoilt(good):
    """Copies of a good document, each with one thing wrong."""

    def change(path, value):
        bad = copy.deepcopy(good)
        place = bad
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        return path, bad

    yield change(["schema"], 1)
    yield change(["preset"], "fast")
    yield change(["seed"], -1)
    yield change(["extra"], 1)
    yield change(["inputs"], [{"name": "/home/words.npy", "sha256": "0" * 64}])
    yield change(["findings", 0, "id"], "O1.Spread")
    yield change(["findings", 0, "value"], "0.5")
    yield change(["findings", 0, "kind"], "random")
    yield change(["findings", 0, "host"], "here")
    yield change(["claims", 0, "verdict"], "supported")
    yield change(["claims", 0, "condition"], None)
    yield change(["claims", 0, "of"], "own")
    yield change(["claims", 0, "evidence"], ["proof"])
    yield change(["claims", 0, "rule", 0, "role"], "side")
    yield change(["claims", 0, "rule", 0, "outcome"], "yes")
    yield change(["claims", 0, "rule", 0, "factor"], {"noise": 1})
    yield change(["claims", 0, "rule", 0, "is"], "near")
    yield change(["claims", 0, "rule", 0, "bound"], None)
    yield change(["tables", 0, "file"], "../a.csv")
    yield change(["tables", 0, "columns", 0, "meaning"], "")


def main(schema_file, *files):
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = 0
    for file in files:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        for error in validator.iter_errors(document):
            failures += 1
            print(f"{file}: {'/'.join(map(str, error.path))}: {error.message}", file=sys.stderr)
    with open(files[0], encoding="utf-8") as stream:
        good = json.load(stream)
    for path, bad in spoilt(good):
        if validator.is_valid(bad):
            failures += 1
            print(f"the schema takes a wrong {'/'.join(map(str, path))}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
