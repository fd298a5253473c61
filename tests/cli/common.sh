# shellcheck shell=bash
# What the tests of whole runs share: checks that go on and are counted, and reports in a scratch folder.
# Source it with: build=… (the build folder) and studies=… (those that a run measures) set.
build=$(realpath "$build")
source_folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
. "$source_folder/tests/cli/checks.sh"

# What names the machine or holds seconds lies outside every promise of equal bytes.
same() { diff --recursive --brief --exclude='*.sha256' --exclude=run.json --exclude=timings.json --exclude=MACHINE.md --exclude=ARTIFACT.md --exclude=machine.html --exclude=artifact.html "$@"; }

made() { { echo 'from made import *'; cat; } | PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$source_folder/tests/cli python3 - "$@"; }  # made arguments… <<files that made.py makes

report() {  # report <kept> <out> options…: $studies without a text, so that no words are learned
  "$build/perp" report --kept "$1" --out "$2" --studies "${studies:?}" --preset quick --corpus none "${@:3}"
}
