#!/usr/bin/python3
"""perp rope against the published rules read anew in plain Python, to 1e-12, for every kind of scaling; its lines; families' defaults;
hostile files; the references. What single configurations come to is in rope_cases.json (cases.py).
usage: rope.py <perp> <source folder>"""

import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from made import npy

perp, source = sys.argv[1], Path(sys.argv[2]).resolve()
failures = []


def run(*words):
    return subprocess.run([perp, "rope", *map(str, words)], capture_output=True, encoding="utf-8", errors="replace", check=False)


def expect(what, fits):
    if not fits:
        failures.append(what)


def read(c):
    """Head size, rotated dimensions, base, kind and its parameters."""
    r = dict(c.get("rope_parameters") or c.get("rope_scaling") or {})
    r = r.get("full_attention", r)
    head = c.get("qk_rope_head_dim") or c.get("global_head_dim") or c.get("head_dim") or c["hidden_size"] // c["num_attention_heads"]
    share = r.get("partial_rotary_factor", c.get("rotary_pct", 1))
    return head, int(head * share), r.get("rope_theta", c.get("rope_theta", c.get("rotary_emb_base", 1e4))), r.get("rope_type", r.get("type", "default")), r


def frequencies(c, length):
    head, d, base, kind, r = read(c)
    pairs, s = range(d // 2), r.get("factor", 1)
    trained = c.get("original_max_position_embeddings") or r.get("original_max_position_embeddings") or c["max_position_embeddings"]
    plain = [base ** (-2 * i / d) for i in pairs]
    if kind == "linear":
        return [w / s for w in plain]
    if kind == "ntk":
        base *= r["alpha"] ** (d / (d - 2))
        return [base ** (-2 * i / d) for i in pairs]
    if kind == "dynamic":
        base *= (s * length / trained - (s - 1)) ** (d / (d - 2))
        return [base ** (-2 * i / d) for i in pairs]
    if kind == "yarn":
        low, high = (d * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (r.get("beta_fast", 32), r.get("beta_slow", 1)))
        if r.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, d - 1)
        slowed = [min(max((i - low) / (high - low), 0), 1) for i in pairs]
        return [w / s * m + w * (1 - m) for w, m in zip(plain, slowed)]
    if kind == "llama3":
        out = []
        for w in plain:
            turns = trained * w / (2 * math.pi)
            smooth = (turns - r["low_freq_factor"]) / (r["high_freq_factor"] - r["low_freq_factor"])
            smooth = min(max(smooth, 0), 1)
            out.append((1 - smooth) * w / s + smooth * w)
        return out
    if kind in ("su", "longrope"):
        return [w / f for w, f in zip(plain, r["long_factor" if length > trained else "short_factor"])]
    if kind == "proportional":
        return [base ** (-2 * i / head) / s for i in pairs]
    return plain


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "config.json"
    kinds = set()
    ntk = {"head_dim": 128, "max_position_embeddings": 4096, "rope_theta": 10000, "rope_scaling": {"type": "ntk", "alpha": 4}}
    for name, config in {"ntk": ntk, **json.loads((source / "studies/distance/rope_configs.json").read_text())}.items():
        path.write_text(json.dumps(config))
        got = run(path, "--json")
        expect(f"{name}: exit {got.returncode}: {got.stderr}", got.returncode == 0)
        answer = json.loads(got.stdout)
        kinds.add(answer["type"])
        for w, want in zip(answer["inverse_frequencies"], frequencies(config, answer["positions"]), strict=True):
            expect(f"{name}: frequency {w}, {want} by the rule", abs(w / want - 1) < 1e-12)
        text = run(folder).stdout
        expect(f"{name}: a screen of {text.count(chr(10))} lines", 10 <= text.count("\n") <= 20 and max(map(len, text.splitlines())) < 112)
    expect(f"kinds tried: {kinds}", len(kinds) == 8)
    for heads in (8, 12):
        path.write_text(json.dumps({"model_type": "bloom", "n_head": heads}))
        text, slopes = run(path).stdout, [2.0 ** -(i + 1) for i in range(8)] + [2 ** -(i + 0.5) for i in range(heads - 8)]
        expect(f"ALiBi with {heads} heads: {text}", f"{heads} heads" in text and ", ".join(f"{m:.6g}" for m in slopes) in text
               and ("no power of two" in text) == (heads == 12))

    data = json.loads((source / "reports/pages/html/rope_architectures.js").read_text(encoding="utf-8").partition("=")[2])
    for part in ("models", "gguf"):
        families = [family for row in data[part].values() for family in row["families"]]
        expect(f"families of {part}, each once", len(families) == len(set(families)))
        for name, row in data[part].items():
            expect(f"{part}, {name}: no source or date", row.get("source") and row.get("date", "").startswith("20"))
            expect(f"{part}, {name}: neither layout nor kind of positions", "positions" in row or row.get("layout") in ("half_split", "interleaved"))
            if part == "models" and "rope_theta" in row and "positions" not in row:
                path.write_text(json.dumps({"head_dim": 8, "max_position_embeddings": 2048, "model_type": row["families"][-1]}))
                answer = json.loads(run(path, "--json").stdout)
                expect(f"{name}: {answer}", [answer["base"], answer["rotary_dim"]] == [row["rope_theta"], int(8 * row.get("partial_rotary_factor", 1))])
                expect(f"{name}: {answer['notes']}", any(f"names no rope_theta; {row['source']} takes" in note for note in answer["notes"]))

    for what, text in {"nested": '{"a":' + "[" * 100000, "NaN": '{"head_dim":64,"rope_theta":NaN}', "infinite": '{"head_dim":64,"rope_theta":1e999}',
                       "large": '{"a":"' + "x" * 100_000_000 + '"}', "kind": '{"head_dim":"64"}', "list": "[]", "empty": "",
                       "zero": '{"head_dim":64}\0', "heads": '{"hidden_size":64,"num_attention_heads":1000000000}'}.items():
        path.write_text(text)
        got = run(path)
        expect(f"{what}: exit {got.returncode}, {got.stderr[:200]}", got.returncode == 2 and got.stderr.count("\n") == 1 and got.stdout == "")
    got = run(Path(folder) / "absent.json")
    expect(f"absent: {got.stderr}", got.returncode == 2 and got.stderr.count("\n") == 1)

    folder = str(Path(folder, "references"))
    got = run("--references", folder)
    expect("references", got.returncode == 0 and (Path(folder) / "llama_3_1_8b.json").is_file())
    for file in Path(folder).glob("*_*.json"):
        published = source / "reports/published/rope" / file.name
        expect(f"{file.name}: not as published", published.is_file() and published.read_bytes() == file.read_bytes())
    reference = json.loads((Path(folder) / "gemma_4_31b.json").read_text())

    def check(cos, sin):
        Path(folder, "cos.npy").write_bytes(npy(cos, "d"))
        Path(folder, "sin.npy").write_bytes(npy(sin, "d"))
        return subprocess.run([sys.executable, source / "scripts/check-rope", Path(folder) / "gemma_4_31b.json", Path(folder) / "cos.npy", Path(folder) / "sin.npy"],
                              capture_output=True, encoding="utf-8", check=False)

    layered = json.loads((Path(folder) / "gemma_3_4b.json").read_text())
    expect("references by kind of layer", [(kind["kind"], kind["base"]) for kind in layered["layers"]] == [("sliding_attention", 1e4), ("full_attention", 1e6)]
           and layered["layers"][1]["cos"] == layered["cos"])
    nope = json.loads((Path(folder) / "smollm3_3b.json").read_text())["layers"]
    expect("references of layers without positions", nope[1]["type"] == "none" and nope[1]["which"] == list(range(3, 36, 4)))

    def check_layer(*words):
        return subprocess.run([sys.executable, source / "scripts/check-rope", Path(folder) / "gemma_3_4b.json", *words], capture_output=True, encoding="utf-8", check=False)

    expect("check-rope names kinds", "--layer sliding_attention: base 10000.0, 256 of 256 rotated" in check_layer().stdout)
    expect("check-rope, another kind", "no layers magic that rotate" in check_layer("--layer", "magic").stderr)
    if importlib.util.find_spec("numpy"):
        Path(folder, "cos.npy").write_bytes(npy(layered["layers"][0]["cos"], "d"))
        expect("check-rope, a kind of layer", [check_layer(Path(folder) / "cos.npy", *words).returncode for words in ([], ["--layer", "sliding_attention"])] == [1, 0])
        import numpy
        numpy.save(Path(folder) / "cos.npy", numpy.array(layered["layers"][0]["cos"]) + 7j)
        expect("check-rope, complex numbers", "expected an array of numbers" in check_layer(Path(folder) / "cos.npy", "--layer", "sliding_attention").stderr)
        cos, sin = reference["cos"], reference["sin"]
        still = 256 - len(cos[0])
        good = check([row + [1] * still for row in cos] * 1, [row + [0] * still for row in sin])
        expect(f"check-rope, padded: {good.stdout}{good.stderr}", good.returncode == 0)
        expect("check-rope, interleaved", "interleaved" in check(*([[x for x in row for _ in range(2)] for row in t] for t in (cos, sin))).stdout)
        wrong = [row[:] for row in cos]
        wrong[3][5] += 1e-3
        expect("check-rope takes a wrong cosine", check([w + w for w in wrong], [row + row for row in sin]).returncode == 1)
        wrong[3][5] = float("nan")
        expect("check-rope takes NaN", check(wrong, sin).returncode == 1)
        expect("check-rope takes fewer positions", check(cos[:5], sin[:5]).returncode == 2)
    # What cannot be read is one line.
    Path(folder, "broken.json").write_text("{")
    Path(folder, "other.json").write_text('{"model": "x"}')
    os.mkfifo(Path(folder, "pipe"))
    Path(folder, "list.json").write_text("[]")
    Path(folder, "numbers.npy").write_text("1 2 3")
    given = [["broken.json"], ["list.json"], ["gemma_4_31b.json", "numbers.npy"], ["other.json"], ["absent"], ["."], ["pipe"], ["/dev/zero"]]
    given += [["gemma_4_31b.json", name] for name in ("gemma_4_31b.json", "absent", "pipe", "/dev/zero", ".")]
    for files in given:
        run = subprocess.run([sys.executable, source / "scripts/check-rope", *files], cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=60)
        expect(f"check-rope {files}: {run}", run.returncode == 2 and run.stderr.count("\n") == 1 and f"{files[-1]}: " in run.stderr)
        expect(f"check-rope {files} says what was expected: {run.stderr}", files[-1] not in ("broken.json", "list.json") or "expected a reference of" in run.stderr)
    without = Path(folder, "without/numpy.py")
    without.parent.mkdir()
    without.write_text("raise ImportError")
    run = subprocess.run([sys.executable, source / "scripts/check-rope", "gemma_4_31b.json", "numbers.npy"], cwd=folder, capture_output=True, encoding="utf-8",
                         check=False, env={**os.environ, "PYTHONPATH": str(without.parent)})
    expect(f"check-rope without NumPy: {run}", run.returncode == 2 and run.stderr == "check-rope: numbers.npy: NumPy reads this, and is not here; Debian's package is python3-numpy\n")

print("\n".join(failures) or "frequencies, screens, refusals and references are right")
sys.exit(1 if failures else 0)
