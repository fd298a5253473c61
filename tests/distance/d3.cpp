// D3: how well data determine the shift, against a theorem.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "perp/measures/shift.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d3)

BOOST_AUTO_TEST_CASE(the_gap_bounds_the_condition) {
  // d = 4, T = 10000: frequencies 1 and .01; the smallest gap is that between .01 and -.01.
  BOOST_TEST(std::abs(certain_length(frequencies(4)) - 2 * std::numbers::pi / 0.02) < 1e-9);
  check_refusal([] { certain_length({}); }, "no frequencies");
  // Moitra's bound: (L - 1 + 1/g)/(L - 1 - 1/g) limits the squared condition, g the smallest gap in turns.
  for (const std::size_t d : {4, 8}) {
    const double inverse = certain_length(frequencies(d));
    const auto length = static_cast<std::size_t>(2 * inverse) + 2;
    const Matrix<double> table = sinusoidal<double>(length + 1, d);
    const RecoveredMap map = recover_map(block(table, 0, length), block(table, 1, length + 1), 1e-12);
    const double condition = map.singular_values.front() / map.singular_values.back(),
                 span = static_cast<double>(length - 1);
    BOOST_TEST(condition * condition <= (span + inverse) / (span - inverse) * (1 + 1e-9), "d = " << d);
  }
}

BOOST_AUTO_TEST_SUITE_END()
