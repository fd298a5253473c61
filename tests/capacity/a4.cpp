// A4: containment is an identity; descents from the split never end above it.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/bilinear.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a4)

BOOST_AUTO_TEST_CASE(disjoint_supports_are_a_concatenation) { BOOST_TEST(value("A4.containment") < 1e-9); }

BOOST_AUTO_TEST_CASE(from_the_split_never_worse) {
  BOOST_TEST(value("A4.worst_rise") <= 0);
  const Table& joint = table("a4_joint.csv");  // split, within, joint, freed
  BOOST_TEST(joint.rows.size() == 4U);
  BOOST_TEST(joint.number(2, "residual") < joint.number(1, "residual"));
  BOOST_TEST(joint.number(1, "residual") < joint.number(0, "residual"));
  BOOST_TEST(std::abs(joint.number(0, "residual") - joint.number(0, "line")) < .05);
}

BOOST_AUTO_TEST_CASE(positions_alone) {
  const Table& starts = table("a4_starts.csv");  // five at power 1, five at 16
  BOOST_TEST(starts.rows.size() == 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    BOOST_TEST(starts.number(i, "end") < starts.number(i, "begin"));
    BOOST_TEST(std::abs(starts.number(i, "end") - starts.number(i / 5 * 5, "end")) < .03);
  }
  // Random positions added start where the closed form says, at every power.
  for (const std::size_t i : {0U, 5U})
    BOOST_TEST(std::abs(starts.number(i, "begin") -
                        theory::added_residual(150, 16, 32, starts.number(i, "power"))) < .03);
  BOOST_TEST(starts.number(5, "excess") < 0);
  BOOST_TEST(starts.number(5, "excess") < starts.number(0, "excess"));
}

BOOST_AUTO_TEST_CASE(contained_and_positions_alone_are_its_limit) {
  const Results& results = results_of("A4");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 1 limit 2: free V : L");
  BOOST_TEST(outcomes(claim) == "holds unmeasured unmeasured");
  BOOST_TEST(to_text(claim.judgement) == "true");
  // Eight draws that end above the split: a limit fails.
  std::vector<Finding> findings = results.findings;
  Finding excess = finding("A4.containment");
  excess.id = "A4.excess.v300.power1";
  excess.value = 0.01;
  excess.spread = Spread{MeanSpread{0.001, 7}, {}, 8};
  findings.push_back(excess);
  BOOST_TEST(to_text(judge(findings, claim.rule)) == "true, with limits");
  findings.back().spread->replicates = 6;
  BOOST_TEST(to_text(judge(findings, claim.rule)) == "true");
}

BOOST_AUTO_TEST_SUITE_END()
