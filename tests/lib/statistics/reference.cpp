// Against SciPy and NumPy.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/lib/statistics/support.hpp"
#include "tests/support/reference_call.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::call;
using perp::test::of;
using perp::test::reference_table;
using perp::test::relative;
using perp::test::within;
using support::moments_of;
using support::sample;
using Row = perp::test::ReferenceRow;

namespace {

const auto closely = relative(tolerance::special_function), merged = relative(tolerance::merged_moments);

Moments moments(const Row& r) {
  std::vector<double> skewed = support::uniforms(1, 5003);
  for (double& value : skewed) value = value * value * value + 0.25;
  return moments_of(r.whole("skewed") ? skewed : sample);
}
Interval student(const Row& r) { return mean_interval(moments(r), 0.95); }
Spread pooled(const Row&) {
  return pooled_spread(
      std::vector{moments_of({1, 2, 3, 4, 5, 6, 7, 8}), moments_of({2, 2.5, 1.5, 3, 1, 3.5})});
}
MeanSpread pooled_mean(const Row& r) { return *pooled(r).mean; }
Interval pooled_interval(const Row& r) { return interval_at(3, pooled(r), 0.999); }
PooledRatio ratio(const Row&) {
  return pooled_ratio(std::vector<double>{1, 3, 2}, std::vector<double>{2, 4, 4});
}
MeanSpread ratio_mean(const Row& r) { return *ratio(r).spread->mean; }

std::vector<double> skewed() {
  std::vector<double> values = support::uniforms(2, 60);
  for (double& value : values) value = 1 / value - value;
  return values;
}
TrimmedMean trimmed(const Row& r) { return trimmed_mean(r.whole("skewed") ? skewed() : sample, r["share"]); }
MeanSpread trimmed_spread(const Row& r) { return *trimmed(r).spread.mean; }
double power(const Row& r) {
  return power_below(r["bound"], r["deviation"], r.whole("n"), r["share"], r["level"]);
}

const auto wilsons = call(wilson, {"successes", "n", "level"});

const perp::test::ReferenceEntry entries[] = {
    {"normal", "quantile", closely, of(normal_quantile, {"p"})},
    {"wilson", "low", closely, of(wilsons, &Interval::low)},
    {"wilson", "high", closely, of(wilsons, &Interval::high)},
    {"wilson", "level", closely, of(wilsons, &Interval::level)},
    {"quantile", "value", closely, [](const Row& r) { return quantile(sample, r["p"]); }},
    {"moments", "count", within(0), of(moments, &Moments::count)},
    {"moments", "mean", merged, of(moments, &Moments::mean)},
    {"moments", "variance", merged, of(moments, &Moments::variance)},
    {"moments", "minimum", within(0), of(moments, &Moments::minimum)},
    {"moments", "maximum", within(0), of(moments, &Moments::maximum)},
    {"moments", "error", merged, [](const Row& r) { return standard_error(moments(r)); }},
    {"moments", "low", merged, of(student, &Interval::low)},
    {"moments", "high", merged, of(student, &Interval::high)},
    {"pooled", "error", closely, of(pooled_mean, &MeanSpread::error)},
    {"pooled", "freedom", closely, of(pooled_mean, &MeanSpread::freedom)},
    {"pooled", "low", closely, of(pooled_interval, &Interval::low)},
    {"pooled", "high", closely, of(pooled_interval, &Interval::high)},
    {"pooled", "replicates", within(0), of(pooled, &Spread::replicates)},
    {"ratio", "value", closely, of(ratio, &PooledRatio::value)},
    {"ratio", "error", closely, of(ratio_mean, &MeanSpread::error)},
    {"ratio", "freedom", within(0), of(ratio_mean, &MeanSpread::freedom)},
    {"trimmed", "value", merged, of(trimmed, &TrimmedMean::value)},
    {"trimmed", "error", merged, of(trimmed_spread, &MeanSpread::error)},
    {"trimmed", "freedom", within(0), of(trimmed_spread, &MeanSpread::freedom)},
    {"power", "p", relative(tolerance::noncentral_student), power},
    {"paired", "p", closely, of(exact_paired_p, {"first", "second"})},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(statistics_reference)

BOOST_AUTO_TEST_CASE(functions_of_a_rows_columns) { perp::test::check_entries("statistics", entries); }

BOOST_AUTO_TEST_SUITE_END()
