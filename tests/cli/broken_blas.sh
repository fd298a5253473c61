# shellcheck shell=bash
# Libraries that are no BLAS, or another one than they seem, each a libblas.so.3 in a folder of its own below the current one:
# empty (no symbols), part (cblas_dgemm alone), text, cut (half a file), dies, exits, waits (as it is loaded), ends (in its first
# product), late (in one of more than a million terms, as if all were well), skew (SYRK is wrong beyond 60 rows), flat (TRSM does
# nothing), long, broad, low, row (GEMM is wrong in inner dimensions beyond 1000, for 400 rows or more, in inner ones up to 8, for one
# row), other (in any thread but the first), wide (64-bit integers), bare (a liblapack.so.3 without symbols beside it). Fails where there is no compiler or no OpenBLAS to stand behind.
# Source it in a scratch folder, then: broken_blas [name…] || echo "skipped: …"; without a name all of them.

broken_blas() {
  local next name
  next=$(ldconfig -p | sed -n 's/.*libopenblas\.so\.0 .* => //p' | head -n 1)
  { [ -n "$next" ] && command -v gcc >/dev/null; } || return 1
  cat >broken.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef PART
void cblas_dgemm(void) {}
#endif
#ifdef DIES
__attribute__((constructor)) static void begin(void) { *(volatile int*)0 = 0; }
#endif
#ifdef EXITS
__attribute__((constructor)) static void begin(void) { exit(0); }
#endif
#ifdef WAITS
__attribute__((constructor)) static void begin(void) { for (;;) pause(); }
#endif
#ifdef ENDS
void cblas_dgemm(void) { _exit(0); }
void cblas_sgemm(void) { _exit(0); }
#endif
#if defined(WIDE) || defined(BARE) || defined(LATE) || defined(SKEW) || defined(FLAT) || defined(WRONG)
/* Here, for that is where the bench looks which file answers. */
typedef void dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
void cblas_dgemm(int o, int ta, int tb, int m, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb,
                 double beta, double* c, int ldc) {
#ifdef LATE
  if (1.0 * m * n * k > 1e6) exit(0);
#endif
  ((dgemm*)dlsym(RTLD_NEXT, "cblas_dgemm"))(o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
#ifdef WRONG
  if (WRONG) c[0] += 1;
#endif
}
#endif
#ifdef SKEW
typedef void dsyrk(int, int, int, int, int, double, const double*, int, double, double*, int);
void cblas_dsyrk(int o, int uplo, int t, int n, int k, double alpha, const double* a, int lda, double beta, double* c, int ldc) {
  ((dsyrk*)dlsym(RTLD_NEXT, "cblas_dsyrk"))(o, uplo, t, n, k, alpha, a, lda, beta, c, ldc);
  if (n > 60) c[0] *= 1.5;
}
#endif
#ifdef FLAT
void cblas_dtrsm(void) {}
#endif
#ifdef WIDE
#define WIDE_POTRF(name, number)                                                            \
  void name(const char* uplo, const long* n, number* a, const long* stride, long* info) { \
    typedef void potrf(const char*, const int*, number*, const int*, int*);               \
    const int narrow = (int)*n, narrow_stride = (int)*stride;                             \
    int narrow_info = 0;                                                                  \
    *info = -4;                                                                           \
    if (*n > *stride) return;                                                             \
    ((potrf*)dlsym(RTLD_NEXT, #name))(uplo, &narrow, a, &narrow_stride, &narrow_info);    \
    *info = narrow_info;                                                                  \
  }
WIDE_POTRF(spotrf_, float)
WIDE_POTRF(dpotrf_, double)
#endif
END
  [ $# -gt 0 ] || set -- empty part dies exits waits ends late skew flat long broad low row other wide bare text cut
  for name; do
    mkdir -p "$name"
    local behind=("$next" "-Wl,-rpath,$(dirname "$(realpath "$next")")")
    case $name in
      empty | part) behind=() ;;
      text) echo "a text" >text/libblas.so.3; continue ;;
      # Of a size that maps, and then lacks what its tables name.
      cut) head -c $(($(stat -Lc %s "$next") / 2)) "$next" >cut/libblas.so.3; continue ;;
      bare) gcc -shared -fPIC -o bare/liblapack.so.3 -Wl,-soname,liblapack.so.3 -x c /dev/null || return 1 ;;
    esac
    local wrong=()
    case $name in
      long) wrong=(-DWRONG="k > 1000") ;; broad) wrong=(-DWRONG="m >= 400") ;; low) wrong=(-DWRONG="k <= 8") ;;
      row) wrong=(-DWRONG="m == 1") ;; other) wrong=(-DWRONG="gettid() != getpid()") ;;
    esac
    gcc -D"${name^^}" "${wrong[@]}" -shared -fPIC -o "$name/libblas.so.3" -Wl,-soname,libblas.so.3 broken.c -Wl,--no-as-needed "${behind[@]}" || return 1
  done
}
