#!/usr/bin/env bash
# The page of make scaling from a small recorded sample: what stands on it, and that it is the same twice.
# usage: scaling.sh <build folder>
set -u
build=$1
# shellcheck source=tests/cli/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Times that follow size^1, size^2 … exactly, in two rounds of which the second is half as fast.
rows() {
  awk 'BEGIN {
    print "sweep,size,round,seconds,operations"
    split("cells 1 words 1 length 2 width 1.5", s, " ")
    for (round = 1; round <= 2; ++round)
      for (i = 1; i in s; i += 2)
        for (size = 32; size <= 256; size *= 2)
          printf "%s,%d,%d,%.17g,%.17g\n", s[i], size, round, round * 1e-9 * size ^ s[i + 1], 3 * size ^ s[i + 1]
  }' </dev/null
}
rows >rows.csv
cat >runs.csv <<'CSV'
study,round,threads,seconds,cpu,cells
order,1,1,2,2,1.9
order,1,2,1,2,1.9
order,2,2,1.1,2.2,2
order,2,1,2.2,2,1.9
anatomy,1,1,2,2,1
anatomy,1,2,1.5,2,1
anatomy,2,1,3,2,1
anatomy,2,2,2,2,1
CSV
page() {  # page <out> <runs.csv>
  "$build/bench/scaling" conclude --rows rows.csv --runs "$2" --out "$1.results" 2>err.txt >/dev/null &&
    "$build/perp" render --page SCALING.md --results "$1.results" --templates "$source_folder/bench/templates/scaling" --out "$1" 2>err.txt
}
check "a page" page out runs.csv
check "one file a table" [ "$(cd out/scaling && echo *.csv)" = "fits.csv points.csv speedup.csv" ]
check "two figures" [ "$(find out/figures -name 'scaling-*.svg' | wc -l)" -eq 2 ]
check "the exponent of a square law" grep -q '^| length | .* | 2.00 (no spread) | 2.00 |$' out/SCALING.md
check "a speed-up" grep -q '^| order | 2 | 2.10 | 1.05 | 2.00 .* | 1.90 | 20 |$' out/SCALING.md
check "the least and the most" grep -q '^With all threads whole studies are 1.42 to 2.00 times as fast' out/SCALING.md
check "no results.json beside the report" [ ! -e out/scaling/results.json ]
check "all findings below, and the link to them" grep -q "(scaling/FINDINGS.md#l1)" out/SCALING.md
check "… with the way back" grep -q "(../SCALING.md)" out/scaling/FINDINGS.md
check "again" page again runs.csv
check "the same bytes" diff --recursive --brief out again
sed '2d' runs.csv >uneven.csv
check "too few rounds are refused" eval '! page bad uneven.csv'
check "in one line" [ "$(wc -l <err.txt)" -eq 1 ]

complain() {  # complain <part of the message> options…
  local part=$1; shift
  "$source_folder/scripts/scaling" "$build" out "$@" 2>err.txt >/dev/null; local got=$?
  check "$* exits with 2 and says '$part'" [ "$got/$(grep -cF -- "$part" err.txt)" = 2/1 ]
}
complain "--rounds 1; a whole number above 1" --rounds 1
complain "--threads 1; there is nothing to compare" --threads 1
complain "no option --round; there are: --studies" --round 3
finish
