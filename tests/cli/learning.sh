#!/usr/bin/env bash
# The study `learning` as a program: what it refuses in one line, a learning rate that diverges, memory that is used again.
# usage: learning.sh <program>
set -uo pipefail
program=$(realpath "$1")
. "$(dirname "$0")/checks.sh"

refuse "A1" --only A1
refuse "absent.txt" --corpus absent.txt
refuse "--rate" --rate 0
refuse "--rate" --rate 0.1,0.2
"$program" --preset quick --corpus none --rate 1e6 --build kept-divergent --out results >out 2>err; got=$?
check "a rate that diverges ends with 1 (got $got)" [ "$got" -eq 1 ]
check "… says so in one line" [ "$(grep -v ' left' err | grep -c "diverged at step [0-9]*: .*; a learning rate of 1000000 is too large here (--rate)$")/$(grep -cv ' left' err)" = 1/1 ]
check "… and leaves no results" eval '[ ! -s out ] && [ ! -e results/results.json ]'
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
finish
