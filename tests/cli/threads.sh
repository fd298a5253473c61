#!/usr/bin/env bash
# What runs in several threads under ThreadSanitizer: parallel loops, the store of finished cells, experiments, streamed tables.
# usage: threads.sh <build folder with -DPERP_SANITIZE=thread>
set -euo pipefail
export LC_ALL=C
build=$1
export TSAN_OPTIONS=halt_on_error=1${TSAN_OPTIONS:+:$TSAN_OPTIONS} OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
# Where addresses are spread too widely for its shadow it cannot start; then they are not spread.
start=()
"$build/test_base" --list_content >/dev/null 2>&1 || start=(setarch -R)
for part in base:parallel study:study_cell_store study:study_experiment measures:measures_stream_table; do
  program=test_${part%:*} suite=${part#*:}
  log=$("${start[@]}" "$build/$program" --run_test="$suite" --report_level=short --color_output=no 2>&1) ||
    { tail -n 40 <<<"$log" >&2; echo "threads: $suite failed" >&2; exit 1; }
  cases=$(grep -oE '[0-9]+ test cases? out of [0-9]+ passed' <<<"$log" | tail -n 1)
  echo "* $suite: ${cases:-passed}, no race found"
done
