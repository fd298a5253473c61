// Second moments against their definitions, and whitening against what it is for.

#include "perp/measures/outer.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/squares.hpp"
#include "tests/measures/made.hpp"

using namespace perp;

namespace {

/// Columns of unequal spread about a mean that is not 0; more rows than a tile of `mean_outer_product`.
template <class T>
Matrix<T> uneven() {
  Matrix<T> table = made::normal<T>(5000, 6, 1);
  for (std::size_t i = 0; i < rows(table); ++i)
    for (std::size_t j = 0; j < cols(table); ++j) table(i, j) = T(j + 1) * table(i, j) + T(3);
  return table;
}

/// `relative`: of the largest entry, 5000 roundings of 2^-53, or some of 2^-24.
template <class T>
void check_moments(double relative) {
  const Matrix<T> table = uneven<T>();
  const Matrix<double> got = covariance(table);
  const double n = static_cast<double>(rows(table));
  double square = 0;
  for (std::size_t i = 0; i < cols(table); ++i)
    for (std::size_t j = 0; j < cols(table); ++j) {
      double both = 0, one = 0, other = 0;
      for (std::size_t r = 0; r < rows(table); ++r) {
        const double a = table(r, i), b = table(r, j);
        both += a * b / n;
        one += a / n;
        other += b / n;
      }
      BOOST_TEST(std::abs(got(i, j) - (both - one * other)) < 36 * relative);
      if (i == j) square += both;
    }
  BOOST_TEST(std::abs(mean_square_length(table) / square - 1) < 5000 * 0x1p-53);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_outer)

BOOST_AUTO_TEST_CASE(covariance_and_mean_square_length_are_what_they_say) {
  check_moments<double>(5000 * 0x1p-53);
  check_moments<float>(100 * 0x1p-24);
  BOOST_CHECK_THROW(covariance(zeros<double>(0, 3)), Error);
  BOOST_TEST(std::isnan(mean_square_length(zeros<float>(0, 3))));
}

BOOST_AUTO_TEST_CASE(whitened_rows_have_covariance_one) {
  const Matrix<double> table = uneven<double>(), map = whitening(covariance(table)),
                       white = covariance(product_nt(table, map));
  for (std::size_t i = 0; i < rows(white); ++i)
    for (std::size_t j = 0; j < rows(white); ++j)
      BOOST_TEST(std::abs(white(i, j) - (i == j ? 1 : 0)) < 5000 * 0x1p-53 * 36);
  // Two columns of one number, and two that differ by 1e-8 of it.
  Matrix<double> singular = zeros<double>(2, 2);
  singular(0, 0) = singular(0, 1) = singular(1, 0) = singular(1, 1) = 1;
  BOOST_TEST(whitening(singular).size() == 0U);
  singular(1, 1) = 1 + 4e-15;
  BOOST_TEST(whitening(singular).size() == 0U);
  BOOST_CHECK_THROW(whitening(zeros<double>(2, 3)), Error);
}

BOOST_AUTO_TEST_SUITE_END()
