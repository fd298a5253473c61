# shellcheck shell=bash
# What the tests of whole runs share: checks that go on and are counted, and runs of scripts/report in a scratch folder.
# Source it with: build=… (the build folder) and studies=… (those that a run measures) set.
build=$(realpath "$build")
source_folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() {  # check "what" condition…
  local what=$1; shift
  if "$@"; then echo "ok: $what"; else echo "FAILED: $what"; failures=$((failures + 1)); fi
}
finish() { echo "$failures failed"; [ "$failures" -eq 0 ]; }

# What names the machine or holds seconds lies outside every promise of equal bytes.
same() { diff --recursive --brief --exclude=run.json --exclude=timings.json --exclude=MACHINE.md "$@"; }

report() {  # report <kept> <out> options…: $studies without a text, so that no words are learned
  "$source_folder/scripts/report" "$build" "$1" "$2" "${studies:?}" --preset quick --corpus none "${@:3}"
}
