// A4: containment is an identity; descents from the split never end above it.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/bilinear.hpp"
#include "studies/capacity/claims.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a4)

BOOST_AUTO_TEST_CASE(disjoint_supports_are_a_concatenation_and_descents_from_it_never_worse) {
  BOOST_TEST(value("A4.containment") < 1e-9);
  BOOST_TEST(value("A4.worst_rise") <= 0);
  const Table& joint = table("a4_joint.csv");  // split, within, joint, freed
  BOOST_TEST(joint.number(2, "residual") < joint.number(1, "residual"));
  BOOST_TEST(joint.number(1, "residual") < joint.number(0, "residual"));
  BOOST_TEST(std::abs(joint.number(0, "residual") - joint.number(0, "line")) < .05);
}

BOOST_AUTO_TEST_CASE(positions_alone) {
  const Table& starts = table("a4_starts.csv");  // five at power 1, five at 16
  for (std::size_t i = 0; i < 10; ++i) {
    BOOST_TEST(starts.number(i, "end") < starts.number(i, "begin"));
    BOOST_TEST(std::abs(starts.number(i, "end") - starts.number(i / 5 * 5, "end")) < .03);
  }
  // Random positions added start where the closed form says, at every power.
  for (const std::size_t i : {0U, 5U})
    BOOST_TEST(std::abs(starts.number(i, "begin") -
                        theory::added_residual(150, 16, 32, starts.number(i, "power"))) < .03);
}

BOOST_AUTO_TEST_CASE(of_five_starts_the_best_counts) {
  Options options;
  options.preset = Preset::quick;
  const Experiment claim = capacity::adding_contains_concatenating(options);
  const auto cell =
      std::ranges::find_if(claim.cells, [](const Cell& each) { return contains(to_text(each.at), "alone"); });
  const Records records = claim.run(*cell, {1, "A4", to_text(cell->at)});
  BOOST_REQUIRE(records.size() == 6U);
  double least = INFINITY, most = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const double end = number_at(records[i].values, "end");
    least = std::min(least, end);
    most = std::max(most, end);
  }
  const Coordinates& best = records[5].values;
  BOOST_TEST(number_at(best, "end") == least);
  BOOST_TEST(number_at(best, "excess") == least - number_at(records[0].values, "split"));
  BOOST_TEST(number_at(best, "spread") == most - least);
}

BOOST_AUTO_TEST_SUITE_END()
