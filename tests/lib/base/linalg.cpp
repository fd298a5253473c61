#include "perp/base/linalg.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

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

/// Is |got - want| within the bound for an inner product of `inner` terms below 1?
template <class T>
bool near(T got, long double want, std::size_t inner) {
  return std::abs(static_cast<long double>(got) - want) <= tolerance::inner_product<T>(inner);
}

template <class T>
long double dot_rows(View<T> a, std::size_t i, View<T> b, std::size_t j) {
  long double sum = 0;
  for (std::size_t k = 0; k < a.cols; ++k) sum += static_cast<long double>(a(i, k)) * b(j, k);
  return sum;
}

template <class T>
void compare_products(std::size_t m, std::size_t n, std::size_t k) {
  // Views that are strided and share a start with their parent: a prefix must not be taken for the whole.
  const Matrix<T> big_a = scrambled<T>(m + 1, k + 3, 1), big_b = scrambled<T>(n + 2, k + 5, 2);
  const View<T> a = block(big_a, 0, m, k), b = block(big_b, 1, n + 1, k);
  const Matrix<T> bt = transposed(b), at = transposed(a);
  const Matrix<T> nt = product_nt(a, b), nn = product(a, bt), tn = product_tn(at, bt);
  const Matrix<T> gr = gram_rows(a), gc = gram_columns(at), prefix = product_nt(big_a, block(big_a, 0, m));
  bool good = true;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const long double want = dot_rows(a, i, b, j);
      good = good && near(nt(i, j), want, k) && near(nn(i, j), want, k) && near(tn(i, j), want, k);
    }
    for (std::size_t j = 0; j < m; ++j) {
      const long double want = dot_rows(a, i, a, j);
      good = good && near(gr(i, j), want, k) && near(gc(i, j), want, k) && gr(i, j) == gr(j, i);
      good = good && near(prefix(i, j), dot_rows(View(big_a), i, View(big_a), j), k + 3);
    }
  }
  BOOST_TEST(good, "products of " << m << " x " << k << " and " << n << " x " << k);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_products)

BOOST_AUTO_TEST_CASE(agree_with_plain_loops) {
  for (const std::size_t size : {1U, 2U, 7U, 64U, 131U}) {
    compare_products<float>(size, size + 3, 2 * size + 1);
    compare_products<double>(size + 2, size, size);
  }
  compare_products<float>(100, 33, 512);
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

BOOST_AUTO_TEST_CASE_TEMPLATE(factors_multiply_back, T, decltype(std::tuple<float, double>())) {
  const std::size_t k = 37, d = 90;
  const Matrix<T> a = scrambled<T>(k, d, 11), gram = gram_rows(a), lower = cholesky(gram);
  const double bound = tolerance::inner_product<T>(d) * static_cast<double>(k);
  BOOST_TEST(worst_difference(product_nt(lower, lower), gram) < bound);
  BOOST_TEST(lower(0, 1) == T{0});
  const Matrix<T> white = solve_lower(lower, a), basis = orthonormal_rows(a), full = complete_basis(a);
  for (const Matrix<T>* const rows : {&white, &basis, &full}) BOOST_TEST(skew(gram_rows(*rows)) < bound);
  const Matrix<T> inside = product_nt(a, block(full, k, d));
  BOOST_TEST(worst_difference(inside, zeros<T>(k, d - k)) < bound);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(singular_values_squared_are_the_grams_eigenvalues, T,
                              decltype(std::tuple<float, double>())) {
  const std::size_t k = 40, d = 75;
  const Matrix<T> a = scrambled<T>(k, d, 12), gram = gram_rows(a);
  const std::vector<T> s = singular_values(a), values = symmetric_eigenvalues(gram);
  const Eigen<T> eigen = symmetric_eigen(gram);
  BOOST_REQUIRE(s.size() == k);
  const double bound = tolerance::inner_product<T>(d) * static_cast<double>(k);
  for (std::size_t i = 0; i < k; ++i) {
    BOOST_TEST(std::abs(double(s[i]) * s[i] - values[k - 1 - i]) < bound);
    BOOST_TEST(std::abs(double(eigen.values[i]) - values[i]) < bound);
    double residual = 0;
    for (std::size_t j = 0; j < k; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += double(gram(j, l)) * eigen.vectors(i, l);
      residual = std::max(residual, std::abs(sum - double(values[i]) * eigen.vectors(i, j)));
    }
    BOOST_TEST(residual < bound);
  }
  BOOST_TEST(singular_values(transposed(a)).size() == k);
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
