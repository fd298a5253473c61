// D2: the kernel of the table against its exact sum and its laws, and what "nearest" finds.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/measures/nearness.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/rule.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// What a cell at T = 10000 says, its departure from the corrected law half an alias in size.
Record laws_record(std::size_t d) {
  return {"Laws",
          {{"exact", 0.0},
           {"limit", 0.0},
           {"finite", theory::alias_size(d, 1e4) / 2},
           {"log_line", 0.0},
           {"ripple", 1.0}}};
}

Record nearness_record(double ordered = 1) {
  return {"Order",
          {{"rise", whole(5)},
           {"rise_share", 0.0},
           {"best", whole(1)},
           {"beyond", whole(2)},
           {"distance", 1.0},
           {"rise_near", 0.0},
           {"ordered", ordered}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d2)

BOOST_AUTO_TEST_CASE(kernel_of_table_is_the_exact_sum) {
  const std::vector<double> kernel = kernel_of_table(64, 1e3, 40);
  BOOST_REQUIRE(kernel.size() == 1600);
  // Angles of positions up to 1600, rounded by u ω t each, in the table's two rows and in the sum's lag; the
  // products' sum.
  const double u = 0x1p-53,
               bound = tolerance::kernel_sum(2 * theory::angle_rounding_bound(64, 1e3, u, 1600, 1600), 64);
  for (std::size_t k = 0; k < kernel.size(); ++k)
    BOOST_TEST(std::abs(kernel[k] - theory::kernel_exact(64, 1e3, static_cast<double>(k))) < bound);
}

BOOST_AUTO_TEST_CASE(known_numbers) {
  for (const auto& [d, lag] : {std::pair{"64", 5}, {"512", 43}, {"4096", 244}})
    BOOST_TEST(finding(std::string("D2.first_rise.d") + d).value == lag);
}

BOOST_AUTO_TEST_CASE(laws_hold_where_they_are_said_to) {
  BOOST_TEST(finding("D2.law_departure.finite").value < 0.02);  // theory::kernel_finite
  BOOST_TEST(finding("D2.ripple_most").value < 3);
  BOOST_TEST(finding("D2.rise_ratio_least").value > 1);  // no rise before the estimate
}

BOOST_AUTO_TEST_CASE(laws_and_nearness_are_joined_by_width_and_base) {
  std::vector<CellRecords> cells;
  const auto cell = [](std::size_t d) {
    return Cell{{{"d", whole(d)}, {"base", 1e4}, {"lags", whole(1 << 20)}}};
  };
  for (const std::size_t d : {64, 512, 4096}) cells.push_back({cell(d), {nearness_record()}});
  for (const std::size_t d : {4096, 64, 512}) cells.push_back({cell(d), {laws_record(d)}});
  const Outcome outcome = distance::nearby_is_similar({}).summarise(cells);
  BOOST_TEST(find(outcome.findings, "D2.law_departure.finite")->value == 0.5);
  // Each row of laws has its own width: one less changes nothing of the others.
  cells.pop_back();
  const Outcome fewer = distance::nearby_is_similar({}).summarise(cells);
  BOOST_TEST(find(fewer.findings, "D2.law_departure.finite")->value == 0.5);
}

/// D2's outcome if every width has this share of its lags in order.
std::pair<Outcome, Judgement> of_order(double ordered) {
  std::vector<CellRecords> cells;
  for (std::size_t d = 64; d <= 4096; d *= 2)
    cells.push_back({Cell{{{"d", whole(d)}, {"base", 1e4}, {"lags", whole(1 << 20)}}},
                     {laws_record(d), nearness_record(ordered)}});
  Outcome outcome = distance::nearby_is_similar({}).summarise(cells);
  Judgement judgement = judge(outcome.findings, outcome.rule);
  return {std::move(outcome), std::move(judgement)};
}

BOOST_AUTO_TEST_CASE(the_share_in_order_decides_at_its_bound) {
  const auto above = of_order(0.91), below = of_order(0.89);
  BOOST_TEST((above.second.readings.front().answer == Answer::holds));
  BOOST_TEST((below.second.readings.front().answer == Answer::fails));
  BOOST_TEST((above.second.verdict == Verdict::is_true));
  BOOST_TEST((below.second.verdict == Verdict::depends));
  BOOST_TEST(below.second.factor == "says");
  BOOST_TEST(above.first.condition.find("91.0%") != std::string::npos, above.first.condition);
}

BOOST_AUTO_TEST_CASE(narrow_widths_by_plain_sums) {
  BOOST_TEST(value("D2.strangers_narrow") == 0);
  // The nearest that a lag above 1 comes to lag 1, d = 16, T = 100: it is not near.
  double best = -INFINITY, first = 0;
  for (int k = 1; k <= 8192; ++k) {
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += std::cos(k * std::pow(1e2, -2.0 * i / 16));
    (k == 1 ? first : best) = k == 1 ? sum : std::max(best, sum);
  }
  BOOST_TEST(best < first);
}

BOOST_AUTO_TEST_CASE(no_rise_before_the_estimate) {
  for (std::size_t d = 64; d <= 4096; d *= 2)
    for (const double base : {1e2, 1e3, 1e4, 1e5, 1e6}) {
      const double ratio = static_cast<double>(theory::first_rise(d, base)) / theory::rise_estimate(d, base);
      BOOST_TEST(ratio > 1, d << " " << base << ": " << ratio);
      // The next full turn of the fastest pair that integers meet well enough is never far.
      BOOST_TEST(ratio < 2.2, d << " " << base << ": " << ratio);
    }
}

BOOST_AUTO_TEST_CASE(nearness_of_a_small_kernel) {
  const std::vector<double> kernel{10, 4, 3, 5, 1, 2};
  const Nearness n = nearness(kernel);
  BOOST_TEST(n.first_rise == 2);
  BOOST_TEST(n.best == 3);
  BOOST_TEST(n.best_beyond == 5);
  BOOST_TEST(n.largest_rise == 2);
  BOOST_TEST(ordered_share(kernel, 6) == 0.7);         // (1,3), (2,3) and (4,5) are not
  const std::vector<double> plateau{4, 3, 3, 2, 2.5};  // standing still is no rise
  BOOST_TEST(nearness(plateau).first_rise == 3);
  BOOST_TEST(ordered_share(plateau, 4) == 2.0 / 3);  // and two lags of one value are in no order
  BOOST_TEST(error_of([&] { nearness(std::span(kernel).first(3)); }).has_value());
  BOOST_TEST(error_of([&] { ordered_share(kernel, 7); }).has_value());
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("D2");
  const Claim& claim = results.claims.front();
  BOOST_TEST(conditions(claim.rule, Role::core) == 6U);
  BOOST_TEST(conditions(claim.rule, Role::limit) == 5U);
  BOOST_TEST(factors(claim.rule) == "says, d");
  BOOST_TEST(to_text(claim.judgement) == "true, with limits");
  BOOST_TEST((answer_on(claim, "D2.ordered.d512") == Answer::holds));
  BOOST_TEST((answer_on(claim, "D2.strangers") == Answer::holds));
  BOOST_TEST((answer_on(claim, "D2.ordered.d256") == Answer::fails));
  BOOST_TEST((answer_on(claim, "D2.first_rise.d512") == Answer::fails));
  check_wording(results);
}

BOOST_AUTO_TEST_SUITE_END()
