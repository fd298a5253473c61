#!/usr/bin/env bash
# What the study `order` refuses, in one line each and with exit code 2; that it lists its claims and teaches.
# usage: order.sh <program>
set -uo pipefail
program=$(realpath "$1")
. "$(dirname "$0")/checks.sh"

refuse "--preset" --preset tiny
refuse "S9" --only S9
refuse "--words" --words absent.npy
refuse "--threads" --threads 0
refuse "is no seed; expected a whole number from 0 to 18446744073709551615" --seed x
refuse "is no seed" --seed 18446744073709551616
check "--help teaches" bash -c "'$program' --help | grep -q Examples"
for claim in S1 S2 S3 S4; do
  check "--list names $claim" bash -c "'$program' --list | grep -q '^$claim '"
done

finish
