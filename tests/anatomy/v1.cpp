// V1: the matrix that is drawn, and what stands still in it, by the definition.

#include <cmath>

#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

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

BOOST_AUTO_TEST_SUITE(anatomy_v1)

BOOST_AUTO_TEST_CASE(every_entry_of_both_heat_maps) {
  const Table &map = table("v1_heatmap.csv"), &small = table("v1_heatmap16.csv");
  BOOST_TEST_REQUIRE(map.rows.size() == 512U);
  BOOST_TEST_REQUIRE(map.columns.size() == 129U);
  double worst = 0;
  for (std::size_t j = 0; j < 512; ++j)
    for (std::size_t t = 0; t < 128; ++t)
      worst =
          std::max(worst, std::abs(to_number(map.rows[j][t + 1]) - entry(static_cast<double>(t), j, 512)));
  BOOST_TEST_REQUIRE(small.rows.size() == 16U * 32);
  for (std::size_t row = 0; row < small.rows.size(); ++row) {
    const auto j = static_cast<std::size_t>(small.number(row, "dimension"));
    worst =
        std::max(worst, std::abs(small.number(row, "value") - entry(small.number(row, "position"), j, 32)));
  }
  BOOST_TEST(worst < to_four_places);
}

BOOST_AUTO_TEST_CASE(what_stands_still) {
  BOOST_TEST(value("V1.still.d32.l16") == plain_still(32, 16));
  BOOST_TEST(value("V1.still.d512.l128") == plain_still(512, 128));
  BOOST_TEST(value("V1.still.d512.l512") == plain_still(512, 512));
}

BOOST_AUTO_TEST_SUITE_END()
