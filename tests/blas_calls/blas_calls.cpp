// A program of its own: it stands between linalg and the BLAS, counts what arrives and passes it on. Where
// xtensor-blas is included without its switches, products are right and come from plain loops.

#include <cblas.h>
#include <dlfcn.h>

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"

namespace {

int calls_of_gemm = 0, calls_of_syrk = 0, calls_of_trsm = 0;

/// The routine of the library that the loader would take; `own` gives the type.
template <class Routine>
Routine* next(Routine* /*own*/, const char* name) {
  static void* const library = dlopen("libblas.so.3", RTLD_NOW);
  BOOST_REQUIRE_MESSAGE(library != nullptr, "no libblas.so.3");
  void* found = dlsym(library, name);
  BOOST_REQUIRE_MESSAGE(found != nullptr, name << " is not in libblas.so.3");
  return reinterpret_cast<Routine*>(found);
}

}  // namespace

#define PERP_COUNTED_GEMM(name, T)                                                                      \
  extern "C" void name(const CBLAS_LAYOUT order, const CBLAS_TRANSPOSE ta, const CBLAS_TRANSPOSE tb,    \
                       const int m, const int n, const int k, const T alpha, const T* a, const int lda, \
                       const T* b, const int ldb, const T beta, T* c, const int ldc) {                  \
    ++calls_of_gemm;                                                                                    \
    next(&name, #name)(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                    \
  }
#define PERP_COUNTED_SYRK(name, T)                                                                       \
  extern "C" void name(const CBLAS_LAYOUT order, const CBLAS_UPLO uplo, const CBLAS_TRANSPOSE t,         \
                       const int n, const int k, const T alpha, const T* a, const int lda, const T beta, \
                       T* c, const int ldc) {                                                            \
    ++calls_of_syrk;                                                                                     \
    next(&name, #name)(order, uplo, t, n, k, alpha, a, lda, beta, c, ldc);                               \
  }
#define PERP_COUNTED_TRSM(name, T)                                                               \
  extern "C" void name(const CBLAS_LAYOUT order, const CBLAS_SIDE side, const CBLAS_UPLO uplo,   \
                       const CBLAS_TRANSPOSE t, const CBLAS_DIAG diag, const int m, const int n, \
                       const T alpha, const T* a, const int lda, T* b, const int ldb) {          \
    ++calls_of_trsm;                                                                             \
    next(&name, #name)(order, side, uplo, t, diag, m, n, alpha, a, lda, b, ldb);                 \
  }
PERP_COUNTED_GEMM(cblas_sgemm, float)
PERP_COUNTED_GEMM(cblas_dgemm, double)
PERP_COUNTED_SYRK(cblas_ssyrk, float)
PERP_COUNTED_SYRK(cblas_dsyrk, double)
PERP_COUNTED_TRSM(cblas_strsm, float)
PERP_COUNTED_TRSM(cblas_dtrsm, double)

namespace perp {
namespace {

template <class T>
void check_calls() {
  Matrix<T> a = zeros<T>(2, 3), lower = zeros<T>(2, 2);
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<T>(i + 1);  // 1 2 3 / 4 5 6
  for (std::size_t i = 0; i < 2; ++i) lower(i, i) = T{2};

  calls_of_gemm = calls_of_syrk = calls_of_trsm = 0;
  BOOST_TEST(product_nt(a, a)(0, 1) == T{32});
  BOOST_TEST(product_tn(a, a)(0, 1) == T{22});
  BOOST_TEST(product(lower, a)(1, 2) == T{12});
  BOOST_TEST(calls_of_gemm == 3);
  BOOST_TEST(gram_rows(a)(0, 1) == T{32});
  BOOST_TEST(gram_columns(a)(0, 1) == T{22});
  BOOST_TEST(calls_of_syrk == 2);
  BOOST_TEST(solve_lower(lower, a)(1, 2) == T{3});
  BOOST_TEST(calls_of_trsm == 1);
}

BOOST_AUTO_TEST_SUITE(blas_calls)

BOOST_AUTO_TEST_CASE(products_reach_the_blas_in_double) { check_calls<double>(); }
BOOST_AUTO_TEST_CASE(products_reach_the_blas_in_float) { check_calls<float>(); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
