#!/usr/bin/env bash
# What the study `order` refuses, in one line each and with exit code 2; that it lists its claims and teaches.
# usage: order.sh <program>
set -uo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

check() {  # check "what" condition…
  local what=$1; shift
  if "$@"; then echo "ok: $what"; else echo "FAILED: $what"; failures=$((failures + 1)); fi
}
refuse() {  # refuse <part of the message> options…
  local part=$1; shift
  "$program" "$@" --out results >out 2>err; local got=$?
  check "$* exits with 2 (got $got)" [ "$got" -eq 2 ]
  check "$* says '$part'" grep -q -- "$part" err
  check "$* is one line" [ "$(wc -l <err)" -eq 1 ]
  check "$* leaves nothing" [ ! -s out ] && check "$* writes no file" [ ! -e results/results.json ]
}
refuse "--preset" --preset tiny
refuse "S9" --only S9
refuse "--words" --words absent.npy
refuse "--threads" --threads 0
refuse "--seed" --seed x
check "--help teaches" bash -c "'$program' --help | grep -q Examples"
for claim in S1 S2 S3 S4; do
  check "--list names $claim" bash -c "'$program' --list | grep -q '^$claim '"
done

echo "$failures failed"
[ "$failures" -eq 0 ]
