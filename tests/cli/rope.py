#!/usr/bin/python3
"""perp rope against the published rules read anew in plain Python, to 1e-12, for every kind of scaling; its lines; which of several
values counts; families' defaults; hostile files.
usage: rope.py <perp> <source folder>"""

import importlib.util
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

perp, source = sys.argv[1], Path(sys.argv[2]).resolve()
failures = []


LINEAR = {"type": "linear", "factor": 4, "attention_factor": 2}
YARN = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 512}
# Fields beside a head of 4 dimensions and 2,048 positions, and what perp rope says of them.
SAID = [
    ({"model_type": "bloom", "n_head": 12}, {"type": "alibi", "heads": 12}),
    # MLA's part is rotated whole; Phi-3's lists under another name; Llama 4's step.
    ({"qk_rope_head_dim": 64, "partial_rotary_factor": 0.5}, {"head_dim": 64, "rotary_dim": 64}),
    ({"rope_scaling": {"type": "yarn", "short_factor": [1, 1], "long_factor": [2, 2]}}, {"type": "longrope"}),
    ({"rope_scaling": {"rope_type": "llama3", "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1}}, {"inverse_frequencies": [1, 0.01]}),
    # Of linear scaling the context before is said by two numbers, or not at all; an attention factor is YaRN's and longrope's alone.
    ({"rope_scaling": LINEAR, "max_sequence_length": 8192}, {"trained_context": 2048, "claimed_context": 8192}),
    ({"rope_scaling": LINEAR}, {"trained_context": None, "attention_factor": 1}),
    # The outer context before the scaling counts; of a model of several parts that of its text.
    ({"original_max_position_embeddings": 256, "rope_scaling": YARN}, {"trained_context": 256}),
    ({"original_max_position_embeddings": 128, "text_config": {"head_dim": 8, "original_max_position_embeddings": 256, "rope_scaling": YARN}},
     {"trained_context": 256, "head_dim": 8}),
    # An object that says nothing; a key that comes again; names that are empty, or look like two; what is not RoPE's.
    ({"rope_scaling": {}, "rope_parameters": YARN}, {"type": "yarn"}),
    ('"rope_scaling":{"type":"linear","factor":2},"rope_scaling":{"factor":3}', {"type": "default", "factor": 1}),
    ({"": 5, "rope_scaling": LINEAR, "rope_scaling.factor": 8}, {"factor": 4, "base": 10000}),
    ({"type": "causal_lm", "factor": 3, "name": 5}, {"type": "default", "factor": 1}),
    ({"rope_theta": 500.0, "head_dim": 8.0, "rotary_dim": 4}, {"base": 500, "head_dim": 8, "rotary_dim": 4}),
    ({"global_rope_theta": 160000, "local_rope_theta": 10000}, {"base": 160000}),
    ({"no_rope_layers": [1, 0], "rope_theta": 500}, {"notes": ["Some layers have no positions at all: 1 (of 2)."]}),
    ({"rope_parameters": {"sliding_attention": {"rope_theta": 10000}}}, {"base": 10000}),
    ({"position_embedding_type": "absolute"}, {"type": "learned"}),
    # Half a pair is none.
    ({"rope_parameters": {"rope_type": "proportional", "partial_rotary_factor": 0.8}}, {"rotary_dim": 2}),
    # What a file leaves out is its family's default, and not what it says.
    ({"model_type": "mixtral"}, {"base": 1e6, "rotary_dim": 4}),
    ({"model_type": "phi"}, {"base": 1e4, "rotary_dim": 2}),
    ({"model_type": "phi", "rotary_dim": 4, "rope_theta": 500}, {"base": 500, "rotary_dim": 4, "notes": []}),
    ({"model_type": "phi", "partial_rotary_factor": 1}, {"rotary_dim": 4}),
]
REFUSED = [
    ({"rope_scaling": {"type": "magic"}}, "no RoPE scaling 'magic'; there are default"),
    ({"rope_theta": -5}, "base -5"),
    ({"rope_theta": "x"}, "rope_theta is a text; expected a number"),
    ({"rope_scaling": {"type": "linear", "factor": -2}}, "factor -2"),
    ({"rope_scaling": {"type": "longrope", "short_factor": [1], "long_factor": [1]}}, "1 factors of frequencies; expected 2"),
    ({"rope_scaling": [1]}, "rope_scaling is a list; expected an object"),
    ({"rope_scaling": {**LINEAR, "type": "yarn", "beta_fast": 1, "beta_slow": 2}}, "turns of 2 for slow and 1 for fast pairs; expected 0 < slow <= fast"),
    ({"alibi": True, "n_head": 4, "alibi_bias_max": 0}, "ALiBi's maximum is 0"),
    ({"rope_parameters": {"full_attention": 3}}, "full_attention is a number; expected an object"),
    ({"rope_scaling": {**LINEAR, "original_max_position_embeddings": -1}}, "a context of -1 positions"),
    ({"rope_scaling": {"type": "llama3", "factor": 2, "original_max_position_embeddings": 1e300}}, "a context of 1e+300 positions"),
    ({"partial_rotary_factor": 0}, "0 of a head is rotated"),
    ({"num_attention_heads": 1000000000}, "num_attention_heads is 1000000000"),
    ({"position_embedding_type": "magic"}, "position_embedding_type is 'magic'; there are rope"),
    ({"head_dim": 4096}, "a head of 4096 dimensions"),
    ({"head_dim": 63}, "63 of 63 dimensions"),
    ({"head_dim": None}, "expected a head's size"),
]


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

    def ask(fields):
        """Of a configuration with these fields, or their text, which may say a key twice."""
        text = fields if isinstance(fields, str) else json.dumps(fields)[1:-1]
        path.write_text('{"head_dim":4,"max_position_embeddings":2048,' + text + "}")
        return run(path, "--json")

    for fields, want in SAID:
        answer = json.loads(ask(fields).stdout or "{}")
        expect(f"{fields}: {answer}, expected {want}", all(answer.get(name, "") == value for name, value in want.items()))
    for fields, says in REFUSED:
        got = ask(fields)
        expect(f"{fields}: exit {got.returncode}, {got.stderr}", got.returncode == 2 and says in got.stderr and got.stderr.count("\n") == 1)
    table = (source / "studies/distance/rope_architectures.json").read_text()
    for part, rows in json.loads(table, object_pairs_hook=lambda pairs: pairs):
        names = [name for name, _ in rows]
        expect(f"rows of {part} in order, each once", names == sorted(set(names)))
        for name, row in rows:
            row = dict(row)
            expect(f"{part}, {name}: no source or date", row.get("source") and row.get("date", "").startswith("20"))
            expect(f"{part}, {name}: neither layout nor kind of positions", "positions" in row or row.get("layout") in ("half_split", "interleaved"))
            if part == "models" and "rope_theta" in row:
                answer = json.loads(ask({"head_dim": 8, "model_type": name}).stdout)
                share = row.get("partial_rotary_factor", 1)
                expect(f"{name}: {answer}", [answer["base"], answer["rotary_dim"]] == [row["rope_theta"], int(8 * share)])
                expect(f"{name}: {answer['notes']}", any(f"names no rope_theta; {row['source']} takes" in note for note in answer["notes"]))

    for what, text in {"nested": '{"a":' + "[" * 100000, "NaN": '{"head_dim":64,"rope_theta":NaN}', "infinite": '{"head_dim":64,"rope_theta":1e999}',
                       "large": '{"a":"' + "x" * 100_000_000 + '"}', "kind": '{"head_dim":"64"}', "list": "[]", "empty": "",
                       "zero": '{"head_dim":64}\0', "heads": '{"hidden_size":64,"num_attention_heads":1000000000}'}.items():
        path.write_text(text)
        got = run(path)
        expect(f"{what}: exit {got.returncode}, {got.stderr[:200]}", got.returncode == 2 and got.stderr.count("\n") == 1 and got.stdout == "")
    got = run(Path(folder) / "absent.json")
    expect(f"absent: {got.stderr}", got.returncode == 2 and got.stderr.count("\n") == 1)

    got = run("--references", folder)
    expect("references", got.returncode == 0 and (Path(folder) / "llama_3_1_8b.json").is_file())
    for file in Path(folder).glob("*_*.json"):
        published = source / "reports/published/rope" / file.name
        expect(f"{file.name}: not as published", published.is_file() and published.read_bytes() == file.read_bytes())
    reference = json.loads((Path(folder) / "gemma_4_31b.json").read_text())

    def write_npy(name, rows):
        head = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), len(rows[0]))
        head = head.ljust(117) + "\n"
        (Path(folder) / name).write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode()
                                          + b"".join(struct.pack("<d", x) for row in rows for x in row))

    def check(cos, sin):
        write_npy("cos.npy", cos)
        write_npy("sin.npy", sin)
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
        write_npy("cos.npy", layered["layers"][0]["cos"])
        expect("check-rope, a kind of layer", [check_layer(Path(folder) / "cos.npy", *words).returncode for words in ([], ["--layer", "sliding_attention"])] == [1, 0])
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
    given = [["broken.json"], ["other.json"], ["absent"], ["."], ["pipe"], ["/dev/zero"]]
    given += [["gemma_4_31b.json", name] for name in ("gemma_4_31b.json", "absent", "pipe", "/dev/zero", ".")]
    for files in given:
        run = subprocess.run([sys.executable, source / "scripts/check-rope", *files], cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=60)
        expect(f"check-rope {files}: {run}", run.returncode == 2 and run.stderr.count("\n") == 1 and f"{files[-1]}: " in run.stderr)

print("\n".join(failures) or "frequencies, screens, refusals and references are right")
sys.exit(1 if failures else 0)
