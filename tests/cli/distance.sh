#!/usr/bin/env bash
# Numbers alone: `perp dot`, `perp base` and `perp heads`, and what the study `distance` does with a table of positions.
# usage: distance.sh <program>, with perp in the folder above its own
set -uo pipefail
study=$(realpath "$1") perp=$(realpath "$(dirname "$1")/../perp")
. "$(dirname "$0")/checks.sh"

program=$perp
says() { grep -qE -- "$1" out; }
table 40 8 1 >positions.txt; table 8 12 2 >query.txt; table 8 12 3 >key.txt
table 7 12 4 >seven.txt; table 1 12 5 >bias.txt; table 1 8 6 >gain.txt; table 1 8 7 >shift.txt
# Two tensors "a" and "b" of 2 x 2 zeros as safetensors: length of the header in 8 bytes, header, data.
header='{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]}}'
{ printf "\\x$(printf %02x ${#header})\0\0\0\0\0\0\0%s" "$header"; head -c 32 /dev/zero; } >two.safetensors

# ---- products of positions ---------------------------------------------------------------------------------------------
"$perp" dot --dim 16 --base 10000 --pairs 105:106,5:6,5:10 --json >out 2>err
check "dot gives the known products" says '"dot":7\.48516.*"dot":7\.48516.*"dot":6\.13703[0-9]*\}\]\}$'
check "… as one line of JSON" [ "$(wc -l <out)" -eq 1 ]
check "… and says nothing else" [ ! -s err ]
full "$perp" dot --dim 16 --pairs 1:2 --json
refuse "dimension 15; expected an even number" dot --pairs 1:2 --dim 15
refuse "no pairs; expected --pairs T:S" dot --dim 16
refuse "--heads" dot --pairs 1:2 --heads 3
refuse "base" dot --pairs 1:2 --base 1
refuse "is not t:s" dot --pairs 1-2

# ---- bases for a context -----------------------------------------------------------------------------------------------
"$perp" base --context 512 --dim 64 --json >out 2>err
check "base gives the known bases" says '^\{"base_for":512,"dim":64,"least":3438\.9075[0-9]+,"safe":5397\.722[0-9]+,"intervals":\[\[3438\.9075[0-9]+,3451\.136[0-9]+\],\[5397\.722[0-9]+,204800\]\],"exact":true\}$'
check "… as one line of JSON" [ "$(wc -l <out)" -eq 1 ]
full "$perp" base --context 64 --json
"$perp" base --context 512 --dim 64 >out 2>err
check "… as text" says '^safe base   5397\.72 '
"$perp" base --context 256 --json >out 2>err
check "… of heads of 128 dimensions" says '"dim":128,'
"$perp" base --context 16385 --dim 4 --json >out 2>err
check "beyond 16,384 a grid, said so" says '"exact":false\}$'
"$perp" base --context 16385 --dim 64 >out 2>err
check "… in the text, too" says 'every base of the grid from it to 1e\+09'
for wrong in 0 1048577 512.5 -4; do refuse "--context $wrong: expected a whole number from 16 to 1048576" base --context=$wrong; done
for wrong in nonsense 512,1024; do refuse "--context '$wrong': expected one number" base --context $wrong; done
for wrong in 63 0 1026; do refuse "--dim $wrong: expected an even number from 2 to 1024 with --context" base --context 512 --dim $wrong; done
refuse "no context; expected --context L" base --dim 64
for word in dot base heads; do
  check "perp $word --help teaches" bash -c "'$perp' $word --help | grep -q '^  perp $word --'"
  check "… its own options alone" bash -c "! '$perp' $word --help | grep -q -- '--preset'"
done

# ---- heads ---------------------------------------------------------------------------------------------------------------
given=(heads --positions positions.txt --query query.txt --key key.txt)
head='\{"head":[0-2],"r2":0\.[0-9]+,"control_mean":0\.[0-9]+,"control_sd":0\.[0-9]+\}'
exact="^\\{\"heads\":\\[$head,$head,$head\\],\"null\":0\\.04878[0-9]+\\}\$"
"$perp" "${given[@]}" --heads 3 --json >out 2>err
check "heads gives the heads" says "$exact"
check "… as one line" [ "$(wc -l <out)" -eq 1 ]
cp out first
"$perp" "${given[@]}" --heads 3 >out 2>err
check "… and as text" says '^     2    0\.[0-9]{4}    0\.[0-9]{4} ± 0\.[0-9]{4}$'
"$perp" "${given[@]}" --heads 3 --json --threads 1 >out 2>err
check "one thread, the same bytes" cmp first out
"$perp" "${given[@]}" --heads 3 --rows 3:23 --query-bias bias.txt --key-bias bias.txt --layernorm gain.txt,shift.txt --json >out 2>err
check "rows, biases and LayerNorm" says '"null":0\.0952[0-9]+\}$'
check "… change the heads" bash -c '! cmp -s first out'
refuse "no weights; expected --positions FILE" heads --positions positions.txt
refuse "7 x 12 weights for positions of 8 dimensions; expected 8 rows" heads --positions positions.txt --query seven.txt --key key.txt --heads 3
refuse "7 x 12 weights for positions of 8 dimensions" heads --positions positions.txt --query query.txt --key seven.txt --heads 3
refuse "--heads 5: does not divide the 12 columns" "${given[@]}" --heads 5
refuse "heads of 12 columns out of positions of 8 dimensions" "${given[@]}" --heads 1
refuse "expected 12 numbers in a row" "${given[@]}" --heads 3 --query-bias gain.txt
refuse "expected 12 numbers in a row" "${given[@]}" --heads 3 --key-bias gain.txt
refuse "expected GAIN,BIAS" "${given[@]}" --heads 3 --layernorm gain.txt
refuse "expected 8 numbers in a row" "${given[@]}" --heads 3 --layernorm gain.txt,bias.txt
refuse "rows 30:41 of a table of 40" "${given[@]}" --heads 3 --rows 30:41
refuse "--query without --key" heads --positions positions.txt --query query.txt --heads 3
refuse "--key without --query" heads --positions positions.txt --key key.txt --heads 3
refuse "--query without --positions" heads --query query.txt --key key.txt --heads 3
refuse "--query without --heads" "${given[@]}"
refuse "has no tensor 'c'; it has 'a', 'b'" heads --positions two.safetensors:c --query query.txt --key key.txt --heads 3
refuse "absent.npy" heads --positions absent.npy --query query.txt --key key.txt --heads 3

# ---- the study with a table --------------------------------------------------------------------------------------------------
program=$study
"$study" --positions positions.txt --preset quick --only Q4 --build build --out with 2>err
check "a table given: its file is named by base name and hash" grep -q '"name": "positions.txt"' with/results.json
check "--help teaches the options" bash -c "'$study' --help | grep -q -- '--layernorm GAIN,BIAS'"
refuse "--query without --key" --positions positions.txt --query query.txt --heads 3 --preset quick
refuse "expected FILE:TENSOR with one of 'a', 'b'" --positions two.safetensors --preset quick --only Q1
refuse "--rows without --positions" --rows 0:2 --preset quick --only Q1
refuse "--list and --positions: expected one of them" --list --positions absent.npy
refuse "--pairs" --pairs 1:2

finish
