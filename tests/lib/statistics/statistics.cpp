// What must hold whatever the digits: limits, cuts and merges, one interval as another's case; histograms
// against plain loops; numbers against SciPy and NumPy.

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "perp/statistics/histogram.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/spread.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

namespace support {

std::vector<double> uniforms(std::uint64_t seed, std::size_t n) {
  perp::test::Picks picks(seed);
  std::vector<double> values(n);
  for (double& value : values) value = picks.uniform();
  return values;
}

const std::vector<double> sample{0.25, 2.5, -3.75, 4.0, 8.5, 1.25, -0.5, 3.0, 12.0};

/// Also of values between braces.
perp::Moments moments_of(const std::vector<double>& values) {
  return perp::moments_of(std::span<const double>(values));
}

}  // namespace support

using namespace perp;
namespace tt = boost::test_tools;
using perp::test::call;
using perp::test::of;
using perp::test::relative;
using perp::test::within;
using support::moments_of;
using support::sample;
using Row = perp::test::ReferenceRow;

BOOST_AUTO_TEST_SUITE(statistics_laws)

namespace {

void check_close(const Moments& a, const Moments& b) {
  const double bound = tolerance::merged_moments;
  BOOST_TEST((a.count == b.count && a.minimum == b.minimum && a.maximum == b.maximum));
  BOOST_TEST(a.mean == b.mean, tt::tolerance(bound));
  BOOST_TEST(a.variance == b.variance, tt::tolerance(bound));
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_added_are_the_whole) {
  // Skewed values, cut unevenly; the parts' sizes and means differ, so every term of the merge counts.
  std::vector<double> values = support::uniforms(1, 5003);
  for (double& value : values) value = value * value * value + 0.25;
  const Moments whole = moments_of(values);
  MomentSums single, parts[2];
  for (MomentSums& sums : parts)
    for (const auto& [begin, end] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 1}, {1, 1}, {1, 3000}, {3000, 3007}, {3007, 5003}})
      sums.add(std::span<const double>(values).subspan(begin, end - begin));
  for (const double value : values) single.add(value);
  const Moments merged = parts[0].moments(), again = parts[1].moments();
  check_close(merged, whole);
  check_close(single.moments(), whole);
  // The same parts in the same order give the same bits.
  BOOST_TEST((merged.mean == again.mean && merged.variance == again.variance));
}

BOOST_AUTO_TEST_CASE(sums_about_the_mean) {
  const Moments ones = moments_of(std::vector<double>(5000, 1));
  BOOST_TEST((ones.mean == 1 && ones.variance == 0));
  // Alternating 10^9 and 10^9 + 1: variance n/(4(n-1)), where sums of squares would keep no digit.
  const std::size_t n = 100000;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = 1e9 + static_cast<double>(i % 2);
  const Moments far = moments_of(values);
  BOOST_TEST(far.mean == 1e9 + 0.5);
  BOOST_TEST(far.variance == 0.25 * n / (n - 1.0), tt::tolerance(tolerance::merged_moments));
  const Moments one = moments_of({2.5});
  BOOST_TEST((one.mean == 2.5 && one.minimum == 2.5 && std::isnan(one.variance)));
}

BOOST_AUTO_TEST_CASE(what_is_refused_leaves_the_sums_as_they_were) {
  MomentSums sums;
  sums.add(sample);
  std::vector<double> values(3000, 1);
  for (const float value : {NAN, -INFINITY}) {
    values[2999] = value;
    test::check_refusal([&] { sums.add(values); },
                        fmt::format("moments: a value is {}, expected a finite", value));
  }
  const std::vector<double> huge{-1e200, 1e200};
  test::check_refusal([&] { sums.add(huge); }, "moments: the squares of values near 0 overflow");
  BOOST_TEST((sums.count() == 9 && sums.moments().mean == moments_of(sample).mean));
}

BOOST_AUTO_TEST_CASE(limits_of_quantiles_and_ratios) {
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST((median({4, 1, 3, 2}) == 2.5 && median({7}) == 7 && normal_quantile(0.5) == 0));
  BOOST_TEST(quantile({infinity, infinity, 1}, 0.75) == infinity);
  for (std::uint64_t n = 1; n < 100; ++n)
    BOOST_TEST((wilson(0, n, 0.9).low == 0 && wilson(n, n, 0.9).high == 1));
  const std::vector<double> one{1}, two{2};
  const std::vector<double> parts{1, 2, 3}, wholes{4, 8, 12};  // a fixed share
  BOOST_TEST(
      (pooled_ratio(parts, wholes).value == 0.25 && pooled_ratio(parts, wholes).spread->mean->error == 0));
  BOOST_TEST(!pooled_ratio(one, two).spread);
}

// The smallest times m, the next times m - 1, never below the one before.
BOOST_AUTO_TEST_CASE(holm_steps_down) {
  const std::vector<double> expected{0.06, 0.03, 0.06, 0.02};
  BOOST_TEST(holm({0.04, 0.01, 0.03, 0.005}) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(spreads_are_students_wilsons_or_the_wider) {
  const double bound = tolerance::special_function;
  const Moments eight = moments_of({1, 2, 3, 4, 5, 6, 7, 8});
  const Spread spread = spread_of(eight);
  BOOST_TEST((spread.replicates == 8 && spread.mean->freedom == 7 && known_spread(2).replicates == 0));
  BOOST_TEST((spread_of(eight, 0.1).mean->error == 0.1 * spread.mean->error &&
              spread_of(eight, -1).mean->error == spread.mean->error));
  // Ten groups that differ by more than their trials explain, and ten that do not differ.
  const std::vector<double> apart{0.3, 0.7, 0.3, 0.7, 0.3, 0.7, 0.3, 0.7, 0.3, 0.7}, alike(10, 0.5), one{0.5};
  const Spread wide = share_spread(500, 1000, apart);
  struct Case {
    double value;
    Spread spread;
    Interval expected;
  };
  const double normal = 2 * 3.290526731491926;  // scipy.stats.norm.isf(.0005)
  for (const Case& c : {Case{4.5, spread, mean_interval(eight, 0.999)},
                        {1, known_spread(2), {1 - normal, 1 + normal, 0.999}},
                        {0.3, share_spread(30, 100), wilson(30, 100, 0.999)},
                        {0.5, wide, mean_interval(moments_of(apart), 0.999)},
                        {0.5, share_spread(500, 1000, alike), wilson(500, 1000, 0.999)},
                        {4.5, pooled_spread(std::vector{eight}), mean_interval(eight, 0.999)}}) {
    const Interval interval = interval_at(c.value, c.spread, 0.999);
    BOOST_TEST(interval.low == c.expected.low, tt::tolerance(bound));
    BOOST_TEST(interval.high == c.expected.high, tt::tolerance(bound));
    BOOST_TEST(interval.level == 0.999);
  }
  BOOST_TEST(
      (wide.replicates == 10 && !share_spread(5, 10, one).mean));  // one group says nothing of its kind
  // A share stays one; values that are all alike have no width.
  const Interval all = interval_at(0.5, wide, 0.9999999);
  BOOST_TEST((all.low == 0 && all.high == 1));
  const std::vector<Moments> strata{moments_of({1, 1, 1}), moments_of({2, 2, 2})};
  BOOST_TEST(
      (pooled_spread(strata).mean->error == 0 && interval_at(1.5, pooled_spread(strata), 0.99).high == 1.5));
}

BOOST_AUTO_TEST_CASE(a_trimmed_mean_cuts_both_ends_and_counts_what_is_left) {
  // Sixty values: twelve cut at either end leave 35 degrees of freedom, whose t at 99.9 % is 3.59.
  std::vector<double> values = support::uniforms(3, 60);
  const TrimmedMean whole = trimmed_mean(values, 0.2);
  BOOST_TEST(whole.spread.mean->freedom == 35);
  BOOST_TEST(whole.spread.replicates == 60U);
  const Interval interval = interval_at(whole.value, whole.spread, 0.999);
  BOOST_TEST((interval.high - whole.value) / whole.spread.mean->error == 3.591, tt::tolerance(1e-4));
  // How far what is cut lies out is one to it.
  const auto largest = std::ranges::max_element(values), least = std::ranges::min_element(values);
  *largest = 1e6;
  *least = -1e9;
  const TrimmedMean far = trimmed_mean(values, 0.2);
  BOOST_TEST((far.value == whole.value && far.spread.mean->error == whole.spread.mean->error));
  // Nothing cut: the mean.
  const Moments plain = moments_of(sample);
  const TrimmedMean mean = trimmed_mean(sample, 0);
  BOOST_TEST(mean.value == plain.mean, tt::tolerance(tolerance::merged_moments));
  BOOST_TEST(mean.spread.mean->error == standard_error(plain), tt::tolerance(tolerance::merged_moments));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(histogram)

using Counts = std::vector<std::uint64_t>;
using Numbers = std::vector<double>;

BOOST_AUTO_TEST_CASE(edges_fall_in_their_own_bins) {
  std::vector<float> edges;
  for (std::size_t bin = 0; bin < 4096; ++bin) edges.push_back(static_cast<float>(bin) / 2048 - 1);
  Histogram powers(4096);
  powers.add(edges);
  BOOST_TEST(powers.counts() == Counts(4096, 1), tt::per_element());
  // The scale is rounded: the ends must not fall out of the last bins for any number of them.
  for (std::size_t bins = 1; bins < 3000; bins += 7) {
    Histogram h(bins);
    h.add(std::vector<float>{-1, 1, 1});
    BOOST_REQUIRE(
        (h.counts().front() == (bins == 1 ? 3U : 1U) && h.counts().back() == (bins == 1 ? 3U : 2U)));
  }
}

BOOST_AUTO_TEST_CASE(spans_of_every_length_and_their_parts_agree_with_a_plain_loop) {
  perp::test::Picks picks(5);
  std::vector<float> values(5000);
  for (float& value : values) value = static_cast<float>(2.2 * picks.uniform() - 1.1);
  for (const std::size_t n : {0U, 1U, 3U, 4U, 5U, 1023U, 1024U, 1025U, 1027U, 5000U}) {
    Counts plain(37);
    for (std::size_t i = 0; i < n; ++i) {
      const double place = std::floor((static_cast<double>(values[i]) + 1) / 2 * 37);
      ++plain[static_cast<std::size_t>(std::clamp(place, 0.0, 36.0))];
    }
    const std::span<const float> whole = std::span<const float>(values).first(n);
    Histogram h(37), part(37), rest(37);
    h.add(whole);
    part.add(whole.first(n / 3));
    rest.add(whole.subspan(n / 3));
    rest.merge(part);
    BOOST_TEST((h.counts() == plain && rest.counts() == plain && h.total() == n));
  }
}

BOOST_AUTO_TEST_CASE(quantiles_are_linear_within_a_bin) {
  Histogram h(4);
  h.add(std::vector<float>{-.5F, -.5F, -.5F, -.5F, .5F, .5F, .5F, .5F});
  BOOST_TEST(h.centres() == (Numbers{-0.75, -0.25, 0.25, 0.75}), tt::per_element());
  BOOST_TEST(
      (h.quantile(0) == -0.5 && h.quantile(0.5) == 0 && h.quantile(0.75) == 0.75 && h.quantile(1) == 1));
}

BOOST_AUTO_TEST_SUITE_END()

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
