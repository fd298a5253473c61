// Q1: every measure under every order of the dimensions, and a measure that does not keep to it.

#include <boost/test/unit_test.hpp>
#include <set>

#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q1_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
#include "tests/support/tables.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

OrderedTables tables(std::size_t d, std::size_t length, double base) {
  return {layout_permutation(d, Layout::interleaved),
          Layout::interleaved,
          base,
          sinusoidal<double>(length, d, base),
          normal(length, d, 1),
          normal(d, d, 2),
          normal(d, d / 2, 3),
          normal(d, d / 2, 4)};
}

/// 1, 2, …, d-1, 0: no layout, no pair stays a pair, and no dimension where it was. (Half-split leaves the
/// first and the last.)
std::vector<std::size_t> all_moved(std::size_t d) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < d; ++i) order.push_back((i + 1) % d);
  return order;
}

/// Names of the measures that two sets of tables do not agree on.
std::set<std::string> moved(const OrderedTables& a, const OrderedTables& b) {
  std::set<std::string> names;
  for (const LayoutMeasure& measure : layout_measures()) {
    const auto one = measure.read(a), two = measure.read(b);
    if (one && two && !(change(*one, *two) < one->bound)) names.insert(measure.name);
  }
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_q1)

BOOST_AUTO_TEST_CASE(no_measure_knows_the_order) {
  for (const auto& [d, length, base] : {std::tuple{8u, 9u, 10.0}, {32u, 64u, 1e4}, {16u, 100u, 100.0}}) {
    const OrderedTables own = tables(d, length, base);
    for (const LayoutMeasure& measure : layout_measures()) {
      const auto read = measure.read(own);
      if (!read) continue;
      BOOST_TEST(read->bound > 0, measure.name);
      BOOST_TEST(read->bound <= 0.5, measure.name << ": " << read->bound);
      const auto halves =
          measure.read(reordered(own, layout_permutation(d, Layout::half_split), Layout::half_split));
      BOOST_REQUIRE_MESSAGE(halves, measure.name);
      BOOST_TEST(change(*read, *halves) < read->bound, measure.name << " at d = " << d);
      if (const auto other = measure.read(reordered(own, all_moved(d), std::nullopt)))
        BOOST_TEST(change(*read, *other) < read->bound, measure.name << " at d = " << d);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_measure_sees_what_does_not_follow) {
  // Were a measure blind, its invariance would say nothing: whatever is left behind moves those that read it.
  const OrderedTables own = tables(32, 64, 1e4),
                      all = reordered(own, layout_permutation(32, Layout::half_split), Layout::half_split);
  const auto without = [&](auto member) {
    OrderedTables some = all;
    some.*member = own.*member;
    return moved(own, some);
  };
  BOOST_TEST(moved(own, all).empty());
  const std::set<std::string> m = without(&OrderedTables::m), query = without(&OrderedTables::query),
                              words = without(&OrderedTables::words), order = without(&OrderedTables::order),
                              layout = without(&OrderedTables::layout);
  BOOST_TEST((m == std::set<std::string>{"scores", "four_terms"}));
  BOOST_TEST((query == std::set<std::string>{"head_scores"}));
  BOOST_TEST(
      (words == std::set<std::string>{"cosines", "overlap", "angles", "energy", "four_terms", "rotary"}));
  BOOST_TEST((order == std::set<std::string>{"shift", "shift_built"}));
  BOOST_TEST((layout == std::set<std::string>{"rotary"}));
}

BOOST_AUTO_TEST_CASE(changes_are_relative_and_of_equals) {
  BOOST_TEST(change({{1, 2, 4}, 0, 2}, {{1, 2.5, 3}, 0, 1}) == 0.5);
  check_refusal([] { change({{1, 2}, 0, 1}, {{1}, 0, 1}); }, "2 values against 1");
}

BOOST_AUTO_TEST_CASE(the_order_that_moves_a_measure_most_counts) {
  // The change that each measure shows over a preset's orders, two and eight: rounding, of which more orders
  // find more.
  const auto changes = [](Preset preset) {
    Options options;
    options.preset = preset;
    const Experiment q1 = layout_of_pairs(options, std::make_shared<GivenPositions>());
    std::vector<double> found;
    for (const Record& record : q1.run(q1.cells.front(), {1, "Q1", "orders"}))
      found.push_back(to_number(at(record.values, "any_order")));
    return found;
  };
  const std::vector<double> few = changes(Preset::quick), many = changes(Preset::full);
  std::size_t more = 0;
  for (std::size_t i = 0; i < few.size(); ++i) {
    BOOST_TEST(!(many[i] < few[i]));  // not a number: of layouts alone
    more += many[i] > few[i];
  }
  BOOST_TEST(more > 0);
}

BOOST_AUTO_TEST_SUITE_END()
