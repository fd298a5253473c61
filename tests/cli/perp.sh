#!/usr/bin/env bash
# perp as people run it: words and their help, refusals before anything is measured, cells that a report shares with the study
# programs, what it is compared with.
# usage: perp.sh <build folder>
set -uo pipefail
build=$(realpath "$1") studies="order anatomy"
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
program=$build/perp
unset PERP_ALONE
export XDG_CACHE_HOME=$work/cache

# ---- words ------------------------------------------------------------------------------------------------------------------------
"$program" >help 2>err; code=$?
check "perp alone helps" eval '[ "$code" -eq 0 ] && grep -q "^Usage: perp COMMAND" help && [ ! -s err ]'
check "so does --help" cmp help <("$program" --help)
check "and help" cmp help <("$program" help)
for word in $(sed -nE 's/^  ([a-z-]+) .*/\1/p' help | grep -vx help); do
  "$program" help "$word" >out 2>err; code=$?
  check "perp help $word" eval '[ "$code" -eq 0 ] && [ ! -s err ] && [ "$(sed -n "s/^Usage: //p" out | cut -d " " -f 1,2)" = "perp '"$word"'" ]'
  check "… shows an example" grep -q "^  perp $word" out
  check "… is perp $word --help" cmp out <("$program" "$word" --help)
  check "… in 80 columns" eval '! LC_ALL=C.UTF-8 grep -E "^.{81}" out'
done
check "--version" [ "$("$program" --version | head -n 1)" = "$(sed -n 's/^version: /perp /p' "$source_folder/CITATION.cff")" ]
check "… names the BLAS" eval '"$program" --version | grep -q "^BLAS "'
full "$program" --help
refuse "perp: no command 'reprot'; did you mean report?; perp --help lists them" reprot
refuse "perp: no command 'nothing'; perp --help lists them" nothing
refuse "perp: no command 'reprot'; did you mean report?" help reprot
refuse 'no command '"'"'\x1b[31m'"'" $'\x1b[31m'

# ---- refusals, before anything is made ------------------------------------------------------------------------------------------
refuse "perp report: no study 'orders'; there are: orthogonality distance" report --studies orders
refuse "perp report: --only 'O99': no study has this claim; there are: O1 O2" report --only O99
refuse "perp report: --only O1: of the study orthogonality, which is not in --studies \"order\"" report --only O1 --studies order
refuse "perp report: --only M1 is measured of a model: expected --words FILE" report --only M1
refuse "perp report: no study of order has the option --rate" report --studies order --rate 1
refuse "perp report: no option --nothing (see" report --nothing
refuse "perp report: no option --onyl; did you mean --only? (see" report --onyl O4
refuse "perp list: no option --jsno; did you mean --json? (see" list --jsno=x
refuse "--heads without --query: expected both" report --heads 12
refuse "--rows without --positions: expected both" report --rows 1:3
refuse "cannot read 'absent'" report --positions absent --rows 1:3
models=$(mktemp); printf '[m]\nwords = absent.npy\n' >"$models"
refuse "cannot read 'absent.npy'" report --models "$models"; rm "$models"
refuse "--rate 0: expected one number above 0" report --rate 0
refuse "--kept: the name of a folder is empty" report --kept ''
refuse "--blas own=/usr: no libblas.so.3 in /usr" report --blas own=/usr --preset quick --studies anatomy
refuse "--only: whole studies are compared" verify --only S1
refuse "has no study order" verify --published "$work" --studies order
refuse "no folder" render --results absent
check "nothing was made" [ "$(ls -A)" = "err
help
out
said" ]

# ---- a report, here as one process and there as the study programs ----------------------------------------------------------------
quick() { "$program" report --preset quick --studies "$studies" --kept kept --out "$@"; }  # quick <out> options…
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cells"][sys.argv[2]])' "$@"; }
quick whole 2>err || cat err
check "a report" [ -s whole/REPORT.md ]
check "… says what it says" grep -q "^.*report: whole/REPORT.md$" err
check "… nothing of it lies elsewhere" eval '[ ! -e reports ] && [ ! -e perp-report ] && [ ! -e cache ]'
for study in $studies; do
  "$build/studies/$study" --preset quick --build kept --out "alone/$study" 2>err || cat err
  check "$study measures nothing again" [ "$(field "alone/$study/run.json" run)" -eq 0 ]
  check "… reads what perp kept" [ "$(field "alone/$study/run.json" reused)" -eq "$(field "whole/$study/run.json" run)" ]
  check "… and has the same bytes" same "whole/$study" "alone/$study"
  check "run.json has a command that measures it" grep -q '"--studies"' "whole/$study/run.json"
done
quick whole --pages no 2>err
check "again: nothing is measured" [ "$(grep -c ' 0 cells measured' err)" -eq 2 ]
check "--pages no: no page is written" eval '! grep -q "REPORT.md" err'
"$program" report --preset quick --studies anatomy --kept kept --out whole --fresh --pages no 2>err || cat err
check "--fresh measures again" [ "$(field whole/anatomy/run.json reused)" -eq 0 ]
quick one --only "V1,S1" --pages no 2>err
check "--only: its studies, its claims" [ "$(grep -c '"id": "[A-Z][0-9]*",' one/anatomy/results.json)/$(grep -c '"id": "[A-Z][0-9]*",' one/order/results.json)" = 1/1 ]

# Without a checkout: the report lies in the folder, cells in the user's cache.
mkdir elsewhere
(cd elsewhere && "$program" report --preset quick --studies anatomy 2>../err) || cat err
check "elsewhere: perp-report" [ -s elsewhere/perp-report/REPORT.md ]
check "… with cells in the cache" [ -d cache/perpendicular/cells ]
check "… the same study" same whole/anatomy elsewhere/perp-report/anatomy

# ---- the comparison ---------------------------------------------------------------------------------------------------------------
cp -r whole pages
"$program" render --results pages 2>err || cat err  # of numbers that were measured afresh since
"$program" verify --published pages --studies anatomy --preset quick --kept fresh >out 2>err; code=$?
check "verify measures afresh (got $code)" [ "$code" -eq 0 ]
check "… and renders what is published" grep -q pages out
sed -i 's/"value": [0-9.e-]*/"value": 0.123/' pages/anatomy/results.json
"$program" verify --published whole --fresh pages >out 2>err; code=$?
check "verify finds what moved (got $code)" [ "$code" -eq 1 ]
"$program" verify --published whole --fresh pages --preset full >out 2>err; code=$?
check "another preset is refused (got $code)" eval '[ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]'

finish
