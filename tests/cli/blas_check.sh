#!/usr/bin/env bash
# perp blas-check with libraries that crash at one shape, are wrong in one element, write beside an operand, never come
# back: a row each, and the rest is measured. And a library that is known to be bad, to perp doctor.
# usage: blas_check.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

for wrong in "--random 3" "--row-limit 0" "--kernels ?"; do
  # shellcheck disable=SC2086
  refused "${wrong% *}" "$build/perp" blas-check $wrong --kept "$work/refused"
done

next=$(ldconfig -p | sed -n 's/.*libopenblas\.so\.0 .* => //p' | head -n 1)
if [ -z "$next" ] || ! command -v gcc >/dev/null; then echo "skipped: stub libraries, for want of gcc and libopenblas.so.0"; finish; exit; fi

# What is asked for goes on to the next library; dsyrk, ssyrk, sgemm and dtrsm do a fault of their own at one call.
# cblas_dgemm is here, too, for that is where the bench looks which file answers.
cat >stub.c <<'EOC'
#define _GNU_SOURCE
#include <dlfcn.h>
#define FORWARD(name, type, ...) ((type)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)
typedef void dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
typedef void sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
typedef void dsyrk(int, int, int, int, int, double, const double*, int, double, double*, int);
typedef void ssyrk(int, int, int, int, int, float, const float*, int, float, float*, int);
typedef void dtrsm(int, int, int, int, int, int, int, double, const double*, int, double*, int);
enum { trans = 112, upper = 121, left = 141 };
void cblas_dgemm(int o, int ta, int tb, int m, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb,
                 double beta, double* c, int ldc) {
  FORWARD(cblas_dgemm, dgemm*, o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#ifdef BESIDE
void cblas_sgemm(int o, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
                 float beta, float* c, int ldc) {
  FORWARD(cblas_sgemm, sgemm*, o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (m == 33 && ta == trans && tb == trans && ldc > m) c[m] = 0;
}
#endif
#ifdef CRASH
void cblas_dsyrk(int o, int uplo, int t, int n, int k, double alpha, const double* a, int lda, double beta, double* c, int ldc) {
  if (uplo == upper && t == trans && n == 55 && k == 165 && lda == k) *(volatile int*)0 = 0;
  FORWARD(cblas_dsyrk, dsyrk*, o, uplo, t, n, k, alpha, a, lda, beta, c, ldc);
}
#endif
#ifdef WRONG
void cblas_ssyrk(int o, int uplo, int t, int n, int k, float alpha, const float* a, int lda, float beta, float* c, int ldc) {
  FORWARD(cblas_ssyrk, ssyrk*, o, uplo, t, n, k, alpha, a, lda, beta, c, ldc);
  if (uplo == upper && t == trans && n == 4 && k == 5 && lda == k) c[1 + 2 * ldc] += 0.01f;
}
#endif
#ifdef STUCK
void cblas_dtrsm(int o, int side, int uplo, int t, int diag, int m, int n, double alpha, const double* a, int lda, double* b, int ldb) {
  if (side == left && uplo == upper && t == trans && m == 16 && n == 16) for (;;) __builtin_ia32_pause();
  FORWARD(cblas_dtrsm, dtrsm*, o, side, uplo, t, diag, m, n, alpha, a, lda, b, ldb);
}
#endif
char* openblas_get_config(void) { return "OpenBLAS 0.3.20 DYNAMIC_ARCH Cooperlake"; }
char* openblas_get_corename(void) { return "Cooperlake"; }
EOC
folders=
for name in crash wrong beside stuck; do
  mkdir "$name"
  gcc -D"${name^^}" -shared -fPIC -o $name/libblas.so.3 -Wl,-soname,libblas.so.3 stub.c -Wl,--no-as-needed "$next" \
    -Wl,-rpath,"$(dirname "$(realpath "$next")")" || exit 1
  folders+="$name=$work/$name "
done
"$build/perp" blas-check --kept "$work/kept" --backends "$folders" --blas "crash wrong beside stuck" --kernels picked --threads 1 \
  --row-limit 4 >said 2>err; got=$?
check "libraries with faults end with 1 (got $got)" [ "$got" -eq 1 ]
row() { check "$1" grep -qE "^failed: $2\$" said; }
row "a crash is a row with its signal" 'crash, 1 thread: syrk/UT/f64/55x165/aligned: the process died of signal 11'
row "one wrong element is a row with error and bound" 'wrong, 1 thread: syrk/UT/f32/4x5/aligned: error [0-9.e+]+, bound 1'
row "a write beside an operand is a row" 'beside, 1 thread: gemm/TT/f32/33x34x67/shifted: C: it wrote beside the operand'
row "a call without an end is a row with the limit" 'stuck, 1 thread: trsm/LUT/f64/16x16/aligned: no result within 4 s'
check "and the rest is measured" [ "$(grep -c '^failed' said)" -eq 4 ]
check "… all of it" grep -qE '^1[0-9]{4} rows on 4 configurations of backend and LAPACK: 4 failed, 0 skipped$' said

# ---- what is no BLAS at all: a line, and the rest is measured (doctor.sh has more of them) ----------------------------------
# shellcheck source=tests/cli/broken_blas.sh
. "$source_folder/tests/cli/broken_blas.sh"
broken_blas empty bare || exit 1
good=$(basename "$(dirname "$(realpath "$next")")")
timeout 200 "$build/perp" blas-check --kept "$work/kept" --backends "empty=$work/empty bare=$work/bare" --blas "empty bare $good" --kernels picked --threads 1 \
  >said 2>err; got=$?
check "libraries that are none end with 1 (got $got)" [ "$got" -eq 1 ]
row "no symbols are a line" 'empty(: .*undefined symbol: .*|, 1 thread: .*/empty/libblas.so.3 was named, but [^ ]+ answers)'
row "a LAPACK without symbols is named, and what answers for it" 'bare(: .*undefined symbol: .*|, 1 thread: LAPACK of .*/bare/liblapack.so.3 was named, but [^ ]+ answers)'
check "the good one has all of its rows" bash -c "! grep -q '^failed: $good' said"
check "… and is among those that were checked" grep -qE "checking $good, 1 thread" err

# ---- what is known to be bad, before anything runs --------------------------------------------------------------------
LD_LIBRARY_PATH=$work/crash PERP_KERNELS=as-picked XDG_CACHE_HOME=$work/cache "$build/perp" doctor >said 2>err
check "doctor knows the loaded library" grep -q '^  known to be bad  *OpenBLAS 0.3.20, Cooperlake: symm' said
check "… with the thread" grep -q 'https://github.com/openmeeg/openmeeg/pull/872' said
check "… and advises the check" grep -q '^  perp blas-check ' said
XDG_CACHE_HOME=$work/cache "$build/perp" doctor >said 2>err
check "others are not accused" bash -c '! grep -q "known to be bad.*0.3.20" said'
finish
