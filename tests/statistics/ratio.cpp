// The ratio of two means from pairs of draws.

#include "perp/statistics/ratio.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/scratch.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(statistics_ratio)

BOOST_AUTO_TEST_CASE(pooled_ratio_is_exact_for_a_fixed_share) {
  const std::vector<double> parts{1, 2, 3}, wholes{4, 8, 12}, one{1}, two{2};
  const PooledRatio ratio = pooled_ratio(parts, wholes);
  BOOST_TEST(ratio.value == 0.25);
  BOOST_REQUIRE(ratio.spread.has_value());
  BOOST_TEST(ratio.spread->mean->error == 0);
  BOOST_TEST(ratio.spread->replicates == 3U);
  BOOST_TEST(!pooled_ratio(one, two).spread.has_value());
  BOOST_TEST(test::contains(test::message_of([&] { pooled_ratio(parts, one); }), "3 parts of 1 wholes"));
}

BOOST_AUTO_TEST_CASE(pooled_ratio_spreads_as_its_residuals) {
  // Residuals 1 - 2r, 3 - 4r, 2 - 4r with r = 6/10: -.2, .6, -.4; their mean's error over the mean whole.
  const std::vector<double> parts{1, 3, 2}, wholes{2, 4, 4};
  const PooledRatio ratio = pooled_ratio(parts, wholes);
  BOOST_TEST(std::abs(ratio.value - 0.6) < 1e-15);
  BOOST_TEST(std::abs(ratio.spread->mean->error - std::sqrt((0.04 + 0.36 + 0.16) / 2 / 3) / (10.0 / 3)) <
             1e-15);
  BOOST_TEST(ratio.spread->mean->freedom == 2);
}

BOOST_AUTO_TEST_SUITE_END()
