// A6: counts, by hand.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a6)

BOOST_AUTO_TEST_CASE(rows_by_hand) {
  const Table& costs = table("a6_cost.csv");
  for (std::size_t i = 0; i < costs.rows.size(); ++i) {
    const std::string joining = to_text(costs.at(i, "joining"));
    const double d = costs.number(i, "d"), p = costs.number(i, "positions");
    const double w = joining == "appended" ? d + p : d;
    BOOST_TEST(costs.number(i, "width") == w);
    BOOST_TEST(costs.number(i, "block_parameters") == 12 * w * w + 13 * w);
    BOOST_TEST(costs.number(i, "block_operations") == 1024 * (12 * w * w + 2 * 1024 * w));
    BOOST_TEST(costs.number(i, "cache_bytes") == 8 * w);
    const double words = 50257 * (joining == "divided" ? d - p : d);
    const double map = joining == "projected" ? (d + p) * d + d : 0;
    BOOST_TEST(costs.number(i, "model_parameters") == words + map + 12 * (12 * w * w + 13 * w));
    BOOST_TEST(costs.number(i, "model_bytes") == 4 * costs.number(i, "model_parameters"));
    BOOST_TEST(std::abs(costs.number(i, "block_ratio") - (12 * w * w + 13 * w) / (12 * d * d + 13 * d)) <
               1e-14);
    if (joining == "divided") BOOST_TEST(costs.number(i, "model_ratio") < 1);
    if (joining == "appended") {
      BOOST_TEST(costs.number(i, "operations_ratio") > w / d);
      BOOST_TEST(costs.number(i, "operations_ratio") < costs.number(i, "line"));
    }
  }
}

BOOST_AUTO_TEST_CASE(heads_by_hand) {
  const double blocks = 12 * (12.0 * 768 * 768 + 13 * 768), words = 50257.0 * 768, fewer = 50257.0 * 672;
  BOOST_TEST(std::abs(value("A6.untied_ratio.divided.d768.dp96") -
                      (fewer + words + blocks) / (words + blocks)) < 1e-14);
  BOOST_TEST(std::abs(value("A6.both_untied_ratio.divided.d768.dp96") -
                      (fewer + words + blocks) / (2 * words + blocks)) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
