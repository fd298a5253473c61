#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "perp/statistics/interval.hpp"
#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;

namespace {

const std::vector<double> sample{0.25, 2.5, -3.75, 4.0, 8.5, 1.25, -0.5, 3.0, 12.0};

Draw draws(std::size_t n, std::uint64_t seed = 0x1234567) {
  return [n, seed](std::uint64_t replicate) {
    support::Generator generator(replicate * 0x9E3779B97F4A7C15U + seed);
    std::vector<std::uint32_t> indices(n);
    for (std::uint32_t& index : indices) index = generator.below(static_cast<std::uint32_t>(n));
    return indices;
  };
}

double mean_of(std::span<double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bootstrap)

BOOST_AUTO_TEST_CASE(agrees_with_numpy_on_the_same_draws) {
  // The same SplitMix64 draws in Python; numpy.mean, median, quantile; BCa written out with scipy.stats.norm.
  // 13 of the 999 means tie with the estimate.
  const double bound = tolerance::special_function;
  const Interval mean = bootstrap_mean(sample, 0.95, 999, draws(9));
  BOOST_TEST(mean.low == 0.7252098297467067, tt::tolerance(bound));
  BOOST_TEST(mean.high == 6.381174751500907, tt::tolerance(bound));
  BOOST_TEST(mean.level == 0.95);
  const Interval plain = bootstrap_percentile(sample, mean_of, 0.95, 999, draws(9));
  BOOST_TEST(plain.low == 0.4708333333333334, tt::tolerance(bound));
  BOOST_TEST(plain.high == 6.194444444444445, tt::tolerance(bound));
  const Interval median = bootstrap_median(sample, 0.95, 999, draws(9));
  BOOST_TEST(median.low == 0.25);
  BOOST_TEST(median.high == 4.0);
}

BOOST_AUTO_TEST_CASE(covers_nearly_as_often_as_it_says) {
  // 40 exponential values, mean 1, median ln 2. False alarm 6e-7 and what small samples lack.
  const int trials = 400;
  int means = 0, medians = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values = support::uniforms(77 + static_cast<std::uint64_t>(trial), 40);
    for (double& value : values) value = -std::log(value);
    const Draw draw = draws(40, static_cast<std::uint64_t>(trial) << 32);
    const Interval mean = bootstrap_mean(values, 0.9, 400, draw);
    const Interval median = bootstrap_median(values, 0.9, 400, draw);
    means += mean.low < 1 && 1 < mean.high;
    medians += median.low < std::log(2) && std::log(2) < median.high;
  }
  const double bound = tolerance::bootstrap_shortfall + tolerance::hit_share(0.9, trials);
  BOOST_TEST(std::abs(means / static_cast<double>(trials) - 0.9) < bound);
  BOOST_TEST(std::abs(medians / static_cast<double>(trials) - 0.9) < bound);
}

BOOST_AUTO_TEST_CASE(equal_values_give_a_point) {
  const std::vector<double> equal(5, 2.0);
  const Interval interval = bootstrap_mean(equal, 0.95, 100, draws(5));
  BOOST_TEST(interval.low == 2.0);
  BOOST_TEST(interval.high == 2.0);
}

BOOST_AUTO_TEST_CASE(refusals) {
  using support::says;
  const auto fixed = [](std::vector<std::uint32_t> indices) {
    return [indices](std::uint64_t) { return indices; };
  };
  const std::vector<double> pair{1, 2};
  BOOST_CHECK_EXCEPTION(bootstrap_mean({}, 0.9, 100, draws(9)), Error,
                        says("bootstrap: the sample is empty"));
  BOOST_CHECK_EXCEPTION(bootstrap_mean(sample, 1, 100, draws(9)), Error,
                        says("bootstrap: level 1, expected between 0 and 1"));
  BOOST_CHECK_EXCEPTION(bootstrap_median(sample, 0.75, 7, draws(9)), Error,
                        says("bootstrap: 7 replicates, expected at least 8 for level 0.75"));
  BOOST_CHECK_NO_THROW(bootstrap_median(sample, 0.95, 40, draws(9)));
  BOOST_CHECK_EXCEPTION(bootstrap_median(pair, 0.5, 10, fixed({0})), Error,
                        says("bootstrap: replicate 0 has 1 indices, expected 2"));
  BOOST_CHECK_EXCEPTION(bootstrap_median(pair, 0.5, 10, fixed({0, 2})), Error,
                        says("bootstrap: replicate 0 draws index 2 of a sample of 2"));
  BOOST_CHECK_EXCEPTION(bootstrap_percentile(
                            pair, [](std::span<double>) { return NAN; }, 0.5, 10, draws(2)),
                        Error, says("bootstrap: the statistic of replicate 0 is nan"));
  BOOST_CHECK_EXCEPTION(bootstrap_mean(pair, 0.5, 10, fixed({1, 1})), Error,
                        says("bootstrap_bca: every one of 10 replicates is on one side of the estimate 1.5: "
                             "no bias correction"));
  const std::vector<double> one{1};
  BOOST_CHECK_EXCEPTION(bootstrap_mean(one, 0.5, 10, draws(1)), Error,
                        says("bootstrap_bca: a sample of 1, expected at least 2 for the jackknife"));
}

BOOST_AUTO_TEST_SUITE_END()
