#!/usr/bin/env bash
# The study `learning` as a program: what it refuses in one line, a learning rate that diverges, and a kill half-way after
# which the same command trains the rest and ends with the same bytes.
# usage: learning.sh <program>
set -uo pipefail
program=$(realpath "$1")
. "$(dirname "$0")/checks.sh"

refuse "--preset" --preset tiny
refuse "A1" --only A1
refuse "absent.txt" --corpus absent.txt
refuse "--rate" --rate 0
refuse "--rate" --rate 0.1,0.2
"$program" --preset quick --corpus none --rate 1e6 --build kept-divergent --out results >out 2>err; got=$?
check "a rate that diverges ends with 1 (got $got)" [ "$got" -eq 1 ]
check "… says so in one line" [ "$(grep -v ' left' err | grep -c "diverged at step [0-9]*: .*; a learning rate of 1000000 is too large here (--rate)$")/$(grep -cv ' left' err)" = 1/1 ]
check "… and leaves no results" eval '[ ! -s out ] && [ ! -e results/results.json ]'
for claim in A8 A9 A10; do
  check "--list names $claim" bash -c "'$program' --list | grep -q '^$claim '"
done

run() { "$program" --preset quick --corpus none --threads 2 --build "$1" --out "$2" 2>err; }
# In a process of its own, whose page faults are counted.
counted='import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt)
sys.exit(code)'
python3 -c "$counted" "$program" --preset quick --corpus none --threads 2 --build whole-kept --out whole >faults 2>err || cat err
all=$(find whole-kept -name '*.cell' | wc -l)
# A step's tables are some 300 pages and more, which the next step finds where they were; AddressSanitizer keeps nothing.
steps=$((all * 80)) faults=$(tail -n 1 faults)
grep -q __asan_init "$program" || check "memory is used again: $faults page faults in $steps steps" [ "$faults" -lt $((steps * 60)) ]
# The program itself, for a kill that ends a shell leaves its program running.
"$program" --preset quick --corpus none --threads 2 --build killed-kept --out killed 2>err &
pid=$!
for _ in $(seq 600); do
  [ "$(find killed-kept -name '*.cell' 2>/dev/null | wc -l)" -ge $((all / 3)) ] && break
  sleep 0.02
done
kill -KILL "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
kept=$(find killed-kept -name '*.cell' | wc -l)
check "a kill half-way keeps what was trained ($kept of $all runs)" [ "$kept" -gt 0 ] && check "… but not all" [ "$kept" -lt "$all" ]
run killed-kept killed || cat err
check "the same command trains the rest only" grep -q "$((all - kept)) cells measured, $kept reused" err
check "… and ends with the same bytes" diff -r --exclude='*.sha256' --exclude=run.json --exclude=timings.json whole killed

finish
