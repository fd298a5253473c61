#include "perp/base/linalg_trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"

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

template <class T>
void try_type() {
  const Matrix<T> a = whole_numbers<T>(37, 53), b = whole_numbers<T>(41, 53);
  expect_same(product_nt(a, b), plain_product_nt(a, b), "gemm");
  expect_same(gram_rows(a), plain_product_nt(a, a), "syrk");
  try_potrf<T>();
}

}  // namespace

void try_blas() {
  try_type<float>();
  try_type<double>();
}

}  // namespace perp
