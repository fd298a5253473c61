// Q1: every measure under every order of the dimensions, and a measure that does not keep to it.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "perp/io/npy.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/q1_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return normal_matrix<double>(rows, cols, stream(1, "tests", "q1", number, "table"));
}

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

BOOST_AUTO_TEST_CASE(a_measure_that_depends_on_the_order_is_found) {
  // The share of the energy in the first half of the dimensions is one.
  const LayoutMeasure first_half{"first_half", "", "", "",
                                 [](const OrderedTables& t) -> std::optional<distance::Reading> {
                                   double first = 0, all = 0;
                                   for (std::size_t r = 0; r < rows(t.positions); ++r)
                                     for (std::size_t j = 0; j < cols(t.positions); ++j) {
                                       const double square = t.positions(r, j) * t.positions(r, j);
                                       all += square, first += 2 * j < cols(t.positions) ? square : 0;
                                     }
                                   return distance::Reading{{first / all}, 1e-6};
                                 }};
  const OrderedTables own = tables(32, 64, 1e4);
  const distance::Reading a = *first_half.read(own),
                          b = *first_half.read(
                              reordered(own, layout_permutation(32, Layout::half_split), Layout::half_split));
  BOOST_TEST(change(a, b) > a.bound);
}

BOOST_AUTO_TEST_CASE(changes_are_relative_and_of_equals) {
  BOOST_TEST(change({{1, 2, 4}, 0, 2}, {{1, 2.5, 3}, 0, 1}) == 0.5);
  check_refusal([] { change({{1, 2}, 0, 1}, {{1}, 0, 1}); }, "2 values against 1");
}

BOOST_AUTO_TEST_CASE(the_order_that_moves_a_measure_most_counts) {
  const Scratch scratch;
  Options options;
  options.build = scratch.path();
  options.extra["corpus"] = "none";
  // The change that each measure shows over a preset's orders, two and eight: rounding, of which more orders
  // find more.
  const auto largest = [&](Preset preset) {
    options.preset = preset;
    const std::vector<Experiment> experiments = study().prepare(options).experiments;
    const auto q1 = std::ranges::find(experiments, "Q1", &Experiment::claim);
    BOOST_REQUIRE((q1 != experiments.end()));
    std::map<std::int64_t, double> changes;
    for (const Record& record : q1->run(q1->cells.front(), {1, "Q1", "orders"}))
      if (record.name == "Change")
        changes[integer_at(record.values, "measure")] = number_at(record.values, "any_order");
    return changes;
  };
  const std::map<std::int64_t, double> few = largest(Preset::quick), many = largest(Preset::full);
  bool more = false;
  for (const auto& [measure, change] : few) {
    if (std::isnan(change)) continue;
    BOOST_TEST(many.at(measure) >= change, measure);
    more = more || many.at(measure) > change;
  }
  BOOST_TEST(more);
}

BOOST_AUTO_TEST_CASE(given_weights_that_read_a_pair_of_one_layout) {
  // The first head takes all dimensions, in whatever order; the second the first two, sine and cosine of one
  // frequency where they alternate, two sines where they do not.
  constexpr std::size_t d = 8, length = 64;
  const Scratch scratch;
  Matrix<double> weights = xt::zeros<double>({d, 2 * d});
  for (std::size_t i = 0; i < d; ++i) weights(i, i) = 1;
  weights(0, d) = weights(1, d + 1) = 1;
  write_npy(scratch / "positions.npy", normal(length, d, 1));
  write_npy(scratch / "weights.npy", weights);
  Options options;
  options.preset = Preset::quick;
  options.build = scratch.path();
  options.only = {"Q1", "Q2"};
  options.extra = {{"positions", (scratch / "positions.npy").string()},
                   {"query", (scratch / "weights.npy").string()},
                   {"key", (scratch / "weights.npy").string()},
                   {"heads", "2"}};
  const Results results = measure(study(), options);
  const auto of = [&](const char* id) -> const Finding& {
    const Finding* found = find(results.findings, id);
    BOOST_REQUIRE_MESSAGE(found, id);
    return *found;
  };
  const Table& heads = *std::ranges::find(results.tables, "q1_heads.csv", &Table::file);
  BOOST_REQUIRE(heads.rows.size() == 2U);
  for (const char* layout : {"interleaved", "half_split"})
    BOOST_TEST(std::abs(heads.number(0, layout) - 1) < tolerance::gram_variance);
  BOOST_TEST(std::abs(heads.number(1, "interleaved") - 1) < tolerance::gram_variance);
  BOOST_TEST(heads.number(1, "half_split") < 0.9);
  BOOST_TEST(of("Q1.given_difference").value == (heads.number(1, "half_split") - 1) / 2,
             boost::test_tools::tolerance(1e-9));
  // Of four orders few keep that pair.
  BOOST_TEST(of("Q1.given_orders").value < of("Q1.given_interleaved").value);
  BOOST_TEST(of("Q1.given_orders").n == 4U);
  BOOST_TEST((answer_on(results.claims.front(), "Q1.given_difference") != Answer::unmeasured));
  // Q2's page names what it finds of given positions without their width. Normal rows lose 1/8, sd .0185.
  BOOST_TEST(std::abs(of("Q2.lost_mean.given").value - 0.125) < 5 * 0.0185);
}

BOOST_AUTO_TEST_CASE(gpt2_keeps_to_neither, *needs_tables()) {
  const auto path = real_table("gpt2-small-block0.safetensors");
  if (!path) return;
  const std::string file = path->string();
  const Scratch scratch;
  Options options;
  options.preset = Preset::quick;
  options.build = scratch.path();
  options.only = {"Q1"};
  options.extra = {{"positions", file + ":wpe"},
                   {"rows", "1:513"},
                   {"query", file + ":h0.query.weight"},
                   {"key", file + ":h0.key.weight"},
                   {"heads", "12"}};
  const Results results = measure(study(), options);
  const auto of = [&](const char* id) {
    const Finding* found = find(results.findings, id);
    BOOST_REQUIRE_MESSAGE(found, id);
    return found->value;
  };
  BOOST_TEST(std::abs(of("Q1.given_interleaved") - 0.175) < tolerance::listed_r2);
  BOOST_TEST(std::abs(of("Q1.given_half_split") - 0.228) < tolerance::listed_r2);
  BOOST_TEST((results.claims.front().verdict() == Verdict::is_true));
  BOOST_TEST((answer_on(results.claims.front(), "Q1.given_difference") == Answer::fails));
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("Q1");
  const Claim& claim = results.claims.front();
  BOOST_TEST(to_text(with(results.findings, claim.rule, "Q1.change.kernel", 1)) == "depends");
}

BOOST_AUTO_TEST_SUITE_END()
