#!/usr/bin/env bash
# A report by parts: each measures its own cells wherever it runs, some at the same time; then the same command without --part
# measures what is missing, and its bytes are those of one run.
# usage: part.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
program=$build/perp
for variable in $(compgen -v SLURM_); do unset "$variable"; done

# A text to learn words from, so that parts that begin together prepare the same.
sentences >text.txt

quick=(report --preset quick --studies "orthogonality order" --corpus text.txt)
part() { "$program" "${quick[@]}" --kept "$1.kept" --out "$1" --part "$2" --threads 1 2>"$1.${2//\//-}.err"; }  # part <name> <part>
merge() { "$program" "${quick[@]}" --kept "$1.kept" --out "$1" 2>"$1.err" || cat "$1.err"; }
cells() { find "$1.kept" -name '*.cell' 2>/dev/null | wc -l; }
counted() { sed -nE "s/.* ([0-9]+) $1.*/\1/p" "${@:2}" | awk '{sum += $1} END {print sum + 0}'; }  # counted <what> <messages>…

merge whole
all=$(cells whole)
check "a report of $all cells" [ -s whole/REPORT.md ]

# ---- three parts, two of them at the same time ------------------------------------------------------------------------------------
part parts 1/3 & first=$!
part parts 2/3 & second=$!
wait "$first"; check "part 1 of 3 (exit code $?)" [ $? -eq 0 ] || cat parts.1-3.err
wait "$second"; check "part 2 of 3 (exit code $?)" [ $? -eq 0 ] || cat parts.2-3.err
check "both at once have learned the words of one run" diff -r whole.kept/words parts.kept/words
check "they have more to measure than kept" [ "$(cells parts)" -lt "$all" ]
part parts 3/3
check "the last part says what to type" grep -qx "perp report: part 3 of 3 is measured and kept in parts.kept; once all are, the same command without --part (make: without PART) merges them" parts.3-3.err
check "each cell was measured once" [ "$(counted 'cells measured' parts.?-3.err)/$(counted reused parts.?-3.err)/$(cells parts)" = "$all/0/$all" ]
check "… a third by each" [ "$(counted 'cells measured' parts.3-3.err)" -ge $((all / 3 - 2)) ]
check "no part writes results or pages" [ ! -e parts ]
check "… or waits for another" eval '! grep -q waiting parts.?-3.err'
merge parts
check "merged: nothing is measured again" [ "$(counted 'cells measured' parts.err)/$(counted reused parts.err)" = "0/$all" ]
check "… the same bytes as by one run" same whole parts

# ---- a part that is killed ---------------------------------------------------------------------------------------------------------
part killed 1/2
others=$(cells killed)
setsid "$program" "${quick[@]}" --kept killed.kept --out killed --part 2/2 --threads 1 2>err & started=$!
for _ in $(seq 1000); do [ "$(cells killed)" -gt "$others" ] && break; sleep 0.01; done
kill -KILL "$started"; wait "$started" 2>/dev/null
kept=$(cells killed)
check "killed with $kept of $all cells kept" [ "$kept" -lt "$all" ]
merge killed
check "what is missing is measured when merged" [ "$(counted 'cells measured' killed.err)/$(counted reused killed.err)" = "$((all - kept))/$kept" ]
check "… to the same bytes" same whole killed
check "… and leaves nothing half-written" [ -z "$(find killed.kept -name '*.tmp')" ]

# ---- a study's own program, and a scheduler's ---------------------------------------------------------------------------------------
order=("$build/studies/order" --preset quick --build own.kept --out)
for number in 1 2; do "${order[@]}" own --part "$number/2" >out 2>"own.$number.err" || cat "own.$number.err"; done
check "a study by parts" grep -q "^order: part 2 of 2 is measured and kept in own.kept; " own.2.err
"${order[@]}" own 2>own.err || cat own.err
check "… merged: nothing is measured again" grep -q " 0 cells measured" own.err
check "… the same bytes" same whole/order own
array=(env SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=3)
"${array[@]}" "${order[@]}" own --part slurm 2>err
check "a job of an array is a part" grep -q "^order: part 2 of 3 is measured" err
"${array[@]}" "${order[@]}" itself 2>err
check "… but never by itself" [ -s itself/results.json ]
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
  parallel --will-cite -j 2 "$program" report --preset quick --studies order --part {}/3 --kept parallel.kept ::: 1 2 3 2>err
  check "GNU parallel runs them (exit code $?)" [ $? -eq 0 ]
  "$program" report --preset quick --studies order --kept parallel.kept --out parallel --pages no 2>err
  check "… and nothing is left to measure" grep -q " 0 cells measured" err
else echo "skipped: no GNU parallel here"; fi

# ---- refusals ----------------------------------------------------------------------------------------------------------------------
refuse "perp report: --part '4/3': expected I/N with I from 1 to N, for example 3/16, or slurm" report --part 4/3
refuse "perp report: --part slurm: SLURM_ARRAY_TASK_ID is not set; expected a job of an array, as sbatch --array=1-16 makes" report --part slurm
SLURM_ARRAY_TASK_ID=1 refuse "SLURM_ARRAY_TASK_MIN is not set" report --part slurm
SLURM_ARRAY_TASK_ID=x refuse "SLURM_ARRAY_TASK_ID is 'x'" report --part slurm
refuse "--part and --fresh: expected one of them" report --part 1/2 --fresh
refuse "perp report: --part and --pages: expected one of them" report --part 1/2 --pages no
refuse "no option --part" verify --part 1/2
finish
