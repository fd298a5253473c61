#!/usr/bin/env bash
# Numbers alone, `perp dot`, `perp base` and `perp heads`, as the study `distance` answers them until 0.2, too: positions'
# products, bases for a context, a layer's heads, and one-line complaints.
# usage: distance.sh <program>, with perp in the folder above its own
set -uo pipefail
program=$(realpath "$1") perp=$(realpath "$(dirname "$1")/../perp")
. "$(dirname "$0")/checks.sh"

says() { grep -qE -- "$1" out; }
# The same bytes from the word, which says nothing on standard error; the study says how it is asked for.
moved() {  # moved <word> options…
  "$perp" "$@" >word 2>word.err
  check "perp $*: the same bytes" cmp out word
  check "… and says nothing else" [ ! -s word.err ]
  check "… which the study names, in one line" [ "$(grep -c "^distance: this is 'perp $1 .* ends with 0.2$" err)$(wc -l <err)" = 11 ]
}
refuse_word() { local program=$perp; refuse "$@"; }
table 40 8 1 >positions.txt; table 8 12 2 >query.txt; table 8 12 3 >key.txt
table 7 12 4 >seven.txt; table 1 12 5 >bias.txt; table 1 8 6 >gain.txt; table 1 8 7 >shift.txt; table 40 7 8 >odd.txt
# Two tensors "a" and "b" of 2 x 2 zeros as safetensors: length of the header in 8 bytes, header, data.
header='{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]}}'
{ printf "\\x$(printf %02x ${#header})\0\0\0\0\0\0\0%s" "$header"; head -c 32 /dev/zero; } >two.safetensors
given=(--positions positions.txt --query query.txt --key key.txt)

# ---- products of positions ---------------------------------------------------------------------------------------------
"$program" --dim 16 --base 10000 --pairs 105:106,5:6,5:10 --json >out 2>err
check "--pairs gives the known products" says '"dot":7\.48516.*"dot":7\.48516.*"dot":6\.13703[0-9]*\}\]\}$'
check "… as one line of JSON" [ "$(wc -l <out)" -eq 1 ]
moved dot --dim 16 --base 10000 --pairs 105:106,5:6,5:10 --json
full "$perp" dot --dim 16 --pairs 1:2 --json
refuse_word "dimension 15; expected an even number" dot --pairs 1:2 --dim 15
refuse_word "no pairs; expected --pairs T:S" dot --dim 16
refuse_word "--heads" dot --pairs 1:2 --heads 3
refuse "dimension 15; expected an even number" --pairs 1:2 --dim 15 --json
refuse "base" --pairs 1:2 --base 1 --json
refuse "base" --pairs 1:2 --base 0.5
refuse "is not t:s" --pairs 1-2
refuse "--dim without --pairs" --dim 16 --preset quick
refuse "--base without --pairs" --base 100 --json
refuse "--pairs and --heads: expected one of them" --pairs 1:2 "${given[@]}" --heads 3
refuse "--pairs and --positions: expected one of them" --pairs 1:2 --positions positions.txt --rows 0:3
refuse "--pairs and --only: expected one of them" --pairs 1:2 --only D1

# ---- bases for a context -----------------------------------------------------------------------------------------------
"$program" --base-for 512 --dim 64 --json >out 2>err
check "--base-for gives the known bases" says '^\{"base_for":512,"dim":64,"least":3438\.9075[0-9]+,"safe":5397\.722[0-9]+,"intervals":\[\[3438\.9075[0-9]+,3451\.136[0-9]+\],\[5397\.722[0-9]+,204800\]\],"exact":true\}$'
check "… as one line of JSON" [ "$(wc -l <out)" -eq 1 ]
moved base --context 512 --dim 64 --json
full "$perp" base --context 64 --json
refuse_word "--context 0: expected a whole number from 16 to 1048576" base --context 0
refuse_word "--dim 63: expected an even number from 2 to 1024 with --context" base --context 512 --dim 63
refuse_word "no context; expected --context L" base --dim 64
"$program" --base-for 512 --dim 64 >out 2>err
check "--base-for as text" says '^safe base   5397\.72 '
"$program" --base-for 256 --json >out 2>err
check "… of heads of 128 dimensions" says '"dim":128,'
"$program" --base-for 16385 --dim 4 --json >out 2>err
check "beyond 16,384 a grid, said so" says '"exact":false\}$'
"$program" --base-for 16385 --dim 64 >out 2>err
check "… in the text, too" says 'every base of the grid from it to 1e\+09'
refuse "--base-for 0: expected a whole number from 16 to 1048576" --base-for 0 --json
refuse "--base-for 1048577: expected a whole number" --base-for 1048577
refuse "--base-for 512.5: expected a whole number" --base-for 512.5
refuse "--base-for 'nonsense': expected one number" --base-for nonsense --json
refuse "--base-for -4" --base-for -4
refuse "--base-for '512,1024': expected one number" --base-for 512,1024 --json
refuse "--dim 63: expected an even number from 2 to 1024" --base-for 512 --dim 63 --json
refuse "--dim 0: expected an even number" --base-for 512 --dim 0 --json
refuse "--dim 1026: expected an even number" --base-for 512 --dim 1026
refuse "--base-for and --base: expected one of them" --base-for 512 --base 10000
refuse "--base-for and --pairs: expected one of them" --base-for 512 --pairs 1:2 --json
refuse "--base-for and --heads: expected one of them" --base-for 512 "${given[@]}" --heads 3
for word in dot base heads; do
  check "perp $word --help teaches" bash -c "'$perp' $word --help | grep -q '^  perp $word --'"
  check "… its own options alone" bash -c "! '$perp' $word --help | grep -q -- '--preset'"
done
check "the study's --help leaves them out" bash -c "! '$program' --help | grep -qE -- '--(pairs|base-for|dim|base) '"

# ---- heads ---------------------------------------------------------------------------------------------------------------
head='\{"head":[0-2],"r2":0\.[0-9]+,"control_mean":0\.[0-9]+,"control_sd":0\.[0-9]+\}'
exact="^\\{\"heads\":\\[$head,$head,$head\\],\"null\":0\\.04878[0-9]+\\}\$"
mkdir empty
(cd empty && "$program" --positions ../positions.txt --query ../query.txt --key ../key.txt --heads 3 --json) >out 2>err
check "--query with --json gives the heads" says "$exact"
check "… as one line" [ "$(wc -l <out)" -eq 1 ]
check "… writes no file" rmdir empty
moved heads "${given[@]}" --heads 3 --json
cp out first
refuse_word "no weights; expected --positions FILE" heads --positions positions.txt
"$perp" heads "${given[@]}" --heads 3 >word 2>err
check "… and as text" grep -qE '^     2    0\.[0-9]{4}    0\.[0-9]{4} ± 0\.[0-9]{4}$' word
"$program" "${given[@]}" --heads 3 --json --threads 1 >out 2>err
check "one thread, the same bytes" cmp first out
"$program" "${given[@]}" --heads 3 --rows 3:23 --query-bias bias.txt --key-bias bias.txt --layernorm gain.txt,shift.txt --json >out 2>err
check "rows, biases and LayerNorm" says '"null":0\.0952[0-9]+\}$'
check "… change the heads" bash -c '! cmp -s first out'

# ---- what does not fit -----------------------------------------------------------------------------------------------------
for mode in --json "--preset quick"; do
  refuse "7 x 12 weights for positions of 8 dimensions; expected 8 rows" --positions positions.txt --query seven.txt --key key.txt --heads 3 $mode
  refuse "7 x 12 weights for positions of 8 dimensions" --positions positions.txt --query query.txt --key seven.txt --heads 3 $mode
  refuse "--heads 5: does not divide the 12 columns" "${given[@]}" --heads 5 $mode
  refuse "heads of 12 columns out of positions of 8 dimensions" "${given[@]}" --heads 1 $mode
  refuse "expected 12 numbers in a row" "${given[@]}" --heads 3 --query-bias gain.txt $mode
  refuse "expected 12 numbers in a row" "${given[@]}" --heads 3 --key-bias gain.txt $mode
  refuse "expected GAIN,BIAS" "${given[@]}" --heads 3 --layernorm gain.txt $mode
  refuse "expected 8 numbers in a row" "${given[@]}" --heads 3 --layernorm gain.txt,bias.txt $mode
  refuse "rows 30:41 of a table of 40" "${given[@]}" --heads 3 --rows 30:41 $mode
  refuse "--query without --key" --positions positions.txt --query query.txt --heads 3 $mode
  refuse "--key without --query" --positions positions.txt --key key.txt --heads 3 $mode
  refuse "--query without --positions" --query query.txt --key key.txt --heads 3 $mode
  refuse "--query without --heads" "${given[@]}" $mode
  refuse "has no tensor 'c'; it has 'a', 'b'" --positions two.safetensors:c --query query.txt --key key.txt --heads 3 $mode
  refuse "absent.npy" --positions absent.npy --query query.txt --key key.txt --heads 3 $mode
done
refuse "expected FILE:TENSOR with one of 'a', 'b'" --positions two.safetensors --preset quick --only Q1
refuse "--rows without --positions" --rows 0:2 --preset quick --only Q1

# ---- the study with a table --------------------------------------------------------------------------------------------------
"$program" --positions positions.txt --preset quick --only Q4 --build build --out with 2>err
check "a table given: its file is named by base name and hash" grep -q '"name": "positions.txt"' with/results.json
check "--help teaches the options" bash -c "'$program' --help | grep -q -- '--layernorm GAIN,BIAS'"
refuse "--list and --positions: expected one of them" --list --positions absent.npy
refuse "--pairs and --seed: expected one of them" --pairs 1:2 --seed 2
refuse "--base-for and --out: expected one of them" --base-for 512 --out made

finish
