#!/usr/bin/python3
"""The page's five instruments in headless Chromium: their closed forms against the library's on a grid (theory_tool, which also says
within which bounds), and their forms: what they say is what the functions give, and what they cannot take they refuse in words.
Says "skipped" where there is no Chromium.
usage: instruments.py <theory_tool> <source folder> <perp>"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import open_browser, requests

tool, html = sys.argv[1], Path(sys.argv[2]) / "reports/templates/html"
grid = json.loads(subprocess.run([tool], check=True, capture_output=True, encoding="utf-8").stdout)
COMPARE = """
return arguments[0].map(([name, values]) => {
  const given = perpendicular[name](...values);
  return typeof given === 'object' ? given : Number(given);
});
"""
SET = """
const [form, name, value, done] = arguments, input = document.forms[form].elements[name];
input.value = value;
input.dispatchEvent(new Event('input', {bubbles: true}));
setTimeout(() => done(document.forms[form].querySelector('output').textContent), 300);
"""
ROPE = """
const rope = perpendicular.ropeOf(arguments[0]), frequencies = perpendicular.ropeFrequencies(rope, arguments[1]);
return [[rope.head, rope.rotated, rope.claimed], frequencies, perpendicular.ropeGoodTo(frequencies, 1048576)];
"""
YARN = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 512}
# Which of several values counts.
RULES = {name: {"head_dim": 64, "max_position_embeddings": 2048, **fields} for name, fields in {
    "outer context": {"original_max_position_embeddings": 256, "rope_scaling": YARN}, "empty object": {"rope_scaling": {}, "rope_parameters": YARN},
    "two objects": {"rope_scaling": YARN, "rope_parameters": {"rope_theta": 500}}, "alpha": {"rope_scaling": {"type": "dynamic", "alpha": 8, "factor": 1}},
    "lists": {"rope_scaling": {"type": "yarn", "short_factor": [1] * 32, "long_factor": [2] * 32, "original_max_position_embeddings": 512}},
    "rotated part": {"qk_rope_head_dim": 32, "partial_rotary_factor": 0.5}}.items()}
failures = []


def expect(what, fits):
    if not fits:
        failures.append(what)


browser = open_browser()
try:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        inside = [(html / name).read_text(encoding="utf-8") for name in ("page.css", "instruments.html", "instruments.js")]
        page.write_text('<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>t</title><style>{}</style><main>{}</main>'
                        "<script>{}</script>".format(*inside), encoding="utf-8")
        browser.get(page.as_uri())
        expect("a request elsewhere", all(url.startswith(("file:", "data:", "chrome:")) for url in requests(browser)))

        asked = [[name, values] for name, values, *_ in grid]
        exported = set(browser.execute_script("return Object.keys(perpendicular)"))
        # The frequency is in every kernel.
        expect(f"on no grid: {exported - {name for name, _ in asked}}", exported - {name for name, _ in asked} == {"frequency", "firstWrong", "firstWrongAngle", "ropeTypes", "ropeOf", "ropeFrequencies", "ropeSums", "ropeGoodTo"})
        for (name, values, want, relative, absolute), got in zip(grid, browser.execute_script(COMPARE, asked), strict=True):
            for part in want if isinstance(want, dict) else [None]:
                right, given = (want[part], got.get(part)) if part else (want, got)
                fits = given is not None and abs(given - right) <= relative * abs(right) + absolute
                expect(f"{name}{tuple(values)}{'.' + part if part else ''}: {given} in the browser, {right} in the library", fits)

        # RoPE's rules, by configuration, against perp rope.
        for name, config in {**RULES, **json.loads((Path(sys.argv[2]) / "studies/distance/rope_configs.json").read_text())}.items():
            (Path(folder) / "config.json").write_text(json.dumps(config))
            want = json.loads(subprocess.run([sys.argv[3], "rope", folder, "--json"], check=True, capture_output=True, encoding="utf-8").stdout)
            got = browser.execute_script(ROPE, config, want["positions"])
            expect(f"{name}: {got[0]}", got[0] == [want["head_dim"], want["rotary_dim"], want["claimed_context"]])
            far = max(abs(a / b - 1) for a, b in zip(got[1], want["inverse_frequencies"], strict=True))
            expect(f"{name}: frequencies off by {far}, good to {got[2]}, {want['good_to']} by perp rope", far < 1e-12 and got[2] == want["good_to"])
        # Families as far as the page knows them, and those that have what most code takes.
        script = (html / "instruments.js").read_text(encoding="utf-8")
        for family, row in json.loads((Path(sys.argv[2]) / "studies/distance/rope_architectures.json").read_text())["models"].items():
            if f"{family}: [" in script or (row.get("rope_theta") == 1e4 and "partial_rotary_factor" not in row):
                got = browser.execute_script("const r = perpendicular.ropeOf(arguments[0]); return [r.base, r.rotated];", {"model_type": family, "head_dim": 64})
                expect(f"{family}: {got}", got == [row["rope_theta"], 64 * row.get("partial_rotary_factor", 1)])
        # The rules of thumb of claim D11, as its table of the golden results has them.
        with open(Path(sys.argv[2]) / "tests/golden/distance/d11_precision.csv", encoding="utf-8") as table:
            rules, bits = 0, dict(bfloat16=8, float16=11, float32=24)
            for row in csv.DictReader(table):
                if row["step"] in ("position", "angle") and row["format"] in bits and row["expected"]:
                    asked = [float(row["d"]), float(row["base"]), bits[row["format"]], row["step"]]
                    got = browser.execute_script("return perpendicular.firstWrong(...arguments)[arguments[3]]", *asked)
                    expect(f"firstWrong{asked}: {got}", abs(got / float(row["expected"]) - 1) < 1e-9)
                    rules += 1
        expect(f"{rules} rules of thumb compared", rules > 10)
        # What the page measures by itself, against the study's own first position.
        with open(Path(sys.argv[2]) / "reports/published/distance/d11_precision.csv", encoding="utf-8") as table:
            tried = [row for row in csv.DictReader(table) if (row["encoding"], row["step"], row["format"]) == ("sinusoid", "angle", "bfloat16")]
        for row in tried:
            got = browser.execute_script("return perpendicular.firstWrongAngle(...arguments)", float(row["d"]), float(row["base"]), 8)
            expect(f"firstWrongAngle({row['d']}, {row['base']}): {got}, measured {row['first_bad']}", got == float(row["first_bad"]))
        expect(f"{len(tried)} first positions compared", len(tried) > 2)
        says_format = browser.execute_script("return document.forms['try-format'].querySelector('output').textContent")
        shown = next(row["first_bad"] for row in tried if (row["d"], row["base"]) == ("512", "10000"))
        expect(f"try-format says: {says_format}", f"at position {shown};" in says_format)
        visible = browser.execute_script("return [...document.forms].filter(f => f.offsetParent && f.querySelector('output').textContent).length")
        expect(f"{visible} of 5 instruments say something", visible == 5)
        says = {}
        for form, name, value in (("try-model", "ratio", "8"), ("try-clock", "lag", "100"), ("try-subspaces", "k", "300"), ("try-format", "d", "64")):
            before = browser.execute_script("return document.forms[arguments[0]].querySelector('output').textContent", form)
            says[form] = browser.execute_async_script(SET, form, name, value)
            expect(f"{form} does not answer to {name}", says[form] != before)
        share = browser.execute_script("return perpendicular.recovered(768, 50257, 8)")
        expect(f"try-model says: {says['try-model']}", f"Of 50,257 words {100 * share:.1f}% are found" in says["try-model"])
        similarity = browser.execute_script("return perpendicular.kernelShare(512, 10000, 100)")
        expect(f"clock says: {says['try-clock']}", f"g(100) = {similarity:.3f}." in says["try-clock"])
        expect(f"subspaces says: {says['try-subspaces']}", "A random 300- and a random 128-dimensional subspace of 512" in says["try-subspaces"])
        for form, name, value in (("try-model", "d", "7"), ("try-model", "v", ""), ("try-clock", "base", "-1"), ("try-subspaces", "k", "512"),
                                  ("try-rope", "config", "{"), ("try-rope", "config", "{\"head_dim\": 63}")):
            said = browser.execute_async_script(SET, form, name, value)
            wrong = browser.execute_script("return document.forms[arguments[0]].classList.contains('wrong')", form)
            expect(f"{form} takes {name} = '{value}': {said}", wrong and said and "NaN" not in said)
        failures += [f"console: {entry['message']}" for entry in browser.get_log("browser")]
finally:
    browser.quit()
for failure in failures:
    print(failure)
print(f"{len(grid)} values, {len(failures)} failures")
sys.exit(1 if failures else 0)
