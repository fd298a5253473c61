#include "perp/statistics/order.hpp"

#include <algorithm>
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
}

BOOST_AUTO_TEST_SUITE(order)

BOOST_AUTO_TEST_CASE(quantiles_agree_with_numpy) {
  // numpy.quantile(sample, p), whose default is type 7.
  const std::vector<std::pair<double, double>> expected{
      {0, -3.75}, {0.1, -1.15}, {0.25, 0.1}, {1 / 3.0, 0.8666666666666665}, {0.5, 2.5}, {0.9, 9.2}, {1, 12}};
  std::vector<double> sorted = sample;
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [p, value] : expected) {
    BOOST_TEST(quantile(sample, p) == value, tt::tolerance(tolerance::special_function));
    BOOST_TEST(quantile_sorted(sorted, p) == value, tt::tolerance(tolerance::special_function));
  }
  BOOST_TEST(median(sample) == 2.5);
  BOOST_TEST(median({4, 1, 3, 2}) == 2.5);
  BOOST_TEST(median({7}) == 7.0);
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(quantile({infinity, infinity, 1}, 0.75) == infinity);
}

BOOST_AUTO_TEST_CASE(intervals_take_the_right_order_statistics) {
  // The largest j with binom.cdf(j-1, n, p) <= (1-level)/2 and the smallest with binom.sf(j-1, n, p) <= the
  // same, from 1 (SciPy 1.10.1). The sample is 1 … n, so the ends are those numbers.
  struct Row {
    int n;
    double p, level, low, high;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Row& row : std::vector<Row>{{5, 0.5, 0.95, -infinity, infinity},
                                         {6, 0.5, 0.95, 1, 6},
                                         {10, 0.5, 0.95, 2, 9},
                                         {100, 0.5, 0.95, 40, 61},
                                         {101, 0.5, 0.99, 38, 64},
                                         {50, 0.9, 0.95, 41, 50},
                                         {1000, 0.25, 0.95, 223, 278}}) {
    std::vector<double> values(static_cast<std::size_t>(row.n));
    for (int i = 0; i < row.n; ++i) values[static_cast<std::size_t>(i)] = row.n - i;
    const Interval interval = quantile_interval(values, row.p, row.level);
    BOOST_TEST(interval.low == row.low);
    BOOST_TEST(interval.high == row.high);
    BOOST_TEST(interval.level == row.level);
    if (row.p == 0.5) BOOST_TEST(median_interval(values, row.level).high == row.high);
  }
}

BOOST_AUTO_TEST_CASE(intervals_cover_any_law_as_often_as_they_say) {
  // 25 values: the order statistics 8 and 18 cover the median with probability .9567, whatever the law. False
  // alarm 6e-7.
  const int trials = 4000;
  int hits = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values = support::uniforms(1000 + static_cast<std::uint64_t>(trial), 25);
    for (double& value : values) value = std::tan(3.14159265358979 * (value - 0.5));  // Cauchy: no moments
    const Interval interval = median_interval(values, 0.95);
    hits += interval.low < 0 && 0 < interval.high;
  }
  const double exact = 0.9567147493362427;  // 1 - 2 scipy.stats.binom.cdf(7, 25, .5)
  BOOST_TEST(std::abs(hits / static_cast<double>(trials) - exact) < tolerance::hit_share(exact, trials));
}

BOOST_AUTO_TEST_CASE(refusals) {
  using support::says;
  BOOST_CHECK_EXCEPTION(quantile({}, 0.5), Error, says("quantile: the sample is empty"));
  BOOST_CHECK_EXCEPTION(quantile_sorted({}, 0.5), Error, says("quantile_sorted: the sample is empty"));
  BOOST_CHECK_EXCEPTION(quantile({1, NAN}, 0.5), Error, says("quantile: value 1 is NaN"));
  BOOST_CHECK_EXCEPTION(quantile({1, 2}, 1.5), Error, says("quantile: probability 1.5, expected 0 … 1"));
  BOOST_CHECK_EXCEPTION(quantile({1, 2}, NAN), Error, says("quantile: probability nan, expected 0 … 1"));
  BOOST_CHECK_EXCEPTION(quantile_interval({1, 2}, 0, 0.9), Error,
                        says("quantile_interval: probability 0, expected between 0 and 1"));
  BOOST_CHECK_EXCEPTION(quantile_interval({1, 2}, 0.5, 1.5), Error,
                        says("quantile_interval: level 1.5, expected between 0 and 1"));
  BOOST_CHECK_EXCEPTION(quantile_interval({}, 0.5, 0.9), Error,
                        says("quantile_interval: the sample is empty"));
  BOOST_CHECK_EXCEPTION(median_interval({NAN}, 0.9), Error, says("quantile_interval: value 0 is NaN"));
}

BOOST_AUTO_TEST_SUITE_END()
