"""`import perpendicular`: answers are those of the program, to the last digit, from whatever holds a table; what it cannot answer is one
ValueError; nothing is printed; README's lines run.

PERP names the program. The module is the one that is installed, or else the sources' with that program beside it.
"""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest

source = Path(__file__).resolve().parents[2]
perp = Path(os.environ["PERP"]).resolve()


@pytest.fixture(scope="session")
def perpendicular(tmp_path_factory):
    if not importlib.util.find_spec("perpendicular"):
        folder = tmp_path_factory.mktemp("site")
        shutil.copytree(source / "packaging/perpendicular", folder / "perpendicular")
        (folder / "perpendicular/bin").mkdir()
        (folder / "perpendicular/bin/perp").symlink_to(perp)
        sys.path.insert(0, str(folder))
    return importlib.import_module("perpendicular")


@pytest.fixture(autouse=True)
def nothing_is_printed(capfd):
    yield
    assert capfd.readouterr() == ("", "")


def drawn(rows, dim, seed):
    return numpy.random.default_rng(seed).standard_normal((rows, dim)).astype(numpy.float32)


words, positions = drawn(300, 16, 1), drawn(40, 16, 2)


def said(*command):
    return json.loads(subprocess.run([perp, *command, "--json"], capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def by_program(tmp_path):
    numpy.save(tmp_path / "w.npy", words)
    numpy.save(tmp_path / "p.npy", positions)
    return lambda *options: said("inspect", "--words", tmp_path / "w.npy", "--positions", tmp_path / "p.npy", *options)


class Tensor:
    """What a tensor of PyTorch lets one do: no array while it needs a gradient, lies elsewhere or is of a type that NumPy lacks."""

    def __init__(self, values, dtype="torch.float32", requires_grad=True, device="cuda"):
        self.values, self.dtype, self.requires_grad, self.device = values, dtype, requires_grad, device

    def detach(self):
        return Tensor(self.values, self.dtype, False, self.device)

    def cpu(self):
        return Tensor(self.values, self.dtype, self.requires_grad, "cpu")

    def float(self):
        return Tensor(self.values, "torch.float32", self.requires_grad, self.device)

    def __array__(self, *_, **__):
        if self.requires_grad or self.device != "cpu":
            raise RuntimeError("Can't call numpy() on Tensor")
        if self.dtype != "torch.float32":
            raise TypeError(f"Got unsupported ScalarType {self.dtype}\nand more")
        return self.values


def test_numbers_are_the_program_s(perpendicular, by_program):
    found = perpendicular.inspect(words, positions)
    assert found == by_program()
    assert {"words", "positions", "between"} == set(found)
    assert perpendicular.overlap(words, positions) == found["between"]["centred_overlap"]
    assert perpendicular.inspect(words) == {"words": found["words"]}
    assert set(perpendicular.inspect(None, positions)) == {"positions"}


def test_options_are_the_program_s(perpendicular, by_program):
    found = perpendicular.inspect(words, positions, rows="1:31", limit=200, scale_words="sqrt", seed=numpy.int64(3), threads=None)
    assert found == by_program("--rows", "1:31", "--limit", "200", "--scale-words", "sqrt", "--seed", "3")
    assert (found["words"]["rows"], found["positions"]["rows"]) == (200, 30)


@pytest.mark.parametrize("form", [
    numpy.asfortranarray, lambda table: numpy.repeat(table, 2, axis=0)[::2], lambda table: table.astype(">f4"), lambda table: table.astype(float), Tensor])
def test_the_same_table_in_another_form_has_the_same_numbers(perpendicular, by_program, form):
    assert perpendicular.inspect(form(words), form(positions)) == by_program()


def test_bfloat16_is_read(perpendicular):
    short = words.view(numpy.uint32) & numpy.uint32(0xFFFF0000)
    exact = short.view(numpy.float32)
    assert perpendicular.inspect(Tensor(exact, "torch.bfloat16")) == perpendicular.inspect(exact)


def test_a_file_s_tables_are_read_by_name(perpendicular, by_program, tmp_path):
    both, header, begin = {"wte": words, "a.b": positions}, {}, 0
    for name, table in both.items():
        header[name] = {"dtype": "F32", "shape": table.shape, "data_offsets": [begin, begin + table.nbytes]}
        begin += table.nbytes
    text = json.dumps(header).encode()
    file = tmp_path / "model.safetensors"
    file.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(table.tobytes() for table in both.values()))
    assert perpendicular.inspect(f"{file}:wte", f"{file}:a.b") == by_program()
    assert perpendicular.inspect(words, tmp_path / "p.npy") == by_program()
    file.write_bytes(file.read_bytes().replace(b'"a.b"', b'"wpe"'))
    assert perpendicular.inspect(file) == by_program()  # tables that are known by their names


def test_an_int_is_a_number_and_a_table_without_a_number_is_none(perpendicular):
    assert perpendicular.inspect(numpy.arange(12).reshape(4, 3) ** 2)["words"]["rows"] == 4
    assert numpy.isnan(perpendicular.overlap(words, numpy.ones((3, 16))))


with_nan = words.copy()
with_nan[7, 3] = numpy.nan


@pytest.mark.parametrize("table, line", [
    (with_nan, r"^perp inspect: --words words\.npy: row 7 holds a value that is not finite; expected finite numbers$"),
    (words[0], r"^words: float32 of shape \(16,\); expected real numbers in two dimensions, a row for each of the words$"),
    (words.astype(object), "^words: object of shape"),
    (words.astype(complex), "^words: complex64|^words: complex128"),
    (words > 0, "^words: bool of shape"),
    (words[:0], r"'words\.npy': holds no numbers, its shape is 0 x 16$"),
    (words[:, :8], r"words\.npy: 8 dimensions, --positions positions\.npy: 16; expected as many"),
    ([[1.0], [1.0, 2.0]], "^words: not read as an array: "),
    (Tensor(words, "torch.float8_e4m3fn"), "^words: not read as an array: Got unsupported ScalarType torch.float8_e4m3fn$"),
    ("none.npy", "cannot read 'none.npy': No such file"),
    ("two\0", "embedded null byte")])
def test_what_is_no_table_is_refused_in_one_line(perpendicular, table, line):
    with pytest.raises(ValueError, match=line) as refused:
        perpendicular.inspect(table, positions)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("tables", [(None, positions), (words, None)])
def test_an_overlap_is_of_two_tables(perpendicular, tables):
    with pytest.raises(ValueError, match="^overlap: words or positions are None; expected two tables$"):
        perpendicular.overlap(*tables)


def test_options_that_are_none_are_refused(perpendicular, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for options, line in (({"sed": 3}, "no option --sed; did you mean --seed?"), ({"seed": "x"}, "is no seed"), ({"out": "mine"}, "--out gives no numbers"),
                          ({"rows": "5"}, "5"), ({"heads": 3}, "--heads: used only in a report")):
        with pytest.raises(ValueError, match=re.escape(line)):
            perpendicular.inspect(words, positions, **options)
    with pytest.raises(ValueError, match="--references gives no numbers"):
        perpendicular.rope({}, references="mine")
    assert not any(tmp_path.iterdir())


def test_a_program_that_fails_is_no_wrong_value(perpendicular, monkeypatch, tmp_path):
    for script, line in (("echo first >&2; echo perp: no memory >&2; exit 1", "^perp: no memory$"), ("kill -9 $$", "^perp base: ended with -9 and no word$")):
        program = tmp_path / "perp"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(perpendicular, "_program", program)
        with pytest.raises(RuntimeError, match=line):
            perpendicular.base(4096)


def test_the_sinusoid_is_the_paper_s(perpendicular):
    table = perpendicular.sinusoid(200, 16)
    assert table.shape == (200, 16) and table.dtype == numpy.float64
    for pair in said("dot", "--dim", "16", "--pairs", "105:106,5:6,0:199")["pairs"]:
        # Eight products, of sines whose angles are rounded at 200 radians.
        assert table[pair["t"]] @ table[pair["s"]] == pytest.approx(pair["dot"], abs=1e-12)
    assert table[3, :4] == pytest.approx([numpy.sin(3), numpy.cos(3), numpy.sin(3 / 10 ** .5), numpy.cos(3 / 10 ** .5)], abs=1e-15)
    for layout in ("interleaved", "half-split"):
        found = perpendicular.inspect(None, perpendicular.sinusoid(50, 16, base=500, layout=layout))["positions"]["sinusoid"]
        assert (found["base"], found["layout"]) == (500, layout) and found["off"] < 1e-12
    for wrong in ((0, 16), (5, 15), (5, 0), (5, 16, -1), (5, 16, 10000, "split")):
        with pytest.raises(ValueError, match="^sinusoid: length "):
            perpendicular.sinusoid(*wrong)


def test_rope_reads_a_dict_and_a_file(perpendicular, tmp_path, monkeypatch):
    config = {"head_dim": 8, "max_position_embeddings": 4096, "rope_theta": 500000.0}
    monkeypatch.chdir(tmp_path)
    Path("-config.json").write_text(json.dumps(config))
    wanted = said("rope", tmp_path / "-config.json")
    assert perpendicular.rope(config) == perpendicular.rope("-config.json") == perpendicular.rope(Path("-config.json")) == wanted
    assert perpendicular.rope(config, reach=5000) == said("rope", tmp_path / "-config.json", "--reach", "5000")
    with pytest.raises(ValueError, match=r"^perp rope: 'config\.json': neither head_dim nor"):
        perpendicular.rope({})
    with pytest.raises(ValueError, match="^rope: no JSON can be made of the configuration: .*set"):
        perpendicular.rope({"head_dim": {8}})


def test_reader_and_base_are_the_program_s(perpendicular):
    assert perpendicular.reader(64, 256, 64) == said("reader", "--dim", "64", "--words", "256", "--positions", "64")
    assert perpendicular.reader(64, 256, 64, carried=50)["carried"] == 0.5
    assert perpendicular.base(100, 8) == said("base", "--context", "100", "--dim", "8")
    assert perpendicular.base(4096)["dim"] == 128
    with pytest.raises(ValueError, match="^perp base: .*expected"):
        perpendicular.base(4096, 3)
    with pytest.raises(ValueError, match="^perp reader: "):
        perpendicular.reader(64, 256, 0.5)


def test_readme_s_lines_run(perpendicular, by_program):
    blocks = re.findall(r"^```python\n(.*?)^```", (source / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = "\n".join(block for block in blocks if "perpendicular" in block)  # what is NumPy alone the notebook's test runs
    assert "perpendicular.inspect(model.wte.weight, model.wpe.weight)" in lines
    model = SimpleNamespace(wte=SimpleNamespace(weight=Tensor(words)), wpe=SimpleNamespace(weight=Tensor(positions)))
    told = {"model": model}
    exec(lines, told)
    assert told["found"] == by_program()


def test_every_name_says_what_it_is(perpendicular):
    ast.parse(Path(perpendicular.__file__).read_text(encoding="utf-8"), feature_version=(3, 9))
    for name in perpendicular.__all__:
        assert len(getattr(perpendicular, name).__doc__.splitlines()) > 2 and None not in getattr(perpendicular, name).__annotations__.values()
    assert (Path(perpendicular.__file__).parent / "py.typed").exists()
