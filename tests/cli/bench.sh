#!/usr/bin/env bash
# The bench as a program: what answers is what was named, a wrong library is caught and not timed, complaints are one line.
# usage: bench.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
bench=$build/perp-bench

# ---- complaints -------------------------------------------------------------------------------------------------------
complain() { refused "$1" "$bench" "${@:2}" --out out; }  # complain <part of the message> options…
for program in "$bench" "$build/bench/worker"; do
  "$program" --help >said 2>err; got=$?
  check "${program##*/} --help (got $got)" eval '[ $got -eq 0 ] && [ -s said ] && [ ! -s err ]'
done
mkdir empty
complain "no backend 'nobody' here; there are:" --only nobody --check
complain "holds no libblas.so.3" --backends "mine=$work/empty"
complain "is not name=folder" --backends mine
complain "--threads" --threads 0
complain "--threads" --threads 1,0
complain "--preset" --preset tiny
complain "--grid requires --check" --grid
complain "all was given a disallowed" --grid --check --all=no
complain "--backends: 'mine' is not name=folder" --backends mine
complain "--rounds 1: expected 2 or more" --rounds 1 --calibrate
complain "--check excludes --calibrate" --calibrate --check
for mode in --list --check --calibrate; do
  complain "--kernels: '\\x1b[31mX' is no core type" $mode --kernels $'\e[31mX'
done
complain "--row-limit" --row-limit 0
for wrong in -1 0x10 1e3 99999999999 2.5 ''; do
  complain "--threads" --list --threads "$wrong"
  complain "--rounds" --list --rounds "$wrong"
done
check "nothing was written" [ ! -e out ]
if ! grep -q -e __asan_init -e __tsan_init "$bench"; then  # these take terabytes
  for program in "$bench --list" "$build/bench/worker --benchmark_list_tests"; do
    # shellcheck disable=SC2086
    (ulimit -d 100000; timeout -s KILL 60 $program >said 2>err); got=$?
    check "${program##*/} and too little memory (got $got)" eval '[ $got -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "ulimit -d" err'
  done
  (ulimit -d 250000; timeout -s KILL 60 "$bench" --check --preset quick --threads 2 --kernels picked --only "openblas-pthread" --out limited >said 2>err); got=$?
  check "a worker's threads without room for BLAS end the bench in one line (got $got)" eval '[ $got -eq 1 ] && tail -n 1 err | grep -qE "room for (1 of 2 threads|the 128 MiB)"'
  rm -rf limited
fi

# ---- the loaded path is the named one, whatever the order of the loader's own list ------------------------------------------
rows=$work/rows.txt
echo "gemm/bare/f32/64x64x64 0" >"$rows"
worker() {  # worker <loader path> <blas folder> [<lapack folder>]
  rm -f answer
  LD_LIBRARY_PATH=$1 "$build/bench/worker" --backend test --blas "$2/libblas.so.3" ${3:+--lapack "$3/liblapack.so.3"} \
    --threads 1 --check --rows "$rows" --out answer 2>err
}
same_file() { [ "$(realpath "$1")" = "$(realpath "$2")" ]; }
found=()
while IFS=$'\t' read -r name blas lapack; do
  found+=("$blas")
  path=$blas; [ "$lapack" = "$blas" ] || path=$lapack:$blas
  check "$name runs" worker "$path" "$blas" "$lapack"
  loaded=$(sed -n '1s/.*"path":"\([^"]*\)","lapack.*/\1/p' answer)
  check "$name: $blas answers" same_file "$loaded" "$blas/libblas.so.3"
  loaded=$(sed -n '1s/.*"lapack_path":"\([^"]*\)".*/\1/p' answer)
  check "$name: LAPACK of $lapack answers" same_file "$loaded" "$lapack/liblapack.so.3"
  check "$name is right" grep -q '"status":"ok"' answer
done < <("$bench" --list | sed -n 's/^\(.*\): BLAS of \(.*\), LAPACK of \(\/.*\) (.*)$/\1\t\2\t\3/p')
check "there is a backend" [ "${#found[@]}" -gt 0 ]
other=
for blas in "${found[@]}"; do [ "$blas" = "${found[0]}" ] || other=$blas; done
if [ -n "$other" ]; then
  worker "$other" "${found[0]}"; got=$?
  check "another library than the named one is refused (got $got)" [ "$got" -eq 2 ]
  check "and named" grep -q "was named, but $other" err
fi

# ---- a folder whose name is no UTF-8 still gets an answer, and that is UTF-8 ---------------------------------------------------
odd=$work/$'odd\xff'
mkdir "$odd" && cp -L "${found[0]}/libblas.so.3" "$odd/"  # a link would be known by what it points to
check "a folder that is no UTF-8" worker "$odd" "$odd"
check "is answered for" grep -q '"status":"ok"' answer
check "in UTF-8" iconv -f UTF-8 -t UTF-8 answer -o /dev/null

# ---- two benches in one folder ------------------------------------------------------------------------------------------------
mkdir shared
exec 9<shared
flock 9
in_shared() { "$bench" --kernels picked --check --preset quick --threads 1 --only "$(basename "${found[0]}")" --out shared >said 2>err; }
timeout 2 "$bench" --kernels picked --check --preset quick --threads 1 --only "$(basename "${found[0]}")" --out shared >said 2>err; got=$?
check "a folder in use is waited for (got $got)" [ "$got" -eq 124 ]
check "and named" grep -q "shared is in use by " err
exec 9>&-
check "a free one is not" in_shared

# ---- a full disk: what could not be written and why, once, and no half of an answer -------------------------------------------
mkdir full
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=8k tmpfs full 2>/dev/null; then
  trap 'umount full; rm -rf "$work"' EXIT
  for kernels in picked each; do
    [ "$kernels" = picked ] || head -c 12k /dev/zero >full/zeros 2>/dev/null
    "$bench" --kernels $kernels --check --preset quick --threads 1 --only "$(basename "${found[0]}")" --out full >said 2>err; got=$?
    check "a full disk ends with 1 (got $got)" [ "$got" -eq 1 ]
    check "… with the cause" bash -c "tail -n 1 err | grep -q 'cannot write .*: No space left on device'"
    check "… and no half of an answer" bash -c '! ls full/*.json* 2>/dev/null'
  done
  umount full
  trap 'rm -rf "$work"' EXIT
else echo "skipped: a full disk needs root and a mount of tmpfs"; fi

# ---- threads: what a library says it uses is what it was told -----------------------------------------------------------
"$bench" --kernels picked --check --preset quick --threads 2 --out out >said 2>/dev/null
check "every library is right" grep -q ": 0 failed" said
check "one thread is one thread" eval '[ -s shared/answer.jsonl ] && ! grep -q "\"library_threads\":[2-9]" shared/answer.jsonl'

# ---- core types -----------------------------------------------------------------------------------------------------------
openblas=$(printf '%s\n' "${found[@]}" | grep -m 1 openblas)
cores() {  # cores <folder>: one a line, as the worker says
  LD_LIBRARY_PATH=$1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "$build/bench/worker" --backend test --blas "$1/libblas.so.3" --kernels --out kernels.json &&
    sed 's/.*"kernels"://' kernels.json | grep -o '"core":"[^"]*"' | cut -d'"' -f4
}
if [ -n "$openblas" ] && [ "$(cores "$openblas" | wc -l)" -gt 1 ]; then
  picked=$(sed 's/.*"kernel":"\([^"]*\)".*/\1/' kernels.json)
  other=$(cores "$openblas" | grep -vix "$picked" | head -n 1)
  name=$(basename "$openblas")
  "$bench" --only "$name" --kernels "$other" --preset quick --rounds 2 --threads 1 --out cores >said 2>err
  check "rows of $name under $other" grep -q "^$name/$other,as_shipped,gemm,f32,64x64x64,1,[0-9]" cores/bench/results.csv
  check "… by its kernels" grep -q "^$name/$other,as_shipped,1,.*,OpenBLAS,[^,]*,$other," cores/bench/loaded.csv
  check "and as it picks" grep -q "^$name,as_shipped,1,.*,OpenBLAS,[^,]*,$picked," cores/bench/loaded.csv
  for core in $(cores "$openblas" | tail -n 2); do
    check "$core runs here" bash -c "'$bench' --only '$name' --kernels $core --preset quick --check --threads 1 --out cores 2>&1 | grep -q ': 0 failed'"
  done
  for mode in --check --calibrate; do complain "'Excavator' is no core type of OpenBLAS or BLIS" --only "$name" --kernels Excavator $mode; done
  rm -rf out
else
  echo "skipped: core types, for want of an OpenBLAS with a choice"
fi

# ---- a wrong library ----------------------------------------------------------------------------------------------------
# sgemm is off in one element; the rest is the next library's. cblas_dgemm is here too, for that is where the bench looks
# which file answers.
mkdir wrong
cat >wrong.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
typedef void sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
typedef void dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc) {
  ((sgemm*)dlsym(RTLD_NEXT, "cblas_sgemm"))(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  c[(m / 2) * ldc + n / 3] += 0.5f;
}
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
                 int ldb, double beta, double* c, int ldc) {
  ((dgemm*)dlsym(RTLD_NEXT, "cblas_dgemm"))(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
EOF
next=$(ldconfig -p | sed -n 's/.*libopenblas\.so\.0 .* => //p' | head -n 1)
if [ -z "$next" ]; then echo "skipped: a wrong library, for want of libopenblas.so.0"; finish; exit; fi
gcc -shared -fPIC -o wrong/libblas.so.3 -Wl,-soname,libblas.so.3 wrong.c -Wl,--no-as-needed "$next" \
  -Wl,-rpath,"$(dirname "$(realpath "$next")")" || exit 1
"$bench" --kernels picked --backends "wrong=$work/wrong" --only wrong --preset quick --rounds 2 --threads 1 --out out >said 2>err; got=$?
check "a wrong library ends with 1 (got $got)" [ "$got" -eq 1 ]
wrong() { grep -c "^failed: wrong, 1 thread: $1" said; }
check "every size of its sgemm is caught" [ "$(wrong 'gemm/bare/f32')" -eq 4 ]
check "the tall one too" [ "$(wrong 'gemm_tall/bare/f32')" -eq 1 ]
check "with both numbers" grep -qE '^failed: wrong, 1 thread: gemm/bare/f32/64x64x64: error [0-9.e+]+, bound 1$' said
check "its dgemm is right" [ "$(wrong 'gemm/bare/f64')" -eq 0 ]
results=out/bench/results.csv
check "failed rows are in the table, without a rate" grep -qE '^wrong,[a-z_]+,gemm,f32,64x64x64,1,,,failed,"?error' "$results"
check "right ones have a rate" grep -qE '^wrong,[a-z_]+,gemm,f64,64x64x64,1,[0-9.e+]+,[0-9.e+-]+,ok,' "$results"
check "the claim is false" grep -q '"verdict": "false"' out/bench/results.json
check "Google Benchmark's file does not know them" bash -c "! grep -q 'gemm/bare/f32' out/google-benchmark/wrong-1.json"
# ---- a library that is slower by a known factor ------------------------------------------------------------------------------
# Three products for one: what takes three times as long is found, and nothing else.
library() {  # library <name> <source>: in a folder of its own, in front of the next
  mkdir -p "$1"
  gcc -shared -fPIC -o "$1/libblas.so.3" -Wl,-soname,libblas.so.3 "$2" -Wl,--no-as-needed "$next" -Wl,-rpath,"$(dirname "$(realpath "$next")")"
}
sed '/+= 0.5f;/d' wrong.c >plain.c
sed 's/^  \(((sgemm\*)dlsym.*\)$/  for (int i = 0; i < 3; ++i) \1/; s/^  \(((dgemm\*)dlsym.*\)$/  for (int i = 0; i < 3; ++i) \1/' plain.c >slow.c
library plain plain.c && library slow slow.c || exit 1
slowed() { awk -F, -v operation="$1" '$1 == operation && $3 == "most" && $5 == "slow" {print $(NF - 1), $NF}' slowed/bench/operations.csv; }
is_slow() { awk '{exit !($1 > 2.2 && $1 < 6 && $2 == "yes")}' <<<"$(slowed "$1")"; }
is_as_fast() { awk '{exit !($1 != "" && $1 < 1.5 && $2 == "no")}' <<<"$(slowed "$1")"; }
as_slowed() { is_slow gemm && is_slow gemm_skinny && is_as_fast potrf && is_as_fast syevd; }
for try in 1 2 3; do  # a machine with other work may need more than one
  "$bench" --kernels picked --backends "plain=$work/plain slow=$work/slow" --only "plain slow" --preset quick --rounds 5 --threads 1 --out "slowed" >said 2>err; got=$?
  [ "$got" -ne 0 ] || as_slowed && break
done
check "a slow library is right (got $got)" [ "$got" -eq 0 ]
for operation in gemm gemm_skinny; do
  check "$operation takes about three times as long, which is significant ($(slowed $operation); try $try)" is_slow $operation
done
for operation in potrf syevd; do
  check "$operation, which it does not slow, does not ($(slowed $operation))" is_as_fast $operation
done

# ---- what a library says it is ---------------------------------------------------------------------------------------------------
{ cat plain.c; echo '#include <string.h>
int flexiblas_current_backend(char* name, size_t size) { strncpy(name, "STUB-PTHREAD", size); return 12; }
void flexiblas_get_version(int* a, int* b, int* c) { *a = 3; *b = 4; *c = 5; }'; } >flexi.c
library flexi flexi.c || exit 1
"$bench" --kernels picked --backends "flexi=$work/flexi" --only flexi --preset quick --check --threads 1 --out named >said 2>err
check "FlexiBLAS is named with what it loads" grep -q '"name":"FlexiBLAS (STUB-PTHREAD)","version":"3.4.5"' named/answer.jsonl
# ---- the page ---------------------------------------------------------------------------------------------------------------
if command -v gnuplot >/dev/null; then
  "$build/perp" bench --kept "$work/own" --out "$work/report" --kernels picked --blas "$(basename "${found[0]}")" --preset quick --rounds 2 \
    --threads 2 >said 2>err
  check "BENCHMARKS.md is written" [ -s report/BENCHMARKS.md ]
  check "it opens with what to do" bash -c "sed -n '3,9p' report/BENCHMARKS.md | grep -qE '^(Install|Set|Nothing) '"
  rows=$(sed -n '/^| threads | programs get/,/^$/p' report/BENCHMARKS.md | grep -c '^| [^:t]')
  check "… and a table of both numbers of threads ($rows rows)" [ "$rows" -ge 2 ]
  check "then with what its verdicts are worth" grep -qE '^\[[0-9.]+%, [0-9.]+%\] of [0-9,]+ comparisons' report/BENCHMARKS.md
  compared=$(sed -n 's/^\[.*\] of \([0-9,]*\) comparisons.*/\1/p' report/BENCHMARKS.md | tr -d ,)
  check "… from 400 comparisons or more ($compared)" [ "$compared" -ge 400 ]
  check "… row by row" bash -c "awk -F, 'NR > 1 {n += \$2} END {exit n != $compared}' report/bench/calibration.csv"
  check "… and what it finds of planted effects" grep -qE '^\| one operation \| of one operation \| 2 \| 9[0-9]%' report/BENCHMARKS.md
  check "its pictures are there" bash -c "grep -o 'figures/bench-[a-z-]*.svg' report/BENCHMARKS.md | sort -u | (cd report && xargs -r ls >/dev/null)"
  check "no results.json passes for a study's" [ ! -e report/bench/results.json ]
  check "where a report lies, too" [ "$(cd report && printf "%s\n" * | grep -vx figures)" = "$(printf "%s\n" BENCHMARKS.md BENCHMARKS.md.sha256 bench)" ]
  cp -r report before
  "$build/perp" bench --again --kept "$work/again" --out "$work/report" 2>err; got=$?
  check "--kept measures nothing with --again (got $got)" [ "$got" -eq 2 ]
  "$build/perp" bench --again --out "$work/report" 2>err; got=$?
  check "the page again, from its tables: the same bytes (got $got)" diff -r before report
  # Tables of another hand.
  cp -r report/bench tables; sed -i '2s/^default/x/' tables/answer.csv
  "$bench" --conclude tables --out concluded >said 2>err; got=$?
  check "a table without its row is no crash (got $got)" [ "$got" -lt 3 ]
  sed -i '2,$d' tables/loaded.csv
  "$bench" --conclude tables --out concluded >said 2>err; got=$?
  check "… and one that lacks all is one line (got $got)" eval '[ $got -ne 0 ] && [ $got -lt 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "loaded" err'
  echo '{}' >runs
  "$bench" --conclude report/bench --runs runs --out concluded >said 2>err; got=$?
  check "runs that are none (got $got)" eval '[ $got -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "runs, line 1: no run" err && ! grep -q exception err'
  "$build/perp" blas-check --kept "$work/own" --kernels picked --blas "$(basename "${found[0]}")" --threads 1 >said 2>err; got=$?
  check "blas-check (got $got)" [ "$got/$(grep -c ': 0 failed' said)" = 0/1 ]
  "$build/perp" blas-check --kept "$work/own" --blas nobody >said 2>err; got=$?
  check "… of a backend that is not there (got $got)" [ "$got/$(wc -l <err)/$(cut -d: -f1 err)" = "2/1/perp blas-check" ]
  "$build/perp" bench --kept "$work/own" --out "$work/refused" --rounds x 2>err; got=$?
  check "… of no number (got $got)" [ "$got/$(cut -d: -f1,2 err)" = "2/perp bench: --rounds" ]
  "$build/perp" bench --kept "$work/own" --out "$work/refused" --rounds 1 2>err; got=$?
  check "… of one round, in the words that were typed (got $got)" eval '[ $got -eq 2 ] && grep -q "^perp bench: --rounds 1: expected 2 or more" err && ! grep -q -e --calibrate -e --check err'
  check "no host name" bash -c "! grep -rqw -- '$(hostname)' report"
fi
finish
