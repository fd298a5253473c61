"""What the scripts here share: how a table is written, and inputs that C++ makes, too."""

import numbers
from pathlib import Path


def writer(floor):
    """write(name, "columns of it", rows) writes <floor>_<name>.csv: whole numbers as they are, others with 17 digits."""
    def write(name, columns, rows):
        with open(Path(__file__).parent / f"{floor}_{name}.csv", "w") as file:
            print(columns.replace(" ", ","), file=file)
            for row in rows:
                print(",".join(str(v) if isinstance(v, numbers.Integral) else f"{float(v):.17g}" for v in row), file=file)

    return write


def waves(rows, cols, seed):
    """As in tests/support/reference.hpp: whole numbers' sines, the same in both languages."""
    import numpy as np
    i, j = np.arange(rows)[:, None], np.arange(cols)[None, :]
    return np.sin(((i + 1) * (j + 1) * (i + 2 * j + seed)).astype(float))
