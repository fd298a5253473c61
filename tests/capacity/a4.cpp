// A4: descents never rise; where they start, and which of their ends counts.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/bilinear.hpp"
#include "studies/capacity/claims.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a4)

BOOST_AUTO_TEST_CASE(descents_never_rise_and_start_where_the_closed_form_says) {
  BOOST_TEST(value("A4.worst_rise") <= 0);
  const Table& starts = table("a4_starts.csv");  // five at power 1, five at 16
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
    const double end = to_number(at(records[i].values, "end"));
    least = std::min(least, end);
    most = std::max(most, end);
  }
  const Coordinates& best = records[5].values;
  BOOST_TEST(to_number(at(best, "end")) == least);
  BOOST_TEST(to_number(at(best, "excess")) == least - to_number(at(records[0].values, "split")));
  BOOST_TEST(to_number(at(best, "spread")) == most - least);
}

BOOST_AUTO_TEST_SUITE_END()
