#!/usr/bin/python3
"""The page's five instruments in headless Chromium: their closed forms against tests/reference, as the library's are, and their
forms: what they say is what the functions give, and what they cannot take they refuse in words.
Says "skipped" where there is no Chromium.
usage: instruments.py <source folder> <perp>"""

import csv
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import open_browser, requests

source, perp = Path(sys.argv[1]), sys.argv[2]
html = source / "reports/pages/html"


def bound(name):
    return float(re.search(rf"\b{name} = ([-.e0-9]+)", (source / "tests/tolerance.hpp").read_text(encoding="utf-8")).group(1))


def projections(row):
    """The squared cosines' mean from the sum over the angles, of what are tables of projections."""
    if row["tr_a"] == row["tr_a2"] and row["tr_b"] == row["tr_b2"]:
        return {part: row[part] / min(row["tr_a"], row["tr_b"]) for part in ("mean", "sd")}


# A function, the table theory_<name> with its arguments, the column or columns of what it gives (or what the row says that it
# gives, None where it says nothing), and a relative and an absolute bound.
NEAR, ZERO, RECOVERED = bound("in_browser"), bound("in_browser_near_zero"), bound("recovered")
LAWS = [
    ("cosineExceeds", "cosine_tail", "d m", lambda row: math.exp(row["log_exceeds"]), NEAR, 0),
    ("largestCosineMedian", "cosine_largest", "d pairs", lambda row: row["m"] if row["p"] == 0.5 else None, NEAR, 0),
    ("recovered", "recovered", "d words ratio", lambda row: row["share"] if row["d"] >= 8 else None, 0, RECOVERED),
    ("recoveryRatio", "knee", "d words share", "half", bound("halved_ratio"), 0),
    ("sinusoidRecovered", "sinusoid_recovered", "d positions base ratio", "low high", 0, RECOVERED),
    ("sinusoidR99", "sinusoid_dimension", "positions d base", "line", NEAR, 0),
    ("kernelShare", "kernel", "d base lag", lambda row: row["exact"] / (row["d"] / 2), 0, bound("kernel_exact")),
    ("firstRise", "rise", "d base", "rise", 0, 0),
    ("lastWavelength", "rise", "d base", "wavelength", NEAR, 0),
    ("wachterEdges", "wachter", "a b", "lower upper", NEAR, ZERO),
    ("wachterAtom", "wachter", "a b", "atom", NEAR, ZERO),
    ("wachterDensity", "wachter", "a b x", "density", NEAR, 0),
    ("wachterCdf", "wachter", "a b x", "cdf", NEAR, 0),
    ("wachterQuantile", "wachter", "a b cdf", "x", NEAR, 0),
    ("meanCosineSquared", "overlap", "d tr_a tr_b", projections, NEAR, 0),
    ("largestAngle", "largest_angle", "d k r", "mu sigma", NEAR, 0),
    ("johnstoneApplies", "johnstone", "d k r", "applies", 0, 0),
    ("largestCosineExpected", "largest_cosine", "d k r", "mean", 0, bound("three_points")),
    ("largestCosineSd", "largest_cosine", "d k r", "sd", NEAR, 0),
]
# Outside of the continuous part of Wachter's law.
ENDS = [("wachterCdf", [0.5, 0.625, x], p) for x, p in ((0, 0), (0.99, 0.75), (1, 1))]
ENDS += [("wachterQuantile", [0.5, 0.625, 0.8], 1), ("wachterDensity", [0.125, 0.25, 0.7], 0)]


def references():
    for name, table, arguments, expected, *bounds in LAWS:
        with open(source / f"tests/reference/theory_{table}.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                row = {column: float(value) for column, value in row.items()}
                if callable(expected):
                    want = expected(row)
                else:
                    want = {part: row[part] for part in expected.split()} if " " in expected else row[expected]
                if want is not None:
                    yield name, [row[column] for column in arguments.split()], want, *bounds


grid = [*references(), *((*end, 0, 0) for end in ENDS)]
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
const [text, length] = arguments;
try {
  const found = perpendicular.ropeOf(JSON.parse(text)), most = 1048576, of = rope => {
    if (!rope) return {type: 'none'};
    const frequencies = perpendicular.ropeFrequencies(rope, length);
    return {type: rope.type, head_dim: rope.head, rotary_dim: rope.rotated, base: rope.base, factor: rope.factor, trained_context: rope.trained || null,
            inverse_frequencies: frequencies, attention_factor: perpendicular.ropeAmplitude(rope, length), good_to: perpendicular.ropeGoodTo(frequencies, most)};
  };
  return {...(found.rope ? of(found.rope) : {type: found.positions}), claimed_context: found.claimed || null,
          layers: found.layers.map(({kind, which, window, rope}) => ({kind: kind || 'all', which: which.length ? which : null, window: window || null, ...of(rope)}))};
} catch (error) {
  return {refused: error.message};
}
"""
failures = []


def expect(what, fits):
    if not fits:
        failures.append(what)


def same(name, got, want):
    """Each number, text and list of the first as the second has it."""
    if isinstance(got, dict):
        for key, value in got.items():
            if key != "layers" or "base" in got:  # of what does not rotate there are none
                same(f"{name}, {key}", value, want.get(key, "nothing"))
    elif isinstance(got, list) and isinstance(want, list) and len(got) == len(want):
        for pair in zip(got, want):
            same(name, *pair)
    else:
        expect(f"{name}: {got}, {want} by perp rope", abs(got - want) <= 1e-12 * abs(want) if isinstance(want, float) and isinstance(got, (int, float)) else got == want)


browser = open_browser()
try:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        inside = [(html / name).read_text(encoding="utf-8") for name in ("page.css", "instruments.html", "rope_architectures.js", "instruments.js")]
        page.write_text('<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>t</title><style>{}</style><main>{}</main>'
                        "<script>{}</script><script>{}</script>".format(*inside), encoding="utf-8")
        browser.get(page.as_uri())
        expect("a request elsewhere", all(url.startswith(("file:", "data:", "chrome:")) for url in requests(browser)))

        asked = [[name, values] for name, values, *_ in grid]
        exported = set(browser.execute_script("return Object.keys(perpendicular)"))
        # The frequency is in every kernel.
        expect(f"on no grid: {exported - {name for name, _ in asked}}", exported - {name for name, _ in asked} == {"frequency", "firstWrong", "firstWrongAngle", "ropeOf", "ropeFrequencies", "ropeAmplitude", "ropeSums", "ropeGoodTo"})
        for (name, values, want, relative, absolute), got in zip(grid, browser.execute_script(COMPARE, asked), strict=True):
            for part in want if isinstance(want, dict) else [None]:
                right, given = (want[part], got.get(part)) if part else (want, got)
                fits = given is not None and abs(given - right) <= relative * abs(right) + absolute
                expect(f"{name}{tuple(values)}{'.' + part if part else ''}: {given} in the browser, {right} in the reference", fits)

        # RoPE's rules, by configuration: every kind of layer as perp rope has it, and what it refuses is refused.
        rows = json.loads((source / "tests/cli/rope_cases.json").read_text(encoding="utf-8"))
        given = [(row["case"], row.get("text") or json.dumps(row["config"])) for row in rows if "gguf" not in row]
        given += [(name, json.dumps(config)) for name, config in json.loads((source / "studies/distance/rope_configs.json").read_text()).items()]
        for name, text in given:
            (Path(folder) / "config.json").write_text(text, encoding="utf-8")
            answer = subprocess.run([perp, "rope", folder, "--json"], check=False, capture_output=True, encoding="utf-8")
            if answer.returncode:
                expect(f"{name}: {answer.stderr}", answer.returncode == 2 and "refused" in browser.execute_script(ROPE, text, 2048))
                continue
            want = json.loads(answer.stdout)
            same(name, browser.execute_script(ROPE, text, want.get("positions", 0)), want)
        expect(f"{len(given)} configurations compared", len(given) > 100)
        # The rules of thumb of claim D11, as its table of the golden results has them.
        with open(source / "tests/golden/distance/d11_precision.csv", encoding="utf-8") as table:
            rules, bits = 0, dict(bfloat16=8, float16=11, float32=24)
            for row in csv.DictReader(table):
                if row["step"] in ("position", "angle") and row["format"] in bits and row["expected"]:
                    asked = [float(row["d"]), float(row["base"]), bits[row["format"]], row["step"]]
                    got = browser.execute_script("return perpendicular.firstWrong(...arguments)[arguments[3]]", *asked)
                    expect(f"firstWrong{asked}: {got}", abs(got / float(row["expected"]) - 1) < 1e-9)
                    rules += 1
        expect(f"{rules} rules of thumb compared", rules > 10)
        # What the page measures by itself, against the study's own first position.
        with open(source / "reports/published/distance/d11_precision.csv", encoding="utf-8") as table:
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
        texts = dict(given)
        said = browser.execute_async_script(SET, "try-rope", "config", texts["04 Gemma 3 as published"])
        table = browser.execute_script("return [...document.forms['try-rope'].querySelectorAll('tbody tr')].map(row => row.textContent)")
        expect(f"try-rope says: {said} {table}", "Good to 573,010" in said and "in full_attention" in said and ["sliding_attention (29:" in table[0], "full_attention (5:" in table[1]] == [True, True])
        said = browser.execute_async_script(SET, "try-rope", "config", texts["28 GPT-2"])
        expect(f"try-rope says: {said}", "Nothing is rotated" in said)
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
