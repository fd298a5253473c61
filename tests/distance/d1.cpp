// D1: what holds on every machine about products of positions in short formats.

#include <boost/test/unit_test.hpp>

#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d1)

BOOST_AUTO_TEST_CASE(bound_counts_the_position_that_is_not_exact) {
  const auto bound = [](double last) {
    return product_rounding_bound(Format::bfloat16, Format::bfloat16, 64, usual_base, last);
  };
  const double u = 0x1p-8, table = theory::table_rounding_bound(64, u);
  BOOST_TEST(bound(256) == table + theory::angle_rounding_bound(64, usual_base, u, 256, 256, 1));
  BOOST_TEST(bound(257) == table + theory::angle_rounding_bound(64, usual_base, u, 257, 257, 2));
}

BOOST_AUTO_TEST_SUITE_END()
