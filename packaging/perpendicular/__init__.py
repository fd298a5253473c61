"""Why positional encodings may be added to word vectors: a model's own tables beside chance, asked from Python.

    import perpendicular
    found = perpendicular.inspect(model.wte.weight, model.wpe.weight)
    found["between"]["centred_overlap"]   # 1 is what randomly rotated tables have

Numbers are those of the program `perp`, which lies beside this file with the BLAS that it was built with, in its JSON's names.
A table has a row for each word or position. It is an array of real numbers (of NumPy, a tensor of PyTorch on any device, whatever
has `__array__`), or the name of a file, "FILE" or "FILE:TENSOR" (.safetensors, .gguf, .npy, word2vec, GloVe).

What cannot be answered is a ValueError of one line, a program that fails for another reason (memory, a BLAS that computes wrong)
a RuntimeError. Nothing is printed. NumPy is needed for arrays alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Protocol, Union

if TYPE_CHECKING:
    import numpy

__all__ = ["base", "inspect", "overlap", "reader", "rope", "sinusoid"]


class Array(Protocol):
    """What NumPy makes an array of."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...


Table = Union[Array, str, "os.PathLike[str]"]

_program = Path(__file__).parent / "bin/perp"


def inspect(words: Table | None, positions: Table | None = None, **options: object) -> dict[str, Any]:
    """Hold a model's words and positions against chance: `perp inspect --json`.

    words      V x d, a row for each word, or None; alone a model's file or folder, of which perp finds the tables by their names
    positions  L x d, a row for each position, of the same d, or None
    options    those of `perp inspect` that go without --out, with _ for -: rows="1:513" (positions 1 to 512, half-open and from 0),
               limit=20000 (words), transpose="words", scale_words="sqrt", seed=2, threads=4

    Returns "words" and "positions" (rows, dim, norms in the table's own unit, cosines, ranks in dimensions) and "between", with
    what chance gives beside some of these as "null_…" and its standard deviation as "…_sd". What a table does not define is None.
    """
    with tempfile.TemporaryDirectory() as folder:
        if positions is None and isinstance(words, (str, os.PathLike)) and (
                Path(words).suffix in (".safetensors", ".gguf", ".json") or Path(words).is_dir()):
            return _answer("inspect", options, os.fspath(words), folder=folder)
        given = {name: _file_of(name, table, folder) for name, table in (("words", words), ("positions", positions)) if table is not None}
        return _answer("inspect", {**given, **options}, folder=folder)


def overlap(words: Table, positions: Table, **options: object) -> float:
    """The overlap ω of words (V x d) and positions (L x d), each less its mean: of their covariances' product, the trace over
    what randomly rotated tables give. 0: they use different directions; 1: as by chance. Not a number where a table has no spread.
    Options as of `inspect`, which has ω's standard deviation by chance, too.
    """
    if words is None or positions is None:
        raise ValueError("overlap: words or positions are None; expected two tables")
    value = inspect(words, positions, **options)["between"]["centred_overlap"]
    return float("nan") if value is None else float(value)


def sinusoid(length: int, dim: int, base: float = 10000, layout: str = "interleaved") -> numpy.ndarray[Any, Any]:
    """Sinusoidal positions (Vaswani et al. 2017, section 3.5): length x dim, float64, position t = 0, 1, … in row t.

    Pair i of dim/2 is sin and cos of the angle t/base^(2i/dim), in radians. layout: "interleaved" has a pair's sine and cosine side
    by side, in columns 2i and 2i + 1; "half-split" all sines first, in columns i and dim/2 + i.
    """
    import numpy

    if length < 1 or dim < 2 or dim % 2 or not base > 0 or layout not in ("interleaved", "half-split"):
        raise ValueError(f"sinusoid: length {length}, dim {dim}, base {base}, layout {layout!r}; expected a length from 1, an even "
                         "dim from 2, a base above 0, layout 'interleaved' or 'half-split'")
    angles = numpy.arange(length)[:, None] * float(base) ** -(numpy.arange(0, dim, 2) / dim)
    pairs = numpy.stack([numpy.sin(angles), numpy.cos(angles)], axis=2 if layout == "interleaved" else 1)
    return pairs.reshape(length, dim)


def rope(config: Mapping[str, Any] | str | os.PathLike[str], **options: object) -> dict[str, Any]:
    """What a model's RoPE configuration means: `perp rope --json`.

    config   Hugging Face's config.json as a dict or as a file, a model's folder, or a .gguf file
    options  positions=N, the length of the sequence on which dynamic and longrope depend; or reach=N: the least factor of each
             scaling that is good to N positions

    Returns among others "type", "head_dim" and "rotary_dim" (dimensions), "inverse_frequencies" (radians a position, one for each
    pair), "attention_factor", "claimed_context" and "good_to" (positions), and "layers", a list of kinds of layer.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "config.json")
        if isinstance(config, Mapping):
            try:
                file.write_text(json.dumps(dict(config)), encoding="utf-8")
            except (TypeError, ValueError) as error:
                raise ValueError(f"rope: no JSON can be made of the configuration: {error}") from None
        else:
            file = Path(config).absolute()
        return _answer("rope", options, str(file), folder=folder)


def reader(dim: int, words: int, positions: int, **options: object) -> dict[str, Any]:
    """What adding costs a linear classifier of random tables, by theory: `perp reader --json`.

    dim 16 to 16,384 dimensions, words and positions from 2 each. carried=P: per cent of log2(words · positions) bits that the best
    concatenation delivers, 10 to 99 (90 unless said otherwise), which sets the noise.

    Returns "loss_bits" (bits a word with its position), "loss_share" and "law" (of the bits that were sent), "noise" (a coordinate's
    standard deviation, at a signal of mean square 3/2), and what sum and concatenation carry.
    """
    return _answer("reader", {"dim": dim, "words": words, "positions": positions, **options})


def base(context: int, dim: int = 128) -> dict[str, Any]:
    """Which rotary bases are good for a context of so many positions and heads of dim dimensions: `perp base --json`.

    A base is good when the sum of cosines over the head's frequencies is at 0 or above at every distance. Returns "least", "safe"
    (every base from it on is good) and "intervals" of good bases; "exact" is false where they were tried on a grid.
    """
    return _answer("base", {"context": context, "dim": dim})


def main() -> None:
    """The command `perp`."""
    os.execv(_program, ["perp", *sys.argv[1:]])


def _file_of(name: str, table: Table, folder: str) -> str:
    """The file that holds a table: the one that it names, or a new one in `folder`."""
    if isinstance(table, (str, os.PathLike)):
        return os.fspath(table)
    import numpy

    tensor: Any = table
    try:
        if hasattr(tensor, "detach"):  # PyTorch's: without its graph, off its device; NumPy has no bfloat16
            tensor = tensor.detach().cpu()
            tensor = tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor
        array = numpy.asarray(tensor)
        if array.dtype.name == "bfloat16":  # ml_dtypes', which JAX uses
            array = array.astype(numpy.float32)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{name}: not read as an array: {str(error).strip().partition(chr(10))[0]}") from error
    if array.dtype.kind not in "fiu" or array.ndim != 2:
        raise ValueError(f"{name}: {array.dtype} of shape {array.shape}; expected real numbers in two dimensions, a row for each of the {name}")
    file = os.path.join(folder, f"{name}.npy")
    numpy.save(file, array)
    return file


def _answer(word: str, options: Mapping[str, object], *files: str, folder: str = "") -> dict[str, Any]:
    """What `perp WORD --json` answers. An option that is None or False is left out; paths in `folder` lose it in messages."""
    for name in {"out", "references", "help", "version"} & options.keys():
        raise ValueError(f"perp {word}: --{name} gives no numbers; type it at the terminal")
    typed = {"--" + name.replace("_", "-"): value for name, value in options.items() if value is not None and value is not False}
    command = [str(_program), word, "--json", *(name if value is True else f"{name}={value}" for name, value in typed.items()), *files]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode == 0:
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer
    said = done.stderr.strip().splitlines() or [f"perp {word}: ended with {done.returncode} and no word"]
    raise (ValueError if done.returncode == 2 else RuntimeError)(said[-1].replace(os.path.join(folder, ""), ""))
