// What one decision does to a share and its interval, against intervals with and without it.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"
#include "reports/verify_share.hpp"

namespace perp::report {
namespace {

constexpr double rounding = 1e-12;

Estimate by_wilson(std::uint64_t right, std::uint64_t n, double level) {
  const Interval i = wilson(right, n, level);
  return {static_cast<double>(right) / static_cast<double>(n), i.low, i.high, level};
}

/// Student over groups that found so many each, out of `size`.
Estimate by_student(std::vector<double> counts, double size, double level) {
  for (double& count : counts) count /= size;
  MomentSums sums;
  sums.add(std::span<const double>(counts));
  const Interval i = mean_interval(sums.moments(), level);
  return {sums.moments().mean, i.low, i.high, level};
}

/// The wider of the two, cut off at nought and one, as shares of groups are published.
Estimate wider(const std::vector<double>& counts, double size, double level) {
  const Estimate student = by_student(counts, size, level);
  const double right = std::accumulate(counts.begin(), counts.end(), 0.0);
  const Estimate trials =
      by_wilson(static_cast<std::uint64_t>(right), static_cast<std::uint64_t>(size) * counts.size(), level);
  return {student.value, std::max(0.0, std::min(*student.low, *trials.low)),
          std::min(1.0, std::max(*student.high, *trials.high)), level};
}

void check_within(const Estimate& before, const Estimate& now, double n) {
  const auto tip = one_decision(before, n);
  BOOST_REQUIRE(tip.has_value());
  BOOST_TEST(std::abs(now.value - before.value) <= tip->value + rounding);
  BOOST_TEST(std::abs(*now.low - *before.low) <= tip->low + rounding);
  BOOST_TEST(std::abs(*now.high - *before.high) <= tip->high + rounding);
}

BOOST_AUTO_TEST_SUITE(verify_share)

BOOST_AUTO_TEST_CASE(wilson_moves_as_computed) {
  for (const std::uint64_t right : {0, 1, 24, 200, 399})
    check_within(by_wilson(right, 400, 0.99), by_wilson(right + 1, 400, 0.99), 400);
  const auto tip = one_decision(by_wilson(200, 400, 0.99), 400);
  BOOST_TEST(tip->value == 1.0 / 400);
  BOOST_TEST(tip->low < 1.1 / 400);  // and by no more than it must
}

BOOST_AUTO_TEST_CASE(student_moves_by_no_more_than_the_bound_whichever_group_it_is) {
  for (const std::vector<double>& counts : {std::vector<double>{10, 12},
                                            {10, 10},
                                            {3, 9, 1, 4},
                                            {0, 1, 2, 9, 3, 2, 4, 3},
                                            {40, 1, 2, 9, 3, 2, 4, 3}})
    for (const double level : {0.99, 0.999}) {
      const Estimate before = wider(counts, 50, level);
      for (std::size_t group = 0; group < counts.size(); ++group)
        for (const double by : {-1, 1}) {
          std::vector<double> tipped = counts;
          tipped[group] += by;
          if (tipped[group] < 0) continue;
          // Whichever of the two explains a width does so in one of the runs at least.
          const Estimate now = wider(tipped, 50, level);
          const double n = 50 * static_cast<double>(counts.size());
          const auto here = one_decision(before, n), there = one_decision(now, n);
          BOOST_REQUIRE(here.has_value());
          BOOST_REQUIRE(there.has_value());
          BOOST_TEST(std::abs(*now.low - *before.low) <= std::max(here->low, there->low) + rounding);
          BOOST_TEST(std::abs(*now.high - *before.high) <= std::max(here->high, there->high) + rounding);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_number_of_groups_is_read_from_the_width) {
  const auto two = one_decision(by_student({10, 14}, 200, 0.99), 400),
             eight = one_decision(by_student({0, 1, 2, 9, 3, 2, 4, 3}, 50, 0.99), 400);
  BOOST_REQUIRE(two.has_value());
  BOOST_REQUIRE(eight.has_value());
  BOOST_TEST(std::abs(two->low - (1 + 63.656741) / 400) < 1e-8);    // Student's t with one degree of freedom
  BOOST_TEST(std::abs(eight->low - (1 + 3.4994833) / 400) < 1e-8);  // and with seven
}

BOOST_AUTO_TEST_CASE(what_is_no_share_of_n_decisions_has_none) {
  const Estimate wilson_interval = by_wilson(24, 400, 0.99);
  BOOST_TEST(one_decision(wilson_interval, 400).has_value());
  BOOST_TEST(!one_decision(wilson_interval, 401).has_value());
  BOOST_TEST(!one_decision({0.06}, 400).has_value());
  BOOST_TEST(!one_decision({0.06, 0.04, 0.08, 0.99}, 400).has_value());  // an interval of another make
  BOOST_TEST(!one_decision({1.5, 1.4, 1.6, 0.99}, 400).has_value());
  BOOST_TEST(!one_decision({0.06, *wilson_interval.low, *wilson_interval.high, 0.95}, 400).has_value());
  BOOST_TEST(!one_decision({std::nan(""), 0, 1, 0.99}, 400).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
