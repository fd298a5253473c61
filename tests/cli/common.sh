# shellcheck shell=bash
# What the tests of whole runs share: checks that go on and are counted, and runs of scripts/report in a scratch folder.
# Source it with: build=… (the build folder) and studies=… (those that a run measures) set.
build=$(realpath "$build")
source_folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
. "$source_folder/tests/cli/checks.sh"

# What names the machine or holds seconds lies outside every promise of equal bytes.
same() { diff --recursive --brief --exclude=run.json --exclude=timings.json --exclude=MACHINE.md --exclude=ARTIFACT.md "$@"; }

report() {  # report <kept> <out> options…: $studies without a text, so that no words are learned
  "$source_folder/scripts/report" "$build" "$1" "$2" "${studies:?}" --preset quick --corpus none "${@:3}"
}
