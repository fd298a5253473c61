#!/usr/bin/env bash
# The same bytes of the whole report with another number of threads, from another folder, in another locale and time zone.
# usage: bytes.sh <build folder>
set -uo pipefail
build=$1 studies="orthogonality distance capacity order learning anatomy"
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

again() {  # again "what" <folder> command…: a run with nothing kept
  local what=$1 folder=$2; shift 2
  "$@" "$folder/kept" "$folder/out" --threads "${threads:-2}" >/dev/null 2>err || { cat err; check "$what runs" false; return; }
  check "$what: the same bytes" same first/out "$folder/out"
}
report first/kept first/out --threads 2 2>err || cat err
check "a quick report" [ -s first/out/REPORT.md ]
check "… with figures" [ -n "$(find first/out/figures -name '*.svg')" ]
where="another time zone" place=C
if locale -a | grep -qiE '^de_DE\.utf-?8$'; then
  where="German numbers, $where" place=de_DE.UTF-8
else echo "skipped: locale de_DE.UTF-8 is not generated; make deps-ci does it"; fi
mkdir -p "other folder/below" && cd "other folder/below" && ln -s ../../first first
LC_ALL=$place TZ=Asia/Tokyo threads=1 again "one thread, another folder, $where" . report
cd ../..
finish
