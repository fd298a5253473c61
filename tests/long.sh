#!/usr/bin/env bash
# The long checks of `make sanitize`, `sanitize-threads`, `coverage`, `mutate` and `fuzz`; what they come to is noted for docs/TRUST.md.
# usage: long.sh <check> <build> <jobs> [argument]…
set -euo pipefail
export LC_ALL=C
. "$(dirname "$0")/../scripts/usage" 3 9999 0 "$@"
cd "$(dirname "$0")/.."
what=$1 build=$2/$1 jobs=$3; shift 3
note() { tests/trust "$(dirname "$build")" "$1" "make $what"; }
compile() { scripts/compile "$build" "$jobs" "" "$@"; }

case $what in
  # By clang, which compiles this in a quarter to a half of the time that g++ takes; .ci/run says why -O1.
  sanitize)
    compile -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DPERP_SANITIZE=address,undefined
    ctest --test-dir "$build" --output-on-failure -j "$jobs" --timeout 7200 | tee "$build/log"
    awk '/tests passed/ {passed = $0} /\(Skipped\)/ {skipped++} END {print passed "; " skipped + 0 " skipped"}' "$build/log" |
      note "all tests under AddressSanitizer and UndefinedBehaviorSanitizer" ;;
  sanitize-threads)
    compile -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPERP_SANITIZE=thread test_base test_study test_measures
    tests/cli/threads.sh "$build" | tee "$build/log"
    note "parallel loops, cell store, experiments and streamed tables under ThreadSanitizer" <"$build/log" ;;
  # Those that make the same quick report again and again, for its bytes, killed, verified, would take most of the time.
  coverage)
    compile -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 "-DCMAKE_CXX_FLAGS=--coverage -fprofile-update=atomic"
    find "$build" -name '*.gcda' -delete
    ctest --test-dir "$build" --output-on-failure -E '^(cli_bytes|cli_commands|cli_survival|cli_verify)$'
    gcovr --root . --filter lib/perp --filter studies --filter reports --filter program --exclude-throw-branches \
      --exclude-unreachable-branches -j "$jobs" --json-summary "$build/summary.json" "$build"
    tests/coverage.py "$build/summary.json" | tee "$build/log"
    note "lines and branches that tests reach (asked for in lib: 97 % and 85 %)" <"$build/log" ;;
  mutate)
    tests/mutations/run.py --folder "$build" --jobs "$jobs" "$@" && status=0 || status=$?
    tests/mutations/run.py --folder "$build" --table | awk -F ' *[|] *' '$2 == "all" {print $5 " of " $4 " noticed"}' |
      note "single changes to the sources that a test notices (asked for: nine of ten)"
    exit "$status" ;;
  fuzz)  # fuzz … [--runs N] [--seconds N]: tries of each reader; 0 seconds are no limit
    runs=2000000 seconds=0
    while [ $# -gt 0 ]; do
      case $1 in
        --runs) runs=${2:-} ;; --seconds) seconds=${2:-} ;;
        *) echo "fuzz: no option $1; there are: --runs --seconds" >&2; exit 2 ;;
      esac
      shift; shift || true
    done
    compile -DCMAKE_CXX_COMPILER=clang++ -DPERP_FUZZ=ON -DPERP_TESTS=OFF fuzzers
    tests/fuzz/run.sh "$build" tests/fuzz/corpus "$runs" "$seconds" | tee "$build/log"
    note "made-up files to every reader of files, under the sanitizers" <"$build/log" ;;
  *) echo "long.sh: no check '$what'; there are: sanitize sanitize-threads coverage mutate fuzz" >&2; exit 2 ;;
esac
