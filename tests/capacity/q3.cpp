// Q3: readings against the exact limit for sums and the line for products.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "tests/capacity/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_q3)

BOOST_AUTO_TEST_CASE(readings_meet_their_line) {
  const Table& bags = table("q3_bag.csv");
  std::size_t checked = 0;
  for (std::size_t i = 0; i < bags.rows.size(); ++i) {
    const double line = bags.number(i, "line"), n = bags.number(i, "reads");
    const std::string key = to_text(bags.at(i, "key"));
    const double off = key == "sum" ? 0 : tolerance::matched_filter;
    // Five standard errors, at a share that is neither 0 nor 1 by a rounding.
    const double near = std::min(0.995, std::max(0.005, line));
    BOOST_TEST(std::abs(bags.number(i, "share") - line) < off + tolerance::hit_share(near, n),
               key << " " << bags.number(i, "d") << " " << bags.number(i, "tokens"));
    if (key == "sum") BOOST_TEST(line == 1 / bags.number(i, "tokens"));
    ++checked;
  }
  BOOST_TEST(checked == 4U * 4);
  // Eight sums of floats in another order: a few u, relative.
  BOOST_TEST(value("Q3.pairings_apart.sum.d512.n8") < 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
