"""The program `perp` (Perpendicular), which lies beside this file with the BLAS that it was built with."""

import os
import sys
from pathlib import Path


def main():
    program = Path(__file__).parent / "bin/perp"
    os.execv(program, ["perp", *sys.argv[1:]])
