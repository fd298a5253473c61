#!/bin/bash
# run.sh BUILD CORPUS RUNS SECONDS [READER…]: each fuzzer RUNS times, or for SECONDS at most (0: no limit). What
# it learns stays in BUILD/corpus, an input that fails in BUILD/found; standard output gets one line a reader.
set -eu -o pipefail
build=$1 corpus=$2 runs=$3 seconds=$4
shift 4
[ $# -gt 0 ] || set -- npy safetensors index gguf text
# A busy machine may leave a fuzzer without a processor for a minute; only what never ends is a failure.
# The inputs are 2 KiB at most: whoever allocates two MiB at once, or much in all, has believed a header.
limits=(-max_len=2048 -malloc_limit_mb=2 -rss_limit_mb=400 -timeout=300)
export ASAN_OPTIONS=quarantine_size_mb=4:malloc_context_size=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}
for reader in "$@"; do
  mkdir -p "$build/corpus/$reader" "$build/found"
  log=$build/$reader.log
  if ! "$build/fuzz_$reader" "${limits[@]}" -runs="$runs" -max_total_time="$seconds" -print_final_stats=1 \
      -dict="$(dirname "$0")/tokens.dict" -artifact_prefix="$build/found/$reader-" \
      "$build/corpus/$reader" "$corpus/$reader" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "$reader: failed; see $log and $build/found" >&2
    exit 1
  fi
  awk -v reader="$reader" '/number_of_executed_units/ {n = $2} /average_exec_per_sec/ {rate = $2}
    /peak_rss_mb/ {rss = $2} END {printf "%s: %d runs%s, at most %d MiB, none failed\n", reader, n,
      (rate > 0 ? ", " rate " a second" : ""), rss}' "$log"
done
