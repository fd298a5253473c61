// Q3: readings against the exact limit for sums and the line for products.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "studies/capacity/claims.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
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
    BOOST_TEST(bags.number(i, "inside") >= bags.number(i, "share"));
    if (key == "sum") BOOST_TEST(line == 1 / bags.number(i, "tokens"));
    ++checked;
  }
  BOOST_TEST(checked == 5U * (4 + 1) + 3);
}

BOOST_AUTO_TEST_CASE(sums_stay_at_chance) {
  BOOST_TEST(value("Q3.inside.sum.d512.n8") > 0.99);
  // Eight sums of floats in another order: a few u, relative.
  BOOST_TEST(value("Q3.pairings_apart.sum.d512.n8") < 1e-6);
  const Claim& claim = results_of("Q3").claims.front();
  BOOST_TEST(shape(claim) == "core 1 limit 0:");
  BOOST_TEST(to_text(claim.judgement) == "false");
  std::vector<Finding> findings = results_of("Q3").findings;
  for (Finding& each : findings)
    if (each.id == "Q3.pairings_apart.sum.d512.n8") each.value = 0.01;
  BOOST_TEST((judge(findings, claim.rule).verdict == Verdict::is_true));
}

BOOST_AUTO_TEST_CASE(known_numbers) {
  BOOST_TEST(value("Q3.recovered.signs.d512.n8") > 0.99);
  const Finding &slow = finding("Q3.recovered.rotary_10k.d512.n8"),
                &fast = finding("Q3.recovered.rotary_10.d512.n8");
  BOOST_TEST(std::abs(*slow.theory - 0.36) < tolerance::rounded(0.01));
  BOOST_TEST(std::abs(slow.value - 0.36) < tolerance::hit_share(0.36, 400));
  BOOST_TEST(std::abs(fast.value - 0.68) < tolerance::hit_share(0.68, 400));
}

BOOST_AUTO_TEST_CASE(refusals) {
  const auto summarise = [](const char* key) {
    const Cell cell({{"key", key}, {"d", 512}, {"n", 8}, {"reads", 400}});
    const Record bag("Bag", {{"right", 1}, {"inside", 2}, {"read", 400}, {"line", 0.5}, {"apart", 0.5}});
    capacity::bag_of_sums({}).summarise({CellRecords(cell, {bag})});
  };
  check_refusal([&] { summarise("product"); }, "is called 'product'");
}

BOOST_AUTO_TEST_SUITE_END()
