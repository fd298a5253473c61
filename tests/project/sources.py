#!/usr/bin/python3
"""What holds of the sources: arrows between floors, the one door to xtensor, BLAS and LAPACK, heavy headers in no header; and names
that no figure's script may define.
usage: sources.py <source folder>"""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(map(str, what)))


# Which floors each floor may include, beside itself.
below = {"base": ""}
below |= {floor: "base" for floor in ("random", "io", "statistics", "theory")}
below |= {floor: "base random io statistics theory" for floor in ("vectors", "measures")}
below |= {"model": "base random io statistics theory vectors measures", "study": "base random io statistics"}

includes = [(path.relative_to(root), what) for folder in ("lib", "studies", "reports", "bench", "program", "tests")
            for path in sorted((root / folder).rglob("*.?pp"))
            for what in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE)]
xtensor = {"lib/perp/base/array.hpp", "lib/perp/base/matrix_algebra.cpp"}
# What the bench calls bare is its yardstick for that door.
xtensor_blas = {"lib/perp/base/linalg.cpp", "lib/perp/base/linalg_lapack.cpp", "bench/bare_lapack.cpp"}
cblas = {"bench/bare_blas.cpp", "bench/workloads.cpp"}
# Boost's preprocessor is macros alone: nothing to parse.
heavy = re.compile("nlohmann/json.hpp|toml\\+\\+/|CLI/|boost/(?!preprocessor/)|xtensor-blas/|Random123/")

for file, what in includes:
    room, floor, to = file.parts[0], file.parts[2] if file.parts[:2] == ("lib", "perp") else "", what.split("/")
    if floor and to[0] == "perp":
        check(to[1] in [floor, *below[floor].split()], file, "includes", what)
    check(to[0] != "xtensor" or str(file) in xtensor, file, "includes", what)
    check(to[0] != "xtensor-blas" or str(file) in xtensor_blas, file, "includes", what)
    check(what != "cblas.h" or str(file) in cblas, file, "includes", what)
    # Below xtensor-blas its own switches are missing, and products become plain loops.
    check(not re.match("xflens/|lapack", what), file, "includes", what)
    if room in ("lib", "studies", "reports"):
        check(file.suffix != ".hpp" or not heavy.match(what), file, "includes", what)
        check(what != "random", file, "draws from an ambient generator: includes", what)
    check(room not in ("lib", "reports") or to[0] != "studies", file, "includes", what)
    check(room != "lib" or to[0] != "reports", file, "includes", what)
check({str(file) for file, what in includes if what.startswith("xtensor-blas/")} == xtensor_blas, "who includes xtensor-blas")
check(len(includes) > 2000, len(includes), "includes, expected more")

# Gnuplot's own functions as of 6.0 (its `help expressions functions`). A script that defines one of them stops there, and what
# only 6.0 has (split, join, index, round, cbrt, …) goes unnoticed under 5.4.
built_in = set("""
abs acos acosh airy arg asin asinh atan atan2 atanh besj0 besj1 besjn besy0 besy1 besyn besi0 besi1 besin cbrt ceil cdawson cerf column
columnhead columnheader conj conjg cos cosh defined EllipticE EllipticK EllipticPi erf erfc erfi exist exists exp expint faddeeva floor
FresnelC FresnelS gamma gprintf hsv2rgb ibeta igamma imag index int inverf invibeta invigamma invnorm join lambertw LambertW lgamma
lnGamma log log10 norm palette rand real rgbcolor round sgn Sign sin sinh split sprintf sqrt strcol strftime stringcolumn strlen strptime
strstrt substr SynchrotronF system tan tanh time timecolumn tm_hour tm_mday tm_min tm_mon tm_sec tm_wday tm_week tm_yday tm_year trim
uigamma valid value voigt voxel VP VP_fwhm weekdate_cdc weekdate_iso word words zeta Ai Bi BesselH1 BesselH2 BesselI BesselJ BesselK
BesselY Hankel I NaN pi""".split())
# Functions, variables and arrays, those of a script's header included.
definition = re.compile(r"(?:^|[{;]|\barray\s|^#:\s*(?:number|text):)\s*([A-Za-z_]\w*)\s*(?:\([A-Za-z_][\w\s,]*\)\s*|\[[^\]]*\]\s*)?=(?!=)"
                        r"|(?:^|[{;])\s*array\s+([A-Za-z_]\w*)")
names = [(path.name, name) for folder in ("reports/pages", "studies") for path in sorted((root / folder).rglob("*.gp"))
         for line in path.read_text().split("\n") if line.startswith("#:") or not line.startswith("#")
         for found in definition.findall(line) for name in found if name]
for script, name in names:
    check(name not in built_in, script, "defines gnuplot's own", name)
check(len({script for script, _ in names}) > 40 and len(names) > 200, "hardly a script defines a name")

print("\n".join(failures) or f"sources: {len(includes)} includes, {len(names)} names, as they are meant to be")
sys.exit(bool(failures))
