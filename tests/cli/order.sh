#!/usr/bin/env bash
# What the study `order` refuses, in one line each and with exit code 2; that it lists its claims and teaches.
# usage: order.sh <program>
set -uo pipefail
program=$(realpath "$1")
. "$(dirname "$0")/checks.sh"

usual S1 S2 S3 S4
refuse "S9" --only S9
refuse "--words" --words absent.npy
finish
