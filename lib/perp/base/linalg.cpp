// Products and triangular solves (BLAS), through the lowest layer of xtensor-blas: one name for both types,
// and nothing between it and the routine. The decompositions are in linalg_lapack.cpp.

#include "perp/base/linalg.hpp"

#include "perp/base/error.hpp"

// The configuration before anything else: without HAVE_CBLAS xflens multiplies in plain loops, ten times
// slower, and xblas.hpp of xtensor-blas 0.21 includes xflens first.
#include <xtensor-blas/xblas_config.hpp>
#ifndef HAVE_CBLAS
#error "xtensor-blas is configured without a BLAS (XTENSOR_USE_FLENS_BLAS)"
#endif
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xblas.hpp>
#undef ASSERT

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace perp {
namespace {

using cxxblas::NoTrans, cxxblas::RowMajor, cxxblas::Trans, cxxblas::Transpose;

int blas_int(std::size_t size, std::string_view where) {
  require(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
          "{}: a size of {} is beyond BLAS's 32-bit int; split the table into tiles", where, size);
  return static_cast<int>(size);
}

/// out (m x n) = op(a) op(b) with inner size k; the caller has compared the shapes.
template <class T>
void multiply(std::string_view where, Transpose ta, Transpose tb, View<T> a, View<T> b, std::size_t m,
              std::size_t n, std::size_t k, T* out) {
  const int im = blas_int(m, where), in = blas_int(n, where), ik = blas_int(k, where);
  const int lda = blas_int(a.stride, where), ldb = blas_int(b.stride, where);
  if (m == 0 || n == 0) return;
  if (k == 0) {
    std::fill(out, out + m * n, T{0});
    return;
  }
  cxxblas::gemm(RowMajor, ta, tb, im, in, ik, T{1}, a.data, lda, b.data, ldb, T{0}, out, in);
}

template <class T>
Matrix<T> gram(std::string_view where, Transpose t, View<T> a, std::size_t n, std::size_t k) {
  const int in = blas_int(n, where), ik = blas_int(k, where), lda = blas_int(a.stride, where);
  Matrix<T> c = zeros<T>(n, n);
  if (n == 0 || k == 0) return c;
  cxxblas::syrk(RowMajor, cxxblas::Lower, t, in, ik, T{1}, a.data, lda, T{0}, c.data(), in);
  // Mirrored in square tiles of a cache line: more rows a power of two apart would share a set of the cache.
  constexpr std::size_t tile = 64 / sizeof(T);
  T* p = c.data();
  for (std::size_t i0 = 0; i0 < n; i0 += tile)
    for (std::size_t j0 = 0; j0 <= i0; j0 += tile)
      for (std::size_t i = i0; i < std::min(n, i0 + tile); ++i)
        for (std::size_t j = j0; j < std::min(i, j0 + tile); ++j) p[j * n + i] = p[i * n + j];
  return c;
}

}  // namespace

template <class T>
Matrix<T> product(View<T> a, View<T> b) {
  expect(a.cols == b.rows, "product: a is {} x {}, b is {} x {}; a's columns must equal b's rows", a.rows,
         a.cols, b.rows, b.cols);
  Matrix<T> out = matrix<T>(a.rows, b.cols);
  multiply("product", NoTrans, NoTrans, a, b, a.rows, b.cols, a.cols, out.data());
  return out;
}

template <class T>
void product_nt_into(View<T> a, View<T> b, T* out) {
  expect(a.cols == b.cols, "product_nt: a is {} x {}, b is {} x {}; both need the same number of columns",
         a.rows, a.cols, b.rows, b.cols);
  multiply("product_nt", NoTrans, Trans, a, b, a.rows, b.rows, a.cols, out);
}

template <class T>
Matrix<T> product_nt(View<T> a, View<T> b) {
  Matrix<T> out = matrix<T>(a.rows, b.rows);
  product_nt_into(a, b, out.data());
  return out;
}

template <class T>
void product_tn_into(View<T> a, View<T> b, T* out) {
  expect(a.rows == b.rows, "product_tn: a is {} x {}, b is {} x {}; both need the same number of rows",
         a.rows, a.cols, b.rows, b.cols);
  multiply("product_tn", Trans, NoTrans, a, b, a.cols, b.cols, a.rows, out);
}

template <class T>
Matrix<T> product_tn(View<T> a, View<T> b) {
  Matrix<T> out = matrix<T>(a.cols, b.cols);
  product_tn_into(a, b, out.data());
  return out;
}

template <class T>
Matrix<T> gram_columns(View<T> a) {
  return gram("gram_columns", Trans, a, a.cols, a.rows);
}

template <class T>
Matrix<T> gram_rows(View<T> a) {
  return gram("gram_rows", NoTrans, a, a.rows, a.cols);
}

template <class T>
Matrix<T> solve_lower(const Matrix<T>& lower, const Matrix<T>& b) {
  const std::size_t n = rows(lower), m = cols(b);
  expect(n == cols(lower) && n == rows(b),
         "solve_lower: the triangle is {} x {}, the right-hand side {} x {}", n, cols(lower), rows(b), m);
  for (std::size_t i = 0; i < n; ++i)
    if (lower(i, i) == T{0}) fail("solve_lower: the triangle's diagonal is zero in row {} of {}", i, n);
  Matrix<T> x = b;
  const int in = blas_int(n, "solve_lower"), im = blas_int(m, "solve_lower");
  if (n > 0 && m > 0)
    cxxblas::trsm(RowMajor, cxxblas::Left, cxxblas::Lower, NoTrans, cxxblas::NonUnit, in, im, T{1},
                  lower.data(), in, x.data(), im);
  return x;
}

template <class T>
double diagonal_ratio(const Matrix<T>& lower) {
  expect(rows(lower) == cols(lower) && rows(lower) > 0,
         "diagonal_ratio: a {} x {} matrix; a non-empty square one was expected", rows(lower), cols(lower));
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < rows(lower); ++i) {
    const double entry = std::abs(static_cast<double>(lower(i, i)));
    least = std::min(least, entry);
    most = std::max(most, entry);
  }
  return most / least;
}

#define PERP_INSTANTIATE(T)                                                             \
  Matrix<T> product(View<T> a, View<T> b) { return product<T>(a, b); }                  \
  Matrix<T> product_nt(View<T> a, View<T> b) { return product_nt<T>(a, b); }            \
  Matrix<T> product_tn(View<T> a, View<T> b) { return product_tn<T>(a, b); }            \
  void product_nt_into(View<T> a, View<T> b, T* out) { product_nt_into<T>(a, b, out); } \
  void product_tn_into(View<T> a, View<T> b, T* out) { product_tn_into<T>(a, b, out); } \
  Matrix<T> gram_columns(View<T> a) { return gram_columns<T>(a); }                      \
  Matrix<T> gram_rows(View<T> a) { return gram_rows<T>(a); }                            \
  template Matrix<T> solve_lower(const Matrix<T>&, const Matrix<T>&);                   \
  template double diagonal_ratio(const Matrix<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp
