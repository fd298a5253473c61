#!/usr/bin/env bash
# Several ranks under mpirun: the bytes of one process, one voice, one line when something ends a run, and what was
# finished before stays. The toy has cells as unequal as they can be (tests/ranks/toy_main.cpp).
# usage: ranks.sh <build folder> [moments at which a rank of a real study is killed]
set -uo pipefail
build=$1 moments=${2:-2} studies="orthogonality distance capacity order anatomy"
command -v mpirun >/dev/null || { echo "skipped: no mpirun here; make deps-mpi"; exit 77; }
[ -x "$build/mpi/tests/toy" ] || { echo "skipped: the studies are not linked for mpirun; make build RANKS=1"; exit 77; }
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
ranks=$build/tests/ranks

toy() { "$build/tests/toy" --preset quick --threads 2 "$@"; }
toys() { local n=$1; shift; "$ranks" "$n" "$build/mpi/tests/toy" --preset quick "$@"; }
begin() { "$ranks" 3 "$@" >out 2>err & started=$!; }  # begin <program> options…
begin_toy() {  # begin_toy <name> <cells that end> options…
  begin "$build/mpi/tests/toy" --preset quick --out "$1" --build "$1.kept" --log "$1.log" --hold "$2" "${@:3}"
  until_kept "$1.kept" "$2" "$started"
}
files() { find "$1" -type f -name "$2" | wc -l; }
say() { grep -vE ' left(,| here)|cells measured' err >lines; diff lines - <<<"$1"; }

# ---- the same bytes -----------------------------------------------------------------------------------------------------
toy --out one --build one.kept --log one.log 2>err || cat err
check "one process" [ -s one/results.json ]
for n in 1 2 3 5; do
  toys "$n" --out "r$n" --build "r$n.kept" --log "r$n.log" --threads "$((n == 1 ? 2 : 1))" >out 2>err || cat err
  check "$n ranks: the same bytes" same one "r$n"
  check "$n ranks: every cell ran once" [ "$(find "r$n.log" -type f -printf '%f\n' | cut -d . -f 1 | sort -u | wc -l)/$(files "r$n.log" '*')" = 40/40 ]
  check "$n ranks: every cell is kept" [ "$(files "r$n.kept" '*.cell')" -eq 40 ]
  check "$n ranks: more than one worked" [ "$(find "r$n.log" -type f -printf '%f\n' | cut -d . -f 2 | sort -u | wc -l)" -ge "$((n == 1 ? 1 : 2))" ]
  check "$n ranks: one voice, no data" [ "$(grep -c preparing err)/$(wc -l <err)/$(wc -c <out)" = 1/2/0 ]
done
toys 3 --out r3 --build r3.kept --log r3.log 2>err
check "again: nothing is measured" grep -q " 0 cells measured, 40 reused" err

# ---- one voice -----------------------------------------------------------------------------------------------------------
once() {  # once options…: the same standard output and exit code as one process
  toy "$@" >one.out 2>one.err; local code=$?
  toys 3 "$@" >out 2>err; local got=$?
  check "$*: exit code $code (got $got)" [ "$got" -eq "$code" ]
  check "$*: the same standard output" cmp one.out out
  check "$*: the same complaint" cmp one.err err
}
once --help
once --list
once --version
once --ask hello
once --preset tiny
once --only O9
once --out a --build a.kept --log a.log --fails 20
once --out b --build b.kept --log b.log --fails 20,11,35
once --out c --build c.kept --log c.log --forget 0
toys 3 --out one.json --build r3.kept --log r3.log --json >out 2>err
check "--json: results.json, once" cmp out one/results.json
toys 3 --out d --build d.kept --log d.log --forget 2 >out 2>err
check "a rank that cannot prepare: exit code 2" [ $? -eq 2 ]
check "… and one line that names it" say "toy: rank 2: cannot read the words"

# Ranks that keep their cells apart: found out at the first one, before numbers are mixed.
printf '#!/bin/sh\nexec "%s" --build "apart.$OMPI_COMM_WORLD_RANK" "$@"\n' "$build/mpi/tests/toy" >toy && chmod +x toy
"$ranks" 3 ./toy --preset quick --threads 1 --out e --log e.log --fails 1000 >out 2>err
check "no shared folder: exit code 1" [ $? -eq 1 ]
grep -v ' left,' err >lines
check "… one line says what is expected" [ "$(grep -c 'expected one --build folder that all ranks share' lines)/$(wc -l <lines)" = 1/1 ]

# Ranks whose BLAS runs other kernels: their cells have other names. With the same kernels they are the same bytes.
if "$build/tests/toy" --version | grep -q '^BLAS *OpenBLAS' && PERP_KERNELS=Haswell "$build/tests/toy" --list >/dev/null 2>&1; then
  printf '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 0 ] || export PERP_KERNELS=Nehalem\nexec "%s" "$@"\n' "$build/mpi/tests/toy" >toy
  PERP_KERNELS=Haswell "$ranks" 3 ./toy --preset quick --threads 1 --out k --build k.kept --log k.log >out 2>err
  check "unlike kernels: exit code 1" [ $? -eq 1 ]
  grep -v ' left,' err >lines
  check "… one line names the way out" [ "$(grep -c 'PERP_KERNELS=Haswell' lines)/$(wc -l <lines)" = 1/1 ]
  export PERP_KERNELS=Nehalem
  toys 3 --out l --build l.kept --log l.log 2>err || cat err
  unset PERP_KERNELS
  check "PERP_KERNELS reaches every rank" [ "$(files l.kept '*.cell')" -eq 40 ]
else echo "skipped: two kernels, for there is no OpenBLAS with DYNAMIC_ARCH here"; fi

# perp shares the threads out among the ranks.
mkdir stubs && printf '#!/bin/sh\nprintf "%%s\\n" "$@" >said\n' >stubs/mpirun && chmod +x stubs/mpirun
for case in 8/3/2 2/5/1 4/1/4; do
  IFS=/ read -r threads n each <<<"$case"
  PATH=$work/stubs:$PATH "$build/perp" report --threads "$threads" --ranks "$n" --only O1 2>err
  check "--threads $threads --ranks $n: --threads $each for each" [ "$(grep -xA 1 -e -n said | tail -n 1)/$(grep -xA 1 -e --threads said | tail -n 1)" = "$n/$each" ]
done

# ---- ranks that die --------------------------------------------------------------------------------------------------------
rank_of() {  # rank_of <what starts mpirun> <rank>: its process
  local child process
  for child in $(pgrep -P "$1"); do
    for process in $(pgrep -P "$child"); do
      tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$2" && echo "$process" && return
    done
  done
}
until_kept() {  # until_kept <folder> <cells> <what starts mpirun>
  for _ in $(seq 1500); do
    [ -d "$1" ] && [ "$(files "$1" '*.cell')" -ge "$2" ] && return
    kill -0 "$3" 2>/dev/null || return
    sleep 0.02
  done
}
goes_on() {  # goes_on "what" <kept> <program's folder of results> <whole> command…: as many reused as were kept
  local what=$1 kept=$2 out=$3 whole=$4 before; shift 4
  before=$(files "$kept" '*.cell')
  "$@" 2>err || cat err
  check "$what: all $before finished cells are reused" grep -q " $before reused" err
  check "$what: the same bytes in the end" same "$whole" "$out"
  check "$what: nothing half-written is left" [ -z "$(find "$kept" "$out" -name '*.tmp')" ]
}
gone() {  # gone <process>…: within ten seconds, those aside that are dead and that nobody has asked about
  for _ in $(seq 100); do
    ps -o stat= -p "$(tr ' ' , <<<"$*")" | grep -qv '^Z' || return 0
    sleep 0.1
  done
  return 1
}
moment=0
for after in 1 8 16 24 32; do
  moment=$((moment + 1)) victim=$((moment % 3))
  begin_toy "k$after" "$after" --threads 2
  kill -KILL "$(rank_of "$started" "$victim")"
  wait "$started"; code=$?
  check "rank $victim killed after $after cells: exit code 1 (got $code)" [ "$code" -eq 1 ]
  check "… one line" say "toy: rank $victim was killed (signal 9); finished cells are kept; the same command continues"
  check "… no results" [ ! -e "k$after/results.json" ]
  goes_on "after $after cells" "k$after.kept" "k$after" one toys 3 --out "k$after" --build "k$after.kept" --log "k$after.log"
done
for signal in INT TERM; do
  begin_toy "s$signal" 9
  processes=$(for rank in 0 1 2; do rank_of "$started" "$rank"; done)
  # A background process of a script ignores SIGINT; in a terminal it goes to mpirun, and mpirun ends the ranks.
  if [ "$signal" = INT ]; then kill -INT "$(pgrep -P "$started" -x mpirun)"; else kill -TERM "$started"; fi
  wait "$started"; code=$?
  check "SIG$signal: exit code 1 (got $code)" [ "$code" -eq 1 ]
  check "SIG$signal: one line" say "toy: interrupted; finished cells are kept; the same command continues"
  # shellcheck disable=SC2086
  check "SIG$signal: no rank is left" gone $processes
  goes_on "SIG$signal" "s$signal.kept" "s$signal" one toys 3 --out "s$signal" --build "s$signal.kept" --log "s$signal.log"
done

# A rank that alone is asked to leave does so at once, whatever cell it is in.
begin_toy t 9
kill -TERM "$(rank_of "$started" 2)"
wait "$started"; code=$?
check "a rank leaves: exit code 1 (got $code)" [ "$code" -eq 1 ]
check "… one line" say "toy: rank 2 ended early (exit 1); finished cells are kept; the same command continues"

# mpirun itself gone: the ranks do not outlive it.
begin_toy o 5
processes=$(for rank in 0 1 2; do rank_of "$started" "$rank"; done)
kill -KILL "$(pgrep -P "$started" -x mpirun)"
wait "$started"; code=$?
check "mpirun killed: exit code 1 (got $code)" [ "$code" -eq 1 ]
check "… one line" say "toy: mpirun was killed (signal 9); finished cells are kept; the same command continues"
rm -rf o.log && mkdir o.log  # lets go of the cells that wait
# shellcheck disable=SC2086
check "mpirun killed: no rank stays" gone $processes

# ---- real studies ----------------------------------------------------------------------------------------------------------
report whole.kept whole 2>err || cat err
check "a quick report by one process" [ -s whole/REPORT.md ]
report three.kept three --ranks 3 --threads 3 2>err || cat err
check "a quick report by three ranks: the same bytes" same whole three

distance=("$build/mpi/studies/distance" --preset quick --threads 1)
all=$(grep -oP 'distance: \d+ claims, \K\d+(?= cells)' err)
landed=0
for ((moment = 1; moment <= moments; moment++)); do
  victim=$((moment % 3)) after=$((1 + all * (moment - 1) / moments))
  begin "${distance[@]}" --out "m$moment/out" --build "m$moment/kept"
  until_kept "m$moment/kept" "$after" "$started"
  kill -KILL "$(rank_of "$started" "$victim")" 2>/dev/null
  wait "$started" && { echo "moment $moment: the run was faster"; continue; }
  landed=$((landed + 1))
  check "distance, rank $victim killed after $after cells or more: one line" \
    say "distance: rank $victim was killed (signal 9); finished cells are kept; the same command continues"
  goes_on "distance, moment $moment" "m$moment/kept" "m$moment/out" whole/distance \
    "$ranks" 3 "${distance[@]}" --out "m$moment/out" --build "m$moment/kept"
done
check "kills landed inside the run ($landed of $moments)" [ "$landed" -gt 0 ]
finish
