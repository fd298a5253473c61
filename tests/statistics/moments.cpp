#include "perp/statistics/moments.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;

namespace {

const std::vector<double> sample{0.1, 2.5, -3.75, 4.0, 8.5, 1.25, -0.5, 3.0, 12.0};

MomentSums sums_of(std::span<const double> values) {
  MomentSums sums;
  sums.add(values);
  return sums;
}

void check_close(const Moments& a, const Moments& b) {
  const double bound = tolerance::merged_moments;
  BOOST_TEST(a.count == b.count);
  BOOST_TEST(a.mean == b.mean, tt::tolerance(bound));
  BOOST_TEST(a.variance == b.variance, tt::tolerance(bound));
  BOOST_TEST(a.skewness == b.skewness, tt::tolerance(bound));
  BOOST_TEST(a.excess_kurtosis == b.excess_kurtosis, tt::tolerance(bound));
  BOOST_TEST(a.minimum == b.minimum);
  BOOST_TEST(a.maximum == b.maximum);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(moments)

BOOST_AUTO_TEST_CASE(agree_with_scipy) {
  // numpy.mean, numpy.var(ddof=1), scipy.stats.skew, kurtosis, sem (SciPy 1.10.1).
  const Moments m = sums_of(sample).moments();
  const double bound = tolerance::special_function;
  BOOST_TEST(m.count == 9U);
  BOOST_TEST(m.mean == 3.011111111111111, tt::tolerance(bound));
  BOOST_TEST(m.variance == 22.722986111111112, tt::tolerance(bound));
  BOOST_TEST(m.skewness == 0.6242745216149018, tt::tolerance(bound));
  BOOST_TEST(m.excess_kurtosis == -0.3417192599319345, tt::tolerance(bound));
  BOOST_TEST(m.minimum == -3.75);
  BOOST_TEST(m.maximum == 12.0);
  BOOST_TEST(standard_error(m) == 1.588954446976974, tt::tolerance(bound));
  // Student's law with 8 degrees of freedom in closed form (Abramowitz & Stegun 26.7.4), solved in 40 decimal
  // digits: t = 2.306004135204166683. SciPy 1.10.1 gives 2.3060041350.
  const Interval interval = mean_interval(m, 0.95);
  BOOST_TEST(interval.low == -0.6530244142688407, tt::tolerance(1e-12));
  BOOST_TEST(interval.high == 6.675246636491063, tt::tolerance(1e-12));
  BOOST_TEST(interval.level == 0.95);
}

BOOST_AUTO_TEST_CASE(the_mean_of_many_ones_is_one) {
  const std::vector<float> ones(std::size_t{1} << 25, 1.0F);
  MomentSums sums;
  sums.add(ones);
  const Moments m = sums.moments();
  BOOST_TEST(m.mean == 1.0);
  BOOST_TEST(m.variance == 0.0);
  BOOST_TEST(std::isnan(m.skewness));
  BOOST_TEST(std::isnan(m.excess_kurtosis));
}

BOOST_AUTO_TEST_CASE(a_far_mean_does_not_swallow_the_variance) {
  // Alternating 10^9 and 10^9 + 1: variance n/(4(n-1)), where sums of squares would keep no digit.
  const std::size_t n = 100000;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = 1e9 + static_cast<double>(i % 2);
  const Moments m = sums_of(values).moments();
  BOOST_TEST(m.mean == 1e9 + 0.5);
  BOOST_TEST(m.variance == 0.25 * n / (n - 1.0), tt::tolerance(tolerance::merged_moments));
  BOOST_TEST(m.excess_kurtosis == -2.0, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(parts_merged_are_the_whole) {
  // Skewed values, cut unevenly; the parts' sizes and means differ, so every term of the merge counts.
  std::vector<double> values = support::uniforms(1, 5003);
  for (double& value : values) value = value * value * value + 0.25;
  const Moments whole = sums_of(values).moments();
  const std::span<const double> all(values);
  MomentSums parts, single;
  for (const auto& [begin, end] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 1}, {1, 1}, {1, 3000}, {3000, 3007}, {3007, 5003}})
    parts.merge(sums_of(all.subspan(begin, end - begin)));
  for (const double value : values) single.add(value);
  check_close(parts.moments(), whole);
  check_close(single.moments(), whole);

  long double mean = 0, second = 0, third = 0, fourth = 0;
  for (const double value : values) mean += value / 5003.0L;
  for (const double value : values) {
    const long double d = value - mean;
    second += d * d / 5003.0L;
    third += d * d * d / 5003.0L;
    fourth += d * d * d * d / 5003.0L;
  }
  const Moments plain{5003,
                      static_cast<double>(mean),
                      static_cast<double>(second * 5003 / 5002),
                      static_cast<double>(third / std::pow(second, 1.5L)),
                      static_cast<double>(fourth / (second * second) - 3),
                      whole.minimum,
                      whole.maximum};
  check_close(whole, plain);
}

BOOST_AUTO_TEST_CASE(the_same_parts_in_the_same_order_give_the_same_bits) {
  const auto run = [] {
    MomentSums all;
    for (std::uint64_t part = 0; part < 7; ++part)
      all.merge(sums_of(support::uniforms(part, 100 + 333 * part)));
    return all.moments();
  };
  const Moments a = run(), b = run();
  BOOST_TEST(a.mean == b.mean);
  BOOST_TEST(a.variance == b.variance);
  BOOST_TEST(a.excess_kurtosis == b.excess_kurtosis);
}

BOOST_AUTO_TEST_CASE(floats_count_as_the_doubles_they_are) {
  const std::vector<double> doubles = support::uniforms(3, 4099);
  const std::vector<float> floats(doubles.begin(), doubles.end());
  const std::vector<double> back(floats.begin(), floats.end());
  MomentSums sums;
  sums.add(floats);
  check_close(sums.moments(), sums_of(back).moments());
}

BOOST_AUTO_TEST_CASE(one_value_has_no_variance) {
  MomentSums sums;
  sums.add(2.5);
  sums.merge(MomentSums());
  BOOST_TEST(sums.moments().mean == 2.5);
  BOOST_TEST(sums.moments().minimum == 2.5);
  BOOST_TEST(std::isnan(sums.moments().variance));
  BOOST_CHECK_EXCEPTION(standard_error(sums.moments()), Error,
                        support::says("standard_error: 1 values, expected at least 2"));
  BOOST_CHECK_EXCEPTION(mean_interval(sums.moments(), 0.95), Error,
                        support::says("standard_error: 1 values, expected at least 2"));
}

BOOST_AUTO_TEST_CASE(refusals) {
  BOOST_CHECK_EXCEPTION(MomentSums().moments(), Error, support::says("moments: no values were added"));
  BOOST_CHECK_EXCEPTION(mean_interval(sums_of(sample).moments(), 1.0), Error,
                        support::says("mean_interval: level 1, expected between 0 and 1"));
  MomentSums sums = sums_of(sample);
  std::vector<float> values(3000, 1.0F);
  values[2999] = std::numeric_limits<float>::quiet_NaN();
  BOOST_CHECK_EXCEPTION(sums.add(values), Error,
                        support::says("moments: a value is nan, expected a finite one"));
  values[2999] = -std::numeric_limits<float>::infinity();
  BOOST_CHECK_EXCEPTION(sums.add(values), Error,
                        support::says("moments: a value is -inf, expected a finite one"));
  BOOST_TEST(sums.count() == sample.size());
  BOOST_TEST(sums.moments().mean == sums_of(sample).moments().mean);
  const std::vector<double> huge{-1e200, 1e200};
  BOOST_CHECK_EXCEPTION(sums.add(huge), Error,
                        support::says("moments: the squares of values near 0 overflow"));
}

BOOST_AUTO_TEST_SUITE_END()
