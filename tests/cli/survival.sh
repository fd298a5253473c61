#!/usr/bin/env bash
# SIGKILL at moments spread over a quick report, a full disk, a limit on the size of files: what has a final name is whole,
# the same command goes on to the same bytes, and an earlier report stays as it was.
# usage: survival.sh <build folder> [moments]
set -uo pipefail
build=$1 moments=${2:-20} studies=orthogonality
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

start=$(date +%s%N)
report whole/kept whole/out 2>err || cat err
took=$(($(date +%s%N) - start))
check "a quick report, undisturbed" [ -s whole/out/REPORT.md ]

# A file under its final name has the bytes that it has in the end; of run.json and timings.json every brace is closed.
whole_files() {
  local file status=0
  while IFS= read -r file; do
    case "$file" in
      */run.json | */timings.json) [ "$(tail -c 2 "$1/$file")" = "}" ] ;;
      *.sha256 | */MACHINE.md | */ARTIFACT.md | */machine.html | */artifact.html | */.perp-*.tmp) ;;
      *) cmp "$1/$file" "whole/out/$file" ;;
    esac || { echo "truncated: $file"; status=1; }
  done < <(cd "$1" && find . -type f)
  return "$status"
}

# A run that ended before its kill was faster than the first one: count on less time from then on, and try again.
landed=0 tries=0
for ((moment = 1; moment <= moments; moment++)); do
  folder=kill$moment
  mkdir "$folder"
  wait_ns=$((took * (2 * moment - 1) / (2 * moments)))
  setsid "$build/perp" report --kept "$folder/kept" --out "$folder/out" --studies "$studies" --preset quick \
    --corpus none 2>"$folder/err" &
  pid=$!
  sleep "$(printf '%d.%09d' $((wait_ns / 1000000000)) $((wait_ns % 1000000000)))"
  kill -KILL -- "-$pid" 2>/dev/null && killed=yes || killed=no
  wait "$pid" 2>/dev/null
  if [ "$killed" = yes ]; then landed=$((landed + 1)); elif [ $((++tries)) -le 20 ]; then
    took=$((took * 4 / 5)) moment=$((moment - 1))
    rm -rf "$folder"
    continue
  fi
  # What a process was writing is cleared away once the process is gone, and that may take the system a moment.
  for _ in $(seq 40); do kill -0 -- "-$pid" 2>/dev/null || break; sleep 0.05; done
  mkdir -p "$folder/out"
  check "moment $moment: what has a final name is whole" whole_files "$folder/out"
  report "$folder/kept" "$folder/out" 2>err || cat err
  check "moment $moment: the same command, the same bytes" same whole/out "$folder/out"
  check "moment $moment: nothing half-written is left" [ -z "$(find "$folder" -name '*.tmp')" ]
  rm -rf "$folder"
done
check "kills landed inside the run ($landed of $moments)" [ "$landed" -gt 0 ]

# A signal while figures are made (render.sh has more of them): a program that hangs is ended, too, and what was measured stays.
program stubs/gnuplot <<<"echo \$\$ >'$work/started'; sleep 30; touch '$work/finished'"
PATH=$work/stubs:$PATH setsid "$build/perp" report --kept whole/kept --out drawn --studies "$studies" --preset quick --corpus none 2>err & pid=$!
for _ in $(seq 1200); do [ -s started ] && break; sleep 0.05; done
check "gnuplot is at work" [ -s started ]
kill -TERM "$pid"; wait "$pid"; got=$?
check "TERM while gnuplot is at work ends the report (got $got)" [ "$got" -eq 1 ]
check "… and one line says so" [ "$(grep -c '^perp report: interrupted$' err)" -eq 1 ]
check "… and it" eval '! kill -0 "$(cat started)" 2>/dev/null'
check "… before it is done" [ ! -e finished ]
check "… what was measured stays" [ -s drawn/orthogonality/results.json ]
check "… and half a report is none" [ ! -e drawn/REPORT.md ]

complains() {  # complains "what" <exit code>: one line on err, progress and results aside
  check "$1 exits with 1 (got $2)" [ "$2" -eq 1 ]
  check "$1 is one line" [ "$(grep -cvE ' left(,| here)|cells measured' err)" -eq 1 ]
  check "$1 names the file" grep -qE "\.(cell|csv|json|svg|md|gp)\b" err
}

# The earlier report lies there when a run with other numbers finds no room.
cp -r whole limited
(ulimit -f 8; report limited/kept limited/out --seed 2 2>err >/dev/null)
complains "a limit on the size of files" $?
check "… and the earlier report is whole" same whole/out limited/out

# The renderer alone, with new results that differ from those the report was made of.
report other/kept other/out --seed 2 2>/dev/null
render() { "$build/perp" render --results other/out --out "$1"; }
(ulimit -f 40; trap '' XFSZ; render limited/out 2>err >/dev/null)
complains "a limit on the renderer's files" $?
check "… and the earlier pages are whole" same whole/out limited/out

size=$(($(du -sk whole/out | cut -f 1) * 3))
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o "size=${size}k" tmpfs disk 2>/dev/null; then
  trap 'umount "$work/disk"; rm -rf "$work"' EXIT
  cp -r whole/out disk/out
  head -c "${size}k" /dev/zero >disk/filler 2>/dev/null
  truncate -s -16K disk/filler  # room for a table or two, not for those of a study
  report free/kept disk/out --seed 2 2>err >/dev/null
  complains "a full disk under the results" $?
  check "… and the earlier report is whole" same whole/out disk/out
  render disk/out 2>err >/dev/null
  complains "a full disk under the pages" $?
  check "… and the earlier pages are whole" same whole/out disk/out
  rm disk/filler
  report free/kept disk/out --seed 2 2>err >/dev/null
  check "with room again the same command finishes" same other/out disk/out
  umount disk && trap 'rm -rf "$work"' EXIT
else echo "skipped: a full disk needs root and a mount of tmpfs"; fi
finish
