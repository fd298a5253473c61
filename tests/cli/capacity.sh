#!/usr/bin/env bash
# The study `capacity`: another's claim, its own, which it lists; `perp reader`.
# usage: capacity.sh <program>, with perp in the folder above its own
set -uo pipefail
program=$(realpath "$1") perp=$(realpath "$(dirname "$1")/../perp")
. "$(dirname "$0")/checks.sh"

refuse "A9" --only A9
check "--list names the claims" [ "$("$program" --list | cut -d ' ' -f 1 | grep -xcE 'A[1-7]|Q3')" -eq 8 ]

# ---- what adding costs a linear classifier ------------------------------------------------------------------------------------------
program=$(word_of "$perp" reader)
"$program" --dim 768 --words 50257 --positions 1024 >out 2>err
check "at GPT-2's size, in words" grep -qE '^adding costs  +0\.144 bits, 0\.56% of the bits$' out
check "… on one screen" eval '[ "$(wc -l <out)" -lt 24 ] && [ "$(wc -L <out)" -le 80 ] && [ ! -s err ]'
"$program" --dim 64 --words 256 --positions 64 --carried 50 --json >out 2>err
check "as JSON with every field" python3 -c 'import json
a = json.load(open("out"))
assert list(a) == ["dim", "words", "positions", "carried", "ceiling_bits", "bits_per_dimension", "noise", "concatenation_width",
  "concatenation_share", "concatenation_bits", "sum_share", "sum_bits", "loss_bits", "loss_share", "law", "dim_checked"], list(a)
assert abs(a["concatenation_bits"] - 7) < 0.01 and abs(a["concatenation_bits"] - a["sum_bits"] - a["loss_bits"]) < 1e-9
assert a["ceiling_bits"] == 14 and abs(a["loss_share"] - a["loss_bits"] / 14) < 1e-9 and a["dim_checked"] == [32, 2048]'
"$program" --dim 16 --words 100 --positions 10 >out 2>err
check "outside of what was checked it says so" grep -q "your width lies outside" out
full "$perp" reader --dim 32 --words 256 --positions 64
refuse "no dim; expected --dim N" --words 2 --positions 2
refuse "dimension 8; expected 16 to 16384" --dim 8 --words 256 --positions 64
refuse "1 words; expected 2 to 100000000" --dim 64 --words 1 --positions 64
for wrong in 0 64,128 many; do refuse "--positions '$wrong': expected a whole number from 1" --dim 64 --words 256 --positions "$wrong"; done

finish
