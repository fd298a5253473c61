// V3: the circle around a word, and how many other words lie in it.

#include <algorithm>
#include <cmath>

#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_v3)

BOOST_AUTO_TEST_CASE(sums_that_are_drawn) {
  const Table& planes = table("v3_planes.csv");
  double x = 0, y = 0;
  for (std::size_t row = 0; row < planes.rows.size(); ++row) {
    const std::string kind = to_text(planes.at(row, "kind"));
    const auto pair = static_cast<std::size_t>(planes.number(row, "pair"));
    if (kind == "chosen") x = planes.number(row, "x"), y = planes.number(row, "y");
    if (kind != "sum") continue;
    const double t = planes.number(row, "position");
    BOOST_TEST(std::abs(planes.number(row, "x") - x - entry(t, 2 * pair, 512)) < 2 * to_four_places);
    BOOST_TEST(std::abs(planes.number(row, "y") - y - entry(t, 2 * pair + 1, 512)) < 2 * to_four_places);
  }
}

BOOST_AUTO_TEST_CASE(words_within_reach) {
  // Known: 1 - e^(-1/4) in a plane; in four dimensions 1 - e^(-1/2)(1 + 1/2).
  const Table& reach = table("v3_reach.csv");
  BOOST_TEST(std::abs(reach.number(0, "line") - (1 - std::exp(-0.25))) < 1e-14);
  BOOST_TEST(std::abs(reach.number(1, "line") - (1 - 1.5 * std::exp(-0.5))) < 1e-14);
  for (std::size_t row = 0; row < reach.rows.size(); ++row) {
    // 99 % intervals of one seed, which is kept; 1e-4 for shares below what the pairs can show.
    BOOST_TEST(reach.number(row, "low") <= reach.number(row, "line") + 1e-4);
    BOOST_TEST(reach.number(row, "high") >= reach.number(row, "line"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
