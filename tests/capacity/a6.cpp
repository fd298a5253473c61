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
  const auto block = [](double w) { return 12 * w * w + 13 * w; };
  const auto operations = [](double w) { return 12 * w * w + 2 * 1024 * w; };
  for (std::size_t i = 0; i < costs.rows.size(); ++i) {
    const std::string joining = to_text(costs.at(i, "joining"));
    const double d = 768, p = 96, w = joining == "appended" ? d + p : d;
    const double words = 50257 * (joining == "divided" ? d - p : d);
    BOOST_TEST(costs.number(i, "width") == w);
    BOOST_TEST(costs.number(i, "model_parameters") == words + 12 * block(w));
    BOOST_TEST(std::abs(costs.number(i, "operations_ratio") - operations(w) / operations(d)) < 1e-14);
    BOOST_TEST(std::abs(costs.number(i, "cache_ratio") - w / d) < 1e-14);
  }
  const double words = 50257.0 * 768, fewer = 50257.0 * 672, blocks = 12 * block(768);
  BOOST_TEST(std::abs(value("A6.untied_ratio.divided.d768.dp96") -
                      (fewer + words + blocks) / (words + blocks)) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
