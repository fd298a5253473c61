#include "perp/measures/layernorm.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

Matrix<double> one_row(const std::vector<double>& values) {
  Matrix<double> out = matrix<double>(1, values.size());
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

/// Largest difference between entries.
double apart(const Matrix<double>& a, const Matrix<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layernorm)

BOOST_AUTO_TEST_CASE(by_hand) {
  // Mean 3, variance (4 + 0 + 4)/3.
  const Matrix<double> got = layer_norm(one_row({1, 3, 5}));
  const double unit = 2 / std::sqrt(8.0 / 3 + 1e-5);
  BOOST_TEST(apart(got, one_row({-unit, 0, unit})) < tolerance::layer_norm(3, 1));
  const std::vector<double> gain{2, 5, -1}, bias{10, 20, 30};
  BOOST_TEST(apart(layer_norm(one_row({1, 3, 5}), gain, bias), one_row({10 - 2 * unit, 20, 30 - unit})) <
             40 * tolerance::layer_norm(3, 1));
  BOOST_TEST(apart(layer_norm(one_row({1, 3, 5}), {}, {}, 1),
                   one_row({-2 / std::sqrt(11.0 / 3), 0, 2 / std::sqrt(11.0 / 3)})) <
             tolerance::layer_norm(3, 1));
}

BOOST_AUTO_TEST_CASE(rows_of_mean_0_and_length_root_d) {
  const std::size_t d = 300;
  Matrix<double> table = made::normal<double>(20, d, 1);
  for (std::size_t j = 0; j < d; ++j) table(7, j) += 1e6;  // far from the origin
  const Matrix<double> got = layer_norm(table, {}, {}, 1e-12);
  for (std::size_t r = 0; r < rows(got); ++r) {
    const double offset = r == 7 ? 1e6 : 1;
    double sum = 0, square = 0;
    for (const double x : row(got, r)) sum += x, square += x * x;
    BOOST_TEST(std::abs(sum) < d * tolerance::layer_norm(d, offset));
    BOOST_TEST(std::abs(square / d - 1) < 1e-11 + tolerance::layer_norm(d, offset));
  }
}

BOOST_AUTO_TEST_CASE(neither_shift_nor_size_matters) {
  const std::size_t d = 64;
  const Matrix<double> table = made::normal<double>(30, d, 2);
  Matrix<double> other = table;
  for (std::size_t i = 0; i < other.size(); ++i) other.data()[i] = 5 * other.data()[i] + 3;
  // epsilon is a variance: it grows with the square of the size.
  BOOST_TEST(apart(layer_norm(table), layer_norm(other, {}, {}, 25e-5)) < 8 * tolerance::layer_norm(d, 3));
}

BOOST_AUTO_TEST_CASE(equal_values_become_the_bias) {
  const std::vector<double> gain(5, 7), bias{1, 2, 3, 4, 5};
  BOOST_TEST(apart(layer_norm(one_row({.1, .1, .1, .1, .1}), gain, bias), one_row(bias)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_block_of_a_larger_table) {
  const Matrix<double> table = made::normal<double>(6, 8, 3);
  Matrix<double> left = matrix<double>(6, 5);
  for (std::size_t r = 0; r < 6; ++r) std::copy_n(&table(r, 0), 5, &left(r, 0));
  BOOST_TEST(apart(layer_norm(View<double>(table.data(), 6, 5, 8)), layer_norm(left)) == 0.0);
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused) {
  Matrix<double> table = made::normal<double>(3, 4, 1);
  const std::vector<double> three(3, 1), four(4, 1);
  std::vector<double> broken(4, 1);
  broken[2] = std::numeric_limits<double>::infinity();
  BOOST_TEST(made::refused([&] { layer_norm(table, three); }, "3 values of gain for rows of 4"));
  BOOST_TEST(made::refused([&] { layer_norm(table, four, three); }, "3 values of bias for rows of 4"));
  BOOST_TEST(made::refused([&] { layer_norm(table, four, broken); }, "the bias of dimension 2 is inf"));
  BOOST_TEST(made::refused([&] { layer_norm(table, {}, {}, 0); }, "epsilon 0; expected above 0"));
  BOOST_TEST(made::refused([&] { layer_norm(View<double>(table.data(), 3, 0, 4)); }, "no dimension"));
  table(1, 3) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(made::refused([&] { layer_norm(table); }, "row 1 has a variance of nan"));
}

BOOST_AUTO_TEST_SUITE_END()
