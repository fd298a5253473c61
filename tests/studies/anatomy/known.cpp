// V1: what stands still in the matrix, by the definition. V2: hands against tables made to turn.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "studies/anatomy/claims.hpp"
#include "tests/studies/anatomy/quick.hpp"
#include "tests/support/found.hpp"
#include "tests/support/golden.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_v1)

namespace {

/// Dimensions from the right end that stay within .1 of 0 (even) or 1 (odd) at all of `l` positions.
int plain_still(std::size_t d, int l) {
  int still = 0;
  for (std::size_t j = d; j-- > 0; ++still)
    for (int t = 0; t < l; ++t)
      if (std::abs(entry(t, j, d) - static_cast<double>(j % 2)) > 0.1) return still;
  return still;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_stands_still) {
  BOOST_TEST(value("V1.still.d32.l16") == plain_still(32, 16));
  BOOST_TEST(value("V1.still.d512.l128") == plain_still(512, 128));
  BOOST_TEST(value("V1.still.d512.l512") == plain_still(512, 512));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(anatomy_v2)

using perp::anatomy::Hand;

namespace {

/// A hand of this length that starts at twelve and turns by `step` radians a position, clockwise positive.
Matrix<double> made(double step, std::size_t positions, double radius = 1) {
  Matrix<double> table = matrix<double>(positions, 2);
  for (std::size_t t = 0; t < positions; ++t) {
    table(t, 0) = radius * std::sin(step * static_cast<double>(t));
    table(t, 1) = radius * std::cos(step * static_cast<double>(t));
  }
  return table;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_hand_that_moves_right_from_twelve_is_clockwise) {
  const Matrix<double> table = made(std::numbers::pi / 2, 2);  // to three o'clock
  const Hand hand = anatomy::read_hand(table, 0, 1);
  BOOST_TEST(hand.clockwise == 1U);
  BOOST_TEST(std::abs(hand.turned - std::numbers::pi / 2) < 1e-15);
  const Hand swapped = anatomy::read_hand(table, 1, 0);
  BOOST_TEST(swapped.clockwise == 0U);
  BOOST_TEST(std::abs(swapped.turned + std::numbers::pi / 2) < 1e-15);
}

BOOST_AUTO_TEST_CASE(hands_as_made) {
  const Hand forth = anatomy::read_hand(made(0.3, 100), 0, 1),
             back = anatomy::read_hand(made(-0.3, 100), 0, 1);
  BOOST_TEST(forth.clockwise == 99U);
  BOOST_TEST(back.clockwise == 0U);
  BOOST_TEST(std::abs(forth.turned - 29.7) < 1e-12);
  BOOST_TEST(std::abs(back.turned + 29.7) < 1e-12);
  BOOST_TEST(forth.radius_error < anatomy::radius_bound());
  BOOST_TEST(std::abs(anatomy::read_hand(made(0.3, 10, 1.5), 0, 1).radius_error - 0.5) < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()

// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.
BOOST_AUTO_TEST_SUITE(anatomy_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("anatomy", merged(anatomy::study().claims, results_of)); }

BOOST_AUTO_TEST_SUITE_END()
