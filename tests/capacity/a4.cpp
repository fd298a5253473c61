// A4: which of the ends of several descents counts.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "studies/capacity/claims.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a4)

BOOST_AUTO_TEST_CASE(of_five_starts_the_best_counts) {
  Options options;
  options.preset = Preset::quick;
  const Experiment claim = capacity::adding_contains_concatenating(options);
  const auto cell =
      std::ranges::find_if(claim.cells, [](const Cell& each) { return contains(to_text(each.at), "alone"); });
  const Records records = claim.run(*cell, {1, "A4", to_text(cell->at)});
  BOOST_REQUIRE(records.size() == 6U);
  double least = INFINITY;
  for (std::size_t i = 0; i < 5; ++i) least = std::min(least, to_number(at(records[i].values, "end")));
  const Coordinates& best = records[5].values;
  BOOST_TEST(to_number(at(best, "end")) == least);
  BOOST_TEST(to_number(at(best, "excess")) == least - to_number(at(records[0].values, "split")));
}

BOOST_AUTO_TEST_SUITE_END()
