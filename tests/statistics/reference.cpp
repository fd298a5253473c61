// Against SciPy and NumPy, on the same draws where there are draws.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "perp/statistics/interval.hpp"
#include "perp/statistics/kolmogorov.hpp"
#include "perp/statistics/line.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/order.hpp"
#include "perp/statistics/ratio.hpp"
#include "perp/statistics/spread.hpp"
#include "tests/statistics/support.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_reference;
using perp::test::reference_table;
using perp::test::relative;
using perp::test::within;
using support::sample;
using Row = perp::test::ReferenceRow;

namespace {

const auto closely = relative(tolerance::special_function);

std::vector<double> column(const std::string& table, const std::string& name) {
  std::vector<double> values;
  for (const Row& row : reference_table("statistics_" + table)) values.push_back(row[name]);
  return values;
}

/// Each expected number of a row beside ours.
template <class Off>
void check(const Row& row, const Off& off, std::initializer_list<std::pair<const char*, double>> values) {
  for (const auto& [name, value] : values)
    BOOST_TEST(std::abs(value - row[name]) <= off(row[name]), row.place << ": " << name << " is " << value);
}

Moments moments_of(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  return sums.moments();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(statistics_reference)

BOOST_AUTO_TEST_CASE(laws_and_intervals) {
  check_reference(
      "statistics_normal", "quantile", [](const Row& r) { return normal_quantile(r["p"]); }, closely);
  check_reference(
      "statistics_normal_tail", "p", [](const Row& r) { return two_sided_p(r["z"]); },
      relative(1e-12));  // d ln p = z² times z's rounding
  for (const Row& r : reference_table("statistics_wilson")) {
    const Interval interval = wilson(r.whole("successes"), r.whole("n"), r["level"]);
    check(r, closely, {{"low", interval.low}, {"high", interval.high}, {"level", interval.level}});
  }
  std::vector<double> sorted = sample;
  std::sort(sorted.begin(), sorted.end());
  for (const Row& r : reference_table("statistics_quantile"))
    check(r, closely, {{"value", quantile(sample, r["p"])}, {"value", quantile_sorted(sorted, r["p"])}});
  for (const Row& r :
       reference_table("statistics_order_interval")) {  // of n … 1, whose ranks are they themselves
    std::vector<double> values(r.whole("n"));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(values.size() - i);
    const Interval interval = quantile_interval(values, r["p"], r["level"]);
    BOOST_TEST((interval.low == r["low"] && interval.high == r["high"] && interval.level == r["level"]),
               r.place);
    if (r["p"] == 0.5) BOOST_TEST(median_interval(values, r["level"]).high == r["high"]);
  }
}

BOOST_AUTO_TEST_CASE(moments_and_lines) {
  std::vector<double> skewed = support::uniforms(1, 5003);
  for (double& value : skewed) value = value * value * value + 0.25;
  for (const Row& r : reference_table("statistics_moments")) {
    const Moments m = moments_of(r.whole("skewed") ? skewed : sample);
    const Interval interval = mean_interval(m, 0.95);
    check(r, relative(tolerance::merged_moments),
          {{"count", static_cast<double>(m.count)},
           {"mean", m.mean},
           {"variance", m.variance},
           {"skewness", m.skewness},
           {"excess_kurtosis", m.excess_kurtosis},
           {"minimum", m.minimum},
           {"maximum", m.maximum},
           {"error", standard_error(m)},
           {"low", interval.low},
           {"high", interval.high}});
  }
  const Line line = least_squares_line(column("points", "x"), column("points", "y"));
  check(reference_table("statistics_line").front(), relative(1e-11),  // of the residual: 150 times its error
        {{"slope", line.slope},
         {"intercept", line.intercept},
         {"slope_error", line.slope_error},
         {"correlation", line.correlation}});
}

BOOST_AUTO_TEST_CASE(spreads) {
  const std::vector<Moments> strata{moments_of({1, 2, 3, 4, 5, 6, 7, 8}),
                                    moments_of({2, 2.5, 1.5, 3, 1, 3.5})};
  const Spread pooled = pooled_spread(strata);
  const Interval interval = interval_at(3, pooled, 0.999);
  check(reference_table("statistics_pooled").front(), closely,
        {{"error", pooled.mean->error},
         {"freedom", pooled.mean->freedom},
         {"low", interval.low},
         {"high", interval.high}});
  BOOST_TEST(pooled.replicates == 6u);
  const std::vector<double> parts{1, 3, 2}, wholes{2, 4, 4};
  const PooledRatio ratio = pooled_ratio(parts, wholes);
  check(reference_table("statistics_ratio").front(), closely,
        {{"value", ratio.value}, {"error", ratio.spread->mean->error}});
  BOOST_TEST((ratio.spread->replicates == 3 && ratio.spread->mean->freedom == 2));
}

BOOST_AUTO_TEST_CASE(bootstraps) {
  const auto mean_of = [](std::span<double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  for (const Row& r :
       reference_table("statistics_bootstrap")) {  // 13 of the first's 999 means tie with its own
    const std::vector<double> values = r.whole("skewed") ? column("skewed", "value") : sample;
    const Draw draw = [&](std::uint64_t replicate) {
      support::Generator generator(replicate * 0x9E3779B97F4A7C15U + 0x1234567);
      std::vector<std::uint32_t> indices(values.size());
      for (std::uint32_t& index : indices) index = generator.below(static_cast<std::uint32_t>(values.size()));
      return indices;
    };
    const Interval mean = bootstrap_mean(values, 0.95, 999, draw),
                   plain = bootstrap_percentile(values, mean_of, 0.95, 999, draw),
                   median = bootstrap_median(values, 0.95, 999, draw);
    check(r, closely,
          {{"mean_low", mean.low},
           {"mean_high", mean.high},
           {"plain_low", plain.low},
           {"plain_high", plain.high},
           {"median_low", median.low},
           {"median_high", median.high}});
  }
}

BOOST_AUTO_TEST_CASE(kolmogorov_and_smirnov) {
  const std::vector<double> a{1, 2, 2, 3.5, 7, 9}, b{2, 4, 5, 6, 8, 10, 11, 12};
  const Cdf uniform = [](double x) { return x; };
  check(reference_table("statistics_ks").front(), closely,
        {{"one", ks_statistic({0.41, 0.02, 0.93, 0.35, 0.11, 0.7, 0.36}, uniform)},
         {"two", ks_statistic(a, b)},
         {"two", ks_statistic(b, a)}});
  const auto one = [](const Row& r) { return ks_p_value(r.whole("n"), r["d"]); };
  check_reference("statistics_ks_exact", "p", one, within(tolerance::ks_exact));
  check_reference("statistics_ks_tail", "p", one, relative(tolerance::ks_far_tail));
  check_reference("statistics_ks_large_tail", "p", one, relative(tolerance::ks_near_tail));
  for (const Row& r : reference_table("statistics_ks_large"))
    check(r, within(tolerance::ks_corrected(r["n"])), {{"p", one(r)}});
  check_reference(
      "statistics_kolmogorov", "p", [](const Row& r) { return kolmogorov_p(r["x"]); },
      relative(tolerance::ks_exact));
  check_reference(
      "statistics_ks_two", "p", [](const Row& r) { return ks_p_value(r.whole("n"), r.whole("m"), r["d"]); },
      relative(tolerance::ks_far_tail));
  // Beyond n m = 10^7 the law of nm/(n + m) values.
  BOOST_TEST(ks_p_value(20000, 10000, 0.01205) == ks_p_value(6667, 0.01205));
}

BOOST_AUTO_TEST_SUITE_END()
