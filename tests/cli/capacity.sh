#!/usr/bin/env bash
# What the study `capacity` refuses, in one line each and with exit code 2; that it lists its claims and teaches.
# usage: capacity.sh <program>
set -uo pipefail
program=$(realpath "$1")
. "$(dirname "$0")/checks.sh"

refuse "--preset" --preset tiny
refuse "A9" --only A9
refuse "--nothing" --nothing
refuse "absent.npy" --words absent.npy --preset quick
refuse "without --words" --rows 1:2
refuse "--threads" --threads 0
refuse "is no seed; expected a whole number from 0 to 18446744073709551615" --seed x
refuse "is no seed" --seed 18446744073709551616
refuse "expected one of them" --words a.npy --corpus b.txt
# Word vectors of a shape that random words of the study have, too.
awk 'BEGIN { srand(7); print 1000, 300
  for (w = 0; w < 1000; ++w) { printf "w%d", w; for (j = 0; j < 300; ++j) printf " %.3f", rand() - 0.5; print "" } }' >given.txt
check "given words of 1,000 x 300 are measured" "$program" --preset quick --only A1 --words given.txt --out given --build kept 2>err
check "--help teaches" bash -c "'$program' --help | grep -q Examples"
for claim in A1 A2 A3 A4 A5 A6 A7 Q3; do
  check "--list names $claim" bash -c "'$program' --list | grep -q '^$claim '"
done

finish
