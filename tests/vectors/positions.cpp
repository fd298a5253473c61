// Sinusoidal positions against the formula, far out too.

#include "perp/vectors/positions.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

BOOST_AUTO_TEST_SUITE(vectors_positions)

BOOST_AUTO_TEST_CASE(formula) {
  const std::size_t d = 64, length = 1000;
  const Matrix<double> table = sinusoidal<double>(length, d);
  for (std::size_t t = 0; t < length; t += 37)
    for (std::size_t i = 0; i < d / 2; ++i) {
      const long double angle =
          static_cast<long double>(t) *
          std::pow(10000.0L, -2 * static_cast<long double>(i) / static_cast<long double>(d));
      BOOST_TEST(std::abs(table(t, 2 * i) - static_cast<double>(std::sin(angle))) < tolerance::position(t));
      BOOST_TEST(std::abs(table(t, 2 * i + 1) - static_cast<double>(std::cos(angle))) <
                 tolerance::position(t));
    }
}

BOOST_AUTO_TEST_CASE(numbers_that_people_know) {
  // The three dot products for d = 16 that one of the texts prints.
  const Matrix<float> table = sinusoidal<float>(107, 16);
  const auto dot = [&](std::size_t t, std::size_t s) {
    double sum = 0;
    for (std::size_t j = 0; j < 16; ++j) sum += static_cast<double>(table(t, j)) * table(s, j);
    return sum;
  };
  BOOST_TEST(std::abs(dot(105, 106) - 7.4852) < 5e-5);
  BOOST_TEST(std::abs(dot(5, 6) - 7.4852) < 5e-5);
  BOOST_TEST(std::abs(dot(5, 10) - 6.1370) < 5e-5);
}

BOOST_AUTO_TEST_CASE(a_prefix_is_the_shorter_table) {
  const Matrix<float> longer = sinusoidal<float>(300, 32), shorter = sinusoidal<float>(65, 32);
  for (std::size_t i = 0; i < shorter.size(); ++i) BOOST_REQUIRE(longer.data()[i] == shorter.data()[i]);
}

BOOST_AUTO_TEST_CASE(threads_do_not_change_a_byte) {
  const std::size_t length = 2100;  // five parts of 512 positions, the last one short
  const Matrix<float> one = sinusoidal<float>(length, 32),
                      three = sinusoidal<float>(length, 32, usual_base, 3);
  for (std::size_t i = 0; i < one.size(); ++i) BOOST_REQUIRE(one.data()[i] == three.data()[i]);
}

BOOST_AUTO_TEST_CASE(norms_are_half_the_dimension) {
  const Matrix<double> table = sinusoidal<double>(200, 128, 500);
  for (std::size_t t = 0; t < 200; ++t) {
    double sum = 0;
    for (const double x : row(table, t)) sum += x * x;
    BOOST_TEST(std::abs(sum - 64) < 64 * tolerance::position(t));
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made) {
  check_refusal([] { sinusoidal<float>(10, 7); }, "dimension 7; expected an even number");
  check_refusal([] { sinusoidal<float>(10, 0); }, "dimension 0");
  check_refusal([] { sinusoidal<float>(0, 8); }, "length 0");
  check_refusal([] { frequencies(8, 1); }, "base 1; expected a number above 1");
  check_refusal([] { frequencies(8, std::nan("")); }, "base nan");
}

BOOST_AUTO_TEST_SUITE_END()
