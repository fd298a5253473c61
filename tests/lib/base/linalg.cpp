#include "perp/base/linalg.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "tests/lib/base/differences.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using perp::test::check_refusals;

namespace {

/// Deterministic values in (-1, 1) that no simple structure explains.
template <class T>
Matrix<T> scrambled(std::size_t rows, std::size_t cols, unsigned seed) {
  Matrix<T> m = matrix<T>(rows, cols);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  for (std::size_t i = 0; i < rows * cols; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    m.data()[i] = static_cast<T>(static_cast<double>(state >> 11) * 0x1p-52 - 1.0);
  }
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_products)

// It multiplies back what belongs together, in either precision.
BOOST_AUTO_TEST_CASE(what_programs_try_before_they_begin_is_right_here) { try_blas(2); }

// Views that are strided and share a start with their parent: a prefix must not be taken for the whole.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_part_as_of_its_copy, T, decltype(std::tuple<float, double>())) {
  const Matrix<T> big = scrambled<T>(90, 71, 1);
  const View<T> a = block(big, 0, 64, 50), b = block(big, 1, 51, 50), c = block(big, 20, 84, 37);
  const auto copy = [](View<T> part) { return leading_rows(part, part.rows); };
  const double bound = tolerance::inner_product<T>(71);
  BOOST_TEST(worst_difference(product(a, b), product(copy(a), copy(b))) < bound);
  BOOST_TEST(worst_difference(product_nt(a, b), product_nt(copy(a), copy(b))) < bound);
  BOOST_TEST(worst_difference(product_tn(a, c), product_tn(copy(a), copy(c))) < bound);
  BOOST_TEST(worst_difference(gram_rows(a), gram_rows(copy(a))) < bound);
  BOOST_TEST(worst_difference(gram_columns(a), gram_columns(copy(a))) < bound);
  BOOST_TEST(worst_difference(product_nt(big, block(big, 0, 64)), product_nt(big, copy(block(big, 0, 64)))) <
             bound);
}

BOOST_AUTO_TEST_CASE(more_rows_than_a_library_counts_are_refused_before_any_read) {
  const float one = 1;
  float out = 0;
  const View<float> huge(&one, std::size_t{1} << 31, 1, 1), narrow(&one, 1, 1, 1);
  check_refusals({{"2147483648", [&] { gram_columns(huge); }},
                  {"2147483648", [&] { product_nt_into(huge, narrow, &out); }}});
}

BOOST_AUTO_TEST_CASE(triangles_are_solved_and_zero_diagonals_fail) {
  Matrix<double> lower = zeros<double>(2, 2), b = zeros<double>(2, 1);
  lower(0, 0) = 2, lower(1, 0) = 3, lower(1, 1) = 4, lower(0, 1) = 99;
  b(0, 0) = 2, b(1, 0) = 11;
  const Matrix<double> x = solve_lower(lower, b);
  BOOST_TEST(x(0, 0) == 1.0);
  BOOST_TEST(x(1, 0) == 2.0);
  BOOST_TEST(diagonal_ratio(lower) == 2.0);
  lower(1, 1) = 0;
  test::check_refusal([&] { solve_lower(lower, b); }, "row 1 of 2", Exit::failed);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(linalg_decompositions)

BOOST_AUTO_TEST_CASE(a_basis_is_completed) {
  const std::size_t k = 37, d = 90;
  const Matrix<double> a = scrambled<double>(k, d, 11), full = complete_basis(a);
  const double bound = tolerance::inner_product<double>(d) * static_cast<double>(k);
  BOOST_TEST(skew(gram_rows(full)) < bound);
  BOOST_TEST(worst_difference(product_nt(a, block(full, k, d)), zeros<double>(k, d - k)) < bound);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(singular_factors_multiply_back, T, decltype(std::tuple<float, double>())) {
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{31, 12}, {12, 31}, {17, 17}, {1, 5}}) {
    const Matrix<T> a = scrambled<T>(m, n, 14);
    const Singular<T> s = singular_decomposition(a);
    const std::size_t k = std::min(m, n);
    BOOST_REQUIRE(rows(s.left) == m && cols(s.left) == k && rows(s.right) == k && cols(s.right) == n);
    BOOST_TEST(s.values.size() == k);
    BOOST_TEST(std::is_sorted(s.values.rbegin(), s.values.rend()));
    const double bound = tolerance::inner_product<T>(m + n) * static_cast<double>(k);
    Matrix<T> scaled = s.left;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t l = 0; l < k; ++l) scaled(i, l) *= s.values[l];
    BOOST_TEST(worst_difference(product(scaled, s.right), a) < bound);
    BOOST_TEST(skew(gram_columns(s.left)) < bound);
    BOOST_TEST(skew(gram_rows(s.right)) < bound);
  }
}

BOOST_AUTO_TEST_CASE(only_the_lower_triangle_is_read) {
  Matrix<double> a = zeros<double>(2, 2);
  a(0, 0) = 2, a(1, 1) = 2, a(1, 0) = 1, a(0, 1) = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = symmetric_eigenvalues(a);
  BOOST_TEST(std::abs(values[0] - 1) < tolerance::inner_product<double>(2));
  BOOST_TEST(std::abs(values[1] - 3) < tolerance::inner_product<double>(2));
  BOOST_TEST(rows(cholesky(a)) == 2U);
}

BOOST_AUTO_TEST_CASE(indefinite_and_dependent_matrices) {
  Matrix<double> a = zeros<double>(2, 2), dependent = scrambled<double>(3, 8, 5);
  a(0, 0) = 1, a(1, 1) = 1, a(1, 0) = 2;
  BOOST_TEST(cholesky(a).size() == 0U);
  for (std::size_t j = 0; j < 8; ++j) dependent(2, j) = dependent(0, j) - 2 * dependent(1, j);
  BOOST_TEST(skew(gram_rows(complete_basis(dependent))) < tolerance::inner_product<double>(64));
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused_by_place_and_shape) {
  Matrix<double> a = zeros<double>(3, 3);
  a(2, 1) = std::numeric_limits<double>::quiet_NaN();
  const char* where = "entry (2, 1) of the 3 x 3 matrix is nan";
  check_refusals({{where, [&] { cholesky(a); }},
                  {where, [&] { singular_values(a); }},
                  {where, [&] { singular_decomposition(a); }},
                  {where, [&] { symmetric_eigenvalues(a); }},
                  {where, [&] { symmetric_eigen(a); }},
                  {where, [&] { orthonormal_rows(a); }},
                  {where, [&] { complete_basis(a); }}});
}

BOOST_AUTO_TEST_SUITE_END()
