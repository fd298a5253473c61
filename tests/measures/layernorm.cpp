#include "perp/measures/layernorm.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/matrix_algebra.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(layernorm)

BOOST_AUTO_TEST_CASE(neither_shift_nor_size_matters) {
  const Matrix<double> table = made::normal<double>(30, 64, 2);
  Matrix<double> other = table;
  for (double& x : other) x = 5 * x + 3;
  // epsilon is a variance: it grows with the square of the size.
  BOOST_TEST(made::worst_difference(layer_norm(table), layer_norm(other, {}, {}, 25e-5)) <
             8 * tolerance::layer_norm(64, 3));
}

BOOST_AUTO_TEST_CASE(equal_values_become_the_bias) {
  Matrix<double> table = matrix<double>(1, 5);
  for (double& x : table) x = .1;
  const std::vector<double> gain(5, 7), bias{1, 2, 3, 4, 5};
  const Matrix<double> got = layer_norm(table, gain, bias);
  BOOST_TEST(made::worst_difference(row(got, 0), bias) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_block_of_a_larger_table) {
  const Matrix<double> table = made::normal<double>(6, 8, 3);
  const View<double> left = block(table, 0, 6, 5);
  BOOST_TEST(made::worst_difference(layer_norm(left), layer_norm(converted<double>(left))) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
