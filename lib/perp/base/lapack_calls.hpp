#pragma once
// For linalg's .cpp files only: LAPACK's Fortran entry points and one overload per element type. The trailing
// lengths of character arguments are passed: gfortran's callees may overwrite the stack where they are
// missing.

#include <cstddef>

extern "C" {
void sgeqrf_(const int*, const int*, float*, const int*, float*, float*, const int*, int*);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
void sorgqr_(const int*, const int*, const int*, float*, const int*, const float*, float*, const int*, int*);
void dorgqr_(const int*, const int*, const int*, double*, const int*, const double*, double*, const int*,
             int*);
void spotrf_(const char*, const int*, float*, const int*, int*, std::size_t);
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void sgesdd_(const char*, const int*, const int*, float*, const int*, float*, float*, const int*, float*,
             const int*, float*, const int*, int*, int*, std::size_t);
void dgesdd_(const char*, const int*, const int*, double*, const int*, double*, double*, const int*, double*,
             const int*, double*, const int*, int*, int*, std::size_t);
void ssyevd_(const char*, const char*, const int*, float*, const int*, float*, float*, const int*, int*,
             const int*, int*, std::size_t, std::size_t);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*,
             const int*, int*, std::size_t, std::size_t);
}

namespace perp::lapack {

inline int geqrf(int m, int n, float* a, int lda, float* tau, float* work, int lwork) {
  int info = 0;
  sgeqrf_(&m, &n, a, &lda, tau, work, &lwork, &info);
  return info;
}
inline int geqrf(int m, int n, double* a, int lda, double* tau, double* work, int lwork) {
  int info = 0;
  dgeqrf_(&m, &n, a, &lda, tau, work, &lwork, &info);
  return info;
}
inline int orgqr(int m, int n, int k, float* a, int lda, const float* tau, float* work, int lwork) {
  int info = 0;
  sorgqr_(&m, &n, &k, a, &lda, tau, work, &lwork, &info);
  return info;
}
inline int orgqr(int m, int n, int k, double* a, int lda, const double* tau, double* work, int lwork) {
  int info = 0;
  dorgqr_(&m, &n, &k, a, &lda, tau, work, &lwork, &info);
  return info;
}
inline int potrf_upper(int n, float* a, int lda) {
  int info = 0;
  spotrf_("U", &n, a, &lda, &info, 1);
  return info;
}
inline int potrf_upper(int n, double* a, int lda) {
  int info = 0;
  dpotrf_("U", &n, a, &lda, &info, 1);
  return info;
}
inline int gesdd_values(int m, int n, float* a, int lda, float* s, float* work, int lwork, int* iwork) {
  int info = 0;
  const int one = 1;
  float none = 0;
  sgesdd_("N", &m, &n, a, &lda, s, &none, &one, &none, &one, work, &lwork, iwork, &info, 1);
  return info;
}
inline int gesdd_values(int m, int n, double* a, int lda, double* s, double* work, int lwork, int* iwork) {
  int info = 0;
  const int one = 1;
  double none = 0;
  dgesdd_("N", &m, &n, a, &lda, s, &none, &one, &none, &one, work, &lwork, iwork, &info, 1);
  return info;
}
/// Thin factors of the m x n matrix in `a`: u is m x k, vt k x n, k = min(m, n), column-major.
inline int gesdd_thin(int m, int n, float* a, float* s, float* u, float* vt, float* work, int lwork,
                      int* iwork) {
  int info = 0;
  const int k = m < n ? m : n;
  sgesdd_("S", &m, &n, a, &m, s, u, &m, vt, &k, work, &lwork, iwork, &info, 1);
  return info;
}
inline int gesdd_thin(int m, int n, double* a, double* s, double* u, double* vt, double* work, int lwork,
                      int* iwork) {
  int info = 0;
  const int k = m < n ? m : n;
  dgesdd_("S", &m, &n, a, &m, s, u, &m, vt, &k, work, &lwork, iwork, &info, 1);
  return info;
}
inline int syevd_upper(char job, int n, float* a, int lda, float* w, float* work, int lwork, int* iwork,
                       int liwork) {
  int info = 0;
  ssyevd_(&job, "U", &n, a, &lda, w, work, &lwork, iwork, &liwork, &info, 1, 1);
  return info;
}
inline int syevd_upper(char job, int n, double* a, int lda, double* w, double* work, int lwork, int* iwork,
                       int liwork) {
  int info = 0;
  dsyevd_(&job, "U", &n, a, &lda, w, work, &lwork, iwork, &liwork, &info, 1, 1);
  return info;
}

}  // namespace perp::lapack
