// A4: containment is an identity; descents from the split never end above it.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/capacity/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a4)

BOOST_AUTO_TEST_CASE(disjoint_supports_are_a_concatenation) { BOOST_TEST(value("A4.containment") < 1e-9); }

BOOST_AUTO_TEST_CASE(from_the_split_never_worse) {
  BOOST_TEST(value("A4.worst_rise") <= 0);
  BOOST_TEST(value("A4.joint.v150") < value("A4.within.v150"));
  BOOST_TEST(value("A4.within.v150") < value("A4.split.v150"));
  BOOST_TEST(value("A4.joint_gain.v150") > .2);
  BOOST_TEST(std::abs(value("A4.split.v150") - *finding("A4.split.v150").theory) < .05);
}

BOOST_AUTO_TEST_CASE(positions_alone) {
  // Random positions added start where the closed form says, at every power.
  for (const char* power : {"1", "16"}) {
    const std::string place = std::string("v150.power") + power;
    const Finding& begin = finding("A4.begin." + place);
    BOOST_TEST(std::abs(begin.value - *begin.theory) < .03);
    BOOST_TEST(value("A4.alone." + place) < begin.value);
    BOOST_TEST(finding("A4.spread." + place).n == 15U);
    BOOST_TEST(value("A4.spread." + place) < .03);
  }
  BOOST_TEST(value("A4.excess.v150.power16") < 0);
  BOOST_TEST(value("A4.excess.v150.power16") < value("A4.excess.v150.power1"));
}

BOOST_AUTO_TEST_CASE(paths_fall_and_starts_are_five) {
  const Table& paths = table("a4_paths.csv");
  for (std::size_t row = 1; row < paths.rows.size(); ++row)
    if (paths.number(row, "step") > 0)
      BOOST_TEST(paths.number(row, "residual") <= paths.number(row - 1, "residual"));
  BOOST_TEST(table("a4_starts.csv").rows.size() == 10U);
  BOOST_TEST(table("a4_joint.csv").rows.size() == 4U);
}

BOOST_AUTO_TEST_CASE(contained_and_positions_alone_are_its_limit) {
  const Results& results = results_of("A4");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 1 limit 2: free V : L");
  BOOST_TEST(outcomes(claim) == "holds unmeasured unmeasured");
  BOOST_TEST(to_text(claim.judgement) == "true");
  // Eight draws that end above the split: a limit fails.
  std::vector<Finding> findings = results.findings;
  Finding excess = finding("A4.excess.v150.power1");
  excess.id = "A4.excess.v300.power1";
  excess.value = 0.01;
  excess.spread = Spread{MeanSpread{0.001, 7}, {}, 8};
  findings.push_back(excess);
  BOOST_TEST(to_text(judge(findings, claim.rule)) == "true, with limits");
  findings.back().spread->replicates = 6;
  BOOST_TEST(to_text(judge(findings, claim.rule)) == "true");
}

BOOST_AUTO_TEST_SUITE_END()
