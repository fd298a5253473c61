#!/usr/bin/python3
"""docs/notebook/why-add.ipynb: its cells run, in order and by NumPy alone, and what they find agrees with the published numbers; what stands in the
file ran to the end, with figures, and against the numbers that are published today. So does README's piece of NumPy, which stands for the first of them.
usage: notebook.py <source folder>      notebook.py <source folder> --write (puts today's run in)"""

import base64
import contextlib
import io
import json
import math
import os
import re
import sys
from pathlib import Path

os.environ["MPLBACKEND"] = "Agg"
notebook = Path(sys.argv[1]).resolve() / "docs/notebook/why-add.ipynb"


def cells_of(text):
    return [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def compared(text):
    """Lines of the comparison: what was compared, the published number, how far it may be, whether it agrees."""
    return [(name.strip(), *numbers) for name, *numbers in re.findall(r"^(\w+, d = \d+ +)-?[\d.]+ +(-?[\d.]+) +([\d.]+) +(\w+)$", text, re.MULTILINE)]


def stored_faults(text, today):
    """What is wrong with what the file holds beside its cells. today: the lines of a comparison made now."""
    outputs = [output for cell in cells_of(text) for output in cell["outputs"]]
    if any(output["output_type"] == "error" for output in outputs):
        yield "a cell ended with an error"
    if (figures := sum("image/png" in output.get("data", {}) for output in outputs)) != 2:
        yield f"{figures} figures; expected 2"
    stored = compared("".join("".join(output.get("text", "")) for output in outputs))
    if stored != today:
        yield f"it compares {stored}, a run today {today}; put in by notebook.py --write"


def readme_faults(readme, published):
    """What is wrong with README's piece of NumPy. published: name, draws, value, ends of the interval and number of tables of what it shows."""
    code = re.search(r"```python\n(import numpy.*?)```", readme, re.DOTALL)[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    now, stands = ([float(number) for number in re.findall(r"([\d.]+)%", said)] for said in (printed.getvalue(), code.splitlines()[-1]))
    if len(now) != 2 or any(abs(a - b) > 0.1 for a, b in zip(now, stands, strict=True)):
        yield f"README's NumPy prints {printed.getvalue().strip()}, and {code.splitlines()[-1]} stands there"
    _, _, value, low, high, n = published
    # Of twenty tables, as there; its sum and its concatenation are about the best.
    if abs(now[0] - now[1] - 100 * value) > 100 * (high - low) / 2 * math.sqrt(1 + n / 20) + 0.2:
        yield f"README's NumPy loses {now[0] - now[1]:.1f}%, published is {100 * value:.1f}%"


text = notebook.read_text(encoding="utf-8")

def ran(cell, names):
    """What Jupyter would store beside the cell: what it printed, and its figures."""
    import matplotlib.pyplot as plt
    said, outputs = io.StringIO(), []
    with contextlib.redirect_stdout(said):
        exec("".join(cell["source"]), names)
    for number in plt.get_fignums():
        drawn = io.BytesIO()
        plt.figure(number).savefig(drawn, format="png", bbox_inches="tight", metadata={"Software": None})
        outputs.append({"data": {"image/png": base64.b64encode(drawn.getvalue()).decode() + "\n"}, "metadata": {}, "output_type": "display_data"})
    plt.close("all")
    printed = said.getvalue().splitlines(keepends=True)
    return outputs + ([{"name": "stdout", "output_type": "stream", "text": printed}] if printed else [])


os.chdir(notebook.parent)
content, names = json.loads(text), {}
for count, cell in enumerate((cell for cell in content["cells"] if cell["cell_type"] == "code"), 1):
    cell |= {"execution_count": count, "outputs": ran(cell, names)}
again = json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
if sys.argv[2:] == ["--write"]:
    notebook.write_text(text := again, encoding="utf-8")
last = "".join(content["cells"][-1]["outputs"][0]["text"])
print(last)
today = compared(last)
faults = [] if len(names["agrees"]) == len(today) == 5 and all(names["agrees"]) else [f"of {len(today)} comparisons some disagree, or there are not 5"]
faults += stored_faults(text, today)
faults += readme_faults((notebook.parent / "../../README.md").read_text(encoding="utf-8"), names["said"][0])
for fault in faults:
    print(f"{notebook.name}: {fault}")
sys.exit(bool(faults))
