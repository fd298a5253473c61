#include <array>
#include <cmath>
#include <future>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"

extern "C" {
void spotrf_(const char* triangle, const int* n, float* a, const int* stride, int* info);
void dpotrf_(const char* triangle, const int* n, double* a, const int* stride, int* info);
}

namespace perp {
namespace {

/// Small whole numbers: products of them are exact in either precision, in whatever order they are added.
template <class T>
Matrix<T> whole_numbers(std::size_t m, std::size_t n) {
  Matrix<T> a = matrix<T>(m, n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      a(i, j) = static_cast<T>(static_cast<int>((7 * i + 3 * j + i * j) % 11) - 5);
  return a;
}

/// a bᵀ by plain loops.
template <class T>
Matrix<T> plain_product_nt(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> c = zeros<T>(rows(a), rows(b));
  for (std::size_t i = 0; i < rows(a); ++i)
    for (std::size_t j = 0; j < rows(b); ++j)
      for (std::size_t k = 0; k < cols(a); ++k) c(i, j) += a(i, k) * b(j, k);
  return c;
}

/// NaN is no answer.
template <class T>
void expect_same(const Matrix<T>& got, const Matrix<T>& known, std::string_view routine) {
  for (std::size_t i = 0; i < rows(known); ++i)
    for (std::size_t j = 0; j < cols(known); ++j)
      if (!(std::abs(got(i, j) - known(i, j)) < T(0.01)))
        fail("{}{} is wrong: {} in row {}, column {} of {} x {}; expected {}",
             std::is_same_v<T, float> ? 's' : 'd', routine, got(i, j), i, j, rows(known), cols(known),
             known(i, j));
}

/// Numbers lie beside those that a routine is given, so that one which reads or writes 64 bits shows itself: n is beyond every
/// stride to it, and its info falls on a number that is looked at.
template <class T>
void try_potrf() {
  constexpr std::size_t size = 33;
  Matrix<T> lower = zeros<T>(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) lower(i, j) = static_cast<T>(static_cast<int>((i + 2 * j) % 3) - 1);
    lower(i, i) = 2;
  }
  Matrix<T> a = plain_product_nt(lower, lower);
  const std::array<int, 2> n{size, 1}, stride{size, 0};
  std::array<int, 2> info{-7, -7};
  if constexpr (std::is_same_v<T, float>)
    spotrf_("U", n.data(), a.data(), stride.data(), info.data());
  else
    dpotrf_("U", n.data(), a.data(), stride.data(), info.data());
  if (info != std::array{0, -7})
    fail("potrf gives info {} for a matrix of {} x {}, or does not take 32-bit integers", info[0], size,
         size);
  for (std::size_t i = 0; i < size; ++i)  // Fortran's lower triangle is as it was
    for (std::size_t j = i + 1; j < size; ++j) a(i, j) = 0;
  expect_same(a, lower, "potrf");
}

/// Whether the rows of `got` have the weighted sums that a bᵀ has (Freivalds 1977).
template <class T>
void expect_sums(const Matrix<T>& got, const Matrix<T>& a, const Matrix<T>& b, std::string_view routine) {
  Matrix<T> sums = zeros<T>(1, rows(a)), known = sums, column = zeros<T>(1, cols(b));
  for (std::size_t j = 0; j < rows(b); ++j)
    for (std::size_t k = 0; k < cols(b); ++k) column(0, k) += static_cast<T>(1 + j % 5) * b(j, k);
  for (std::size_t i = 0; i < rows(a); ++i) {
    for (std::size_t j = 0; j < rows(b); ++j) sums(0, i) += static_cast<T>(1 + j % 5) * got(i, j);
    for (std::size_t k = 0; k < cols(b); ++k) known(0, i) += a(i, k) * column(0, k);
  }
  expect_same(sums, known, routine);
}

/// Rows of a, rows of b and their length that libraries treat apart: large, long, wide and thin, one row and one column.
constexpr std::array<std::array<std::size_t, 3>, 5> shapes{
    {{300, 280, 310}, {24, 20, 1100}, {610, 590, 7}, {1, 410, 300}, {410, 1, 300}}};

/// The three products and SYRK, of small matrices entry by entry and of those shapes by their sums. In double numbers of more digits than a
/// float has.
template <class T>
void try_products() {
  Matrix<T> a = whole_numbers<T>(37, 53);
  const Matrix<T> b = whole_numbers<T>(41, 53);
  if constexpr (std::is_same_v<T, double>)
    for (std::size_t i = 0; i < rows(a); ++i) a(i, i) += 1 << 27U;
  const Matrix<T> known = plain_product_nt(a, b), left = transposed(a), right = transposed(b);
  expect_same(product_nt(a, b), known, "gemm");
  expect_same(product(a, right), known, "gemm");
  expect_same(product_tn(left, right), known, "gemm");
  const Matrix<T> c = whole_numbers<T>(37, 53), squares = plain_product_nt(c, c);
  expect_same(gram_rows(c), squares, "syrk");
  expect_same(gram_columns(transposed(c)), squares, "syrk");
  for (const auto& [m, n, k] : shapes) {
    const Matrix<T> one = whole_numbers<T>(m, k), other = whole_numbers<T>(n, k), turned = transposed(other);
    expect_sums(product_nt(one, other), one, other, "gemm");
    expect_sums(gram_rows(one), one, one, "syrk");
    if (m * n * k > 10'000'000) continue;  // long enough
    expect_sums(product(one, turned), one, other, "gemm");
    expect_sums(product_tn(transposed(one), turned), one, other, "gemm");
  }
}

/// What belongs together is multiplied: nothing here needs an answer that is known.
template <class T>
void try_decompositions() {
  constexpr std::size_t n = 65, m = 40;
  Matrix<T> a = whole_numbers<T>(m, n), one = zeros<T>(m, m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) a(i, j) = (a(i, j) + (i == j ? 7 : 0)) / 20;
  for (std::size_t i = 0; i < m; ++i) one(i, i) = 1;
  const auto scaled = [](const std::vector<T>& factors, Matrix<T> table) {
    for (std::size_t i = 0; i < factors.size(); ++i)
      for (std::size_t j = 0; j < cols(table); ++j) table(i, j) *= factors[i];
    return table;
  };
  const auto row = [](const std::vector<T>& values) {
    Matrix<T> table = matrix<T>(1, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) table(0, i) = values[i];
    return table;
  };
  const Matrix<T> q = orthonormal_rows(a);
  expect_same(plain_product_nt(q, q), one, "geqrf");
  expect_same(plain_product_nt(plain_product_nt(a, q), transposed(q)), a, "geqrf");
  const Singular<T> svd = singular_decomposition(a);
  expect_same(plain_product_nt(svd.left, transposed(scaled(svd.values, svd.right))), a, "gesdd");
  expect_same(row(singular_values(a)), row(svd.values), "gesdd");
  const Matrix<T> gram = plain_product_nt(a, a);
  const Eigen<T> eigen = symmetric_eigen(gram);
  expect_same(plain_product_nt(eigen.vectors, eigen.vectors), one, "syevd");
  expect_same(plain_product_nt(transposed(eigen.vectors), transposed(scaled(eigen.values, eigen.vectors))),
              gram, "syevd");
  expect_same(row(symmetric_eigenvalues(gram)), row(eigen.values), "syevd");
  Matrix<T> definite = gram;
  for (std::size_t i = 0; i < m; ++i) definite(i, i) += 1;
  const Matrix<T> lower = cholesky(definite);
  expect_same(plain_product_nt(lower, lower), definite, "potrf");
  expect_same(solve_lower(lower, definite), transposed(lower), "trsm");
}

template <class T>
void try_type() {
  try_products<T>();
  try_potrf<T>();
  try_decompositions<T>();
}

}  // namespace

void try_blas(std::size_t threads) {
  // By itself first: two threads in which a library calls exit at once end as if nothing had been wrong.
  try_type<float>();
  try_type<double>();
  if (threads < 2) return;
  std::future<void> other;
  try {
    other = std::async(std::launch::async, try_products<double>);
  } catch (const std::system_error&) {
    return;  // no more threads to be had: none will call it beside this one
  }
  try_products<double>();
  other.get();
}

}  // namespace perp
