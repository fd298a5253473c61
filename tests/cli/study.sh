#!/usr/bin/env bash
# The study as a program: exit codes, one-line complaints, kills, a full disk, the same bytes throughout.
# usage: study.sh <program>
set -uo pipefail
program=$(realpath "$1")
. "$(dirname "$0")/checks.sh"
run=("$program" --preset quick --corpus none)

one_line() { [ "$(wc -l <"$1")" -eq 1 ]; }
same() { diff --recursive --brief --exclude='*.sha256' --exclude=run.json --exclude=timings.json "$1" "$2"; }

# ---- complaints -------------------------------------------------------------------------------------------------------
refuse "--preset" --preset tiny
refuse "absent.npy" --words absent.npy --preset quick
refuse "is no seed; expected a whole number from 0 to 18446744073709551615" --seed x
refuse "--dim: read for O1 alone; expected O1 in --only" --dim 64 --only O4 --preset quick --words absent.npy
refuse "'0x10' is no number of threads" --threads 0x10
refuse "--out: the name of a folder is empty" --out '' --preset quick
refuse "--build: the name of a folder is empty" --build '' --preset quick
refuse "'/dev/zero' is a device" --corpus /dev/zero --preset quick
refused -c 1 "this process may have" "$program" --only O1 --preset quick --corpus none --dim 1000000000
refuse "'\\x1b[31m\\x0a\\xff' is not a number" --dim $'1,\x1b[31m\n\xff' --corpus none
refuse '\x1b[31m' --only $'\x1b[31m'
refuse '\x1b[31m' --preset $'\x1b[31m'
head -c 200000000 /dev/zero | tr '\0' ' ' | gzip -9 >bomb.gz
refuse "bomb.gz' grows to 200 times its size" --corpus bomb.gz --preset quick
printf 'not word vectors' >bad.txt
refuse "bad.txt" --words bad.txt --preset quick
touch file
refuse "file" --preset quick --corpus none --only O5 --out file/under
check "--help teaches" bash -c "'$program' --help | grep -q Examples"
check "--list names the claims" bash -c "'$program' --list | grep -q '^O4 '"
check "--version names the BLAS" bash -c "'$program' --version | grep -q '^BLAS'"

# ---- too little memory ----------------------------------------------------------------------------------------------------
confined() {  # confined <MiB> <exit code> <what it says>
  (ulimit -v $(($1 * 1024)); timeout -s KILL 30 "${run[@]}" --only O2 --threads 64 --build confined --out confined >out 2>err); local got=$?
  check "$1 MiB: exits with $2 (got $got)" [ "$got" -eq "$2" ]
  check "$1 MiB: says '$3'" grep -q -- "$3" err
  check "$1 MiB: says one line" one_line err
}
if ! grep -q -e __asan_init -e __tsan_init "$program"; then  # these take terabytes
  confined 60 1 "may have 60 MiB, BLAS takes .* (ulimit -v)"
  confined 100 1 "may have 100 MiB, BLAS takes .* (ulimit -v)"
  confined $((256 + 8 * $(nproc))) 0 "cells measured"
  # Whatever a shell allows, a run works or says in one line why not: it does not wait for memory that never comes. What BLAS
  # takes is taken before the program's own grows: a table of 60 MB leaves too little where there was enough.
  awk 'BEGIN {for (i = 0; i < 60000; ++i) {line = "w" i; for (j = 0; j < 128; ++j) line = line (i * j % 7 ? " .5" : " -.25"); print line}}' >wide.txt
  ends() {  # ends <limit of ulimit> <KiB> options…
    local limit=$1 kib=$2; shift 2
    (ulimit "$limit" "$kib"; timeout -s KILL 60 "$program" --preset quick --fresh --build limited --out limited "$@" >out 2>err); local got=$?
    check "ulimit $limit $kib: ends (got $got)" [ "$got" -le 1 ]
    check "… and says one line" [ "$(grep -vc ' left, ' err)" -eq 1 ]
  }
  for kib in 150000 215000 260000 320000; do ends -v $kib --only O2 --threads 2 --corpus none; done
  for kib in 50000 100000 150000 200000 260000; do ends -d $kib --only O2 --threads 2 --corpus none; done
  # With OpenMP OpenBLAS maps a buffer for each processor before anything else, and would try for ever.
  openmp=$(echo /usr/lib/*/openblas-openmp)
  if [ -d "$openmp" ] && [ "$(nproc)" -gt 1 ]; then
    for kib in 213000 260000; do LD_LIBRARY_PATH=$openmp ends -v $kib --only O2 --threads 2 --corpus none; done
  else echo "skipped: no OpenBLAS with OpenMP here, or one processor"; fi
  # BLIS is asked for its kernels in a child, beside an OpenBLAS of LAPACK's that looks for its buffers. It may end by BLIS's own abort.
  blis=$(echo /usr/lib/*/blis-pthread)
  if [ -d "$blis" ] && [ "$(nproc)" -gt 1 ]; then
    for kib in 213000 214500 216000 218000 221000; do
      (ulimit -v $kib; LD_LIBRARY_PATH=$blis timeout -s KILL 30 "$program" --list >out 2>err); got=$?
      check "ulimit -v $kib beside BLIS: ends (got $got)" [ "$got" -ne 137 ]
    done
  else echo "skipped: no BLIS here, or one processor"; fi
  ends -v 240000 --only O4 --threads 2 --words wide.txt
  ends -d 230000 --only O4 --threads 2 --words wide.txt
  (ulimit -d 100000; "$program" --list >out 2>err); got=$?
  check "the limit on data is named (got $got)" eval '[ $got -eq 1 ] && grep -q "may have 97 MiB, BLAS takes .* (ulimit -d)" err'
  # Below this the loader itself has no room.
  (ulimit -s 64; "$program" --list >out 2>err); got=$?
  check "so is that on the stack (got $got)" eval '[ $got -eq 1 ] && grep -q "a stack may have 64 KiB, threads take .* (ulimit -s)" err'
  check "… in one line" one_line err
fi

# ---- nobody listens ----------------------------------------------------------------------------------------------------
for asked in --help --version --list; do full "$program" "$asked"; done

# ---- the same bytes -----------------------------------------------------------------------------------------------------
"${run[@]}" --build b1 --out first 2>/dev/null
check "a run writes results" [ -s first/results.json ]
"${run[@]}" --build b1 --out again 2>err
check "a second run reuses every cell" grep -q " 0 cells measured" err
check "and gives the same bytes" same first again
"${run[@]}" --build b1 --out json --json 2>/dev/null >stdout.json
check "--json prints results.json" cmp stdout.json json/results.json
full "${run[@]}" --build b1 --out json --json
"${run[@]}" --build b1 --out deaf --fresh 2>/dev/full; code=$?
check "standard error on a full disk: a good run ends well (got $code)" [ "$code" -eq 0 ]
check "… same bytes" same first deaf
"${run[@]}" --build b1 --out deaf --fresh 2>&-; code=$?
check "standard error closed: a good run ends well (got $code)" [ "$code" -eq 0 ]
check "… same bytes" same first deaf
latin=$'caf\xe9'
PERP_AFTER=inf "${run[@]}" --build b1 --out "$latin" 2>err; code=$?
check "a folder whose name is no UTF-8 (got $code)" [ "$code" -eq 0 ]
check "… same bytes" same first "$latin"
check "… and a run.json that is JSON" bash -c "python3 -m json.tool '$latin/run.json' >/dev/null"
check "… and is spelled out" grep -qF 'caf\xe9' err

# ---- kills ----------------------------------------------------------------------------------------------------------------
for signal in KILL INT TERM; do
  "${run[@]}" --build "k$signal" --out "out$signal" 2>err &
  pid=$!
  # Wait for the first kept cells, so that the signal lands in the middle of the work on a machine of any speed.
  for _ in $(seq 200); do
    [ -n "$(find "k$signal" -name '*.cell' 2>/dev/null | head -n 1)" ] && break
    sleep 0.02
  done
  kill -s "$signal" "$pid" 2>/dev/null; wait "$pid"; code=$?
  check "SIG$signal ends the run (exit $code)" [ "$code" -ne 0 ]
  check "SIG$signal leaves no results" [ ! -e "out$signal/results.json" ]
  [ "$signal" = KILL ] || check "SIG$signal says how to go on" grep -q "same command" err
  "${run[@]}" --build "k$signal" --out "out$signal" 2>err
  check "the same command goes on after SIG$signal" grep -qE "[1-9][0-9]* reused" err
  check "SIG$signal: same bytes in the end" same first "out$signal"
done

# ---- no room ------------------------------------------------------------------------------------------------------------
cp -r first kept
# What gcov writes at the end of a coverage build's program meets the limit, too: elsewhere, and without a word.
(ulimit -f 8; trap '' XFSZ; export GCOV_PREFIX="$PWD/gcov" GCOV_ERROR_FILE=/dev/null; "${run[@]}" --build b1 --out kept --seed 2 2>err >/dev/null); code=$?
check "a file-size limit exits with 1 (got $code)" [ "$code" -eq 1 ]
check "a file-size limit is one line" [ "$(grep -vc ' left, ' err)" -eq 1 ]
check "and names a file" grep -qE "\.(cell|csv|json)" err
check "no temporary file is left" [ -z "$(find kept b1 -name '*.tmp')" ]
check "the earlier results are whole" cmp kept/results.json first/results.json

finish
