#!/usr/bin/env bash
# perp bench --benchmark_… as users of Google Benchmark know such programs: list, filter, repetitions, interleaving, JSON with
# what the BLAS says of itself, and their own compare.py.
# usage: gbench.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
worker=$build/bench/worker
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 BLIS_NUM_THREADS=1 MKL_NUM_THREADS=1
bench() { "$build/perp" bench "$@"; }

bench --benchmark_list_tests >list
check "all rows by name" [ "$(wc -l <list)" -gt 80 ]
check "… in the form of results.csv" grep -qx 'gemm/bare/f32/64x64x64/real_time' list
short=(--benchmark_filter='^gemm_small/bare/f32/(8x8x8|16x16x16)/' --benchmark_min_time=0.001)
bench "${short[@]}" --benchmark_repetitions=2 --benchmark_enable_random_interleaving=true --benchmark_format=json \
  --benchmark_out=file.json >said.json 2>err
check "an answer in JSON" python3 -m json.tool said.json /dev/null
check "… and in a file" python3 -m json.tool file.json /dev/null
check "… that names no folder" bash -c "grep -q '\"executable\": \"perp bench\"' said.json"
check "two rows, two repetitions" [ "$(grep -c '"run_type": "iteration"' said.json)" -eq 4 ]
check "the BLAS is in the context" grep -qE '"blas": "[A-Za-z]+"' said.json
check "… without its folder" bash -c "! grep -q '/lib' said.json"
# FLOP/s over bytes/s is operations over bytes: 2n³ / (4 · 4n²) = n/8, that is 1 for n = 8 and 2 for n = 16.
counters() { python3 -c '
import json
for run in json.load(open("said.json"))["benchmarks"]:
    if run["run_type"] == "iteration":
        print(run["run_name"].split("/")[3], round(run["FLOP/s"] / run["bytes/s"], 6), run["FLOP/s"] * run["real_time"] * 1e-9)'; }
check "counters in FLOP/s and bytes/s" [ "$(counters | cut -d' ' -f1,2 | sort -u | tr '\n' ' ')" = "16x16x16 2.0 8x8x8 1.0 " ]
check "a rate times its time is the work" bash -c "$(declare -f counters); counters | awk '{n = \$1 + 0; if (\$3 < 1.99 * n^3 || \$3 > 2.01 * n^3) exit 1}'"
bench --benchmark_nonsense >said 2>err; got=$?
check "an unknown option is refused (got $got)" [ "$got" -eq 2 ]
for filter in no_such_row '('; do
  bench --benchmark_filter="$filter" >said 2>err; got=$?
  check "a filter that fits no row, '$filter', is refused (got $got)" [ "$got" -eq 2 ]
done
bench --threads 2 "${short[@]}" --benchmark_format=json >two.json 2>err
check "threads are as many as asked for" bash -c "grep -qE '\"blas_threads\": \"[02]\"' two.json"
bench --threads 0 "${short[@]}" >said 2>err; got=$?
check "… and none is refused (got $got)" [ "$got/$(wc -l <err)" = 2/1 ]
full "$worker" --help
full "$worker" --benchmark_list_tests
"$worker" "${short[@]}" >/dev/full 2>err; got=$?
check "times that cannot be written end with 1 (got $got)" [ "$got" -eq 1 ]
check "… with the cause" grep -q "^worker: cannot write to standard output: No space left" err

compare=/usr/share/benchmark/compare.py
if [ -e "$compare" ] && /usr/bin/python3 -c 'import scipy.stats' 2>/dev/null; then
  /usr/bin/python3 -B "$compare" --no-color benchmarks file.json said.json >compared 2>err; got=$?
  check "Google Benchmark's compare.py reads it (got $got)" [ "$got" -eq 0 ]
  check "… row by row" grep -q '^gemm_small/bare/f32/8x8x8/real_time ' compared
else
  echo "skipped: compare.py, for want of libbenchmark-tools and SciPy"
fi
finish
