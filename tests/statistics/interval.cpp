#include "perp/statistics/interval.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(interval)

BOOST_AUTO_TEST_CASE(the_normal_law) {
  // scipy.stats.norm.ppf and 2 norm.sf, scipy.special.erfc (SciPy 1.10.1).
  const double bound = tolerance::special_function;
  BOOST_TEST(normal_quantile(1e-300) == -37.0470962993612, tt::tolerance(bound));
  BOOST_TEST(normal_quantile(1e-10) == -6.361340902404056, tt::tolerance(bound));
  BOOST_TEST(normal_quantile(0.025) == -1.9599639845400545, tt::tolerance(bound));
  BOOST_TEST(normal_quantile(0.3) == -0.5244005127080409, tt::tolerance(bound));
  BOOST_TEST(normal_quantile(0.5) == 0.0);
  BOOST_TEST(normal_quantile(0.999) == 3.090232306167813, tt::tolerance(bound));
  BOOST_TEST(two_sided_p(0) == 1.0);
  BOOST_TEST(two_sided_p(-1) == 0.31731050786291415, tt::tolerance(bound));
  BOOST_TEST(two_sided_p(1.959963984540054) == 0.05, tt::tolerance(bound));
  BOOST_TEST(two_sided_p(10) / 1.523970604832094e-23 == 1.0, tt::tolerance(bound));
  BOOST_TEST(two_sided_p(-30) / 9.81342785429749e-198 == 1.0,
             tt::tolerance(1e-12));  // d ln p = z² times z's rounding
  BOOST_TEST(std::isnan(two_sided_p(NAN)));
  BOOST_CHECK_EXCEPTION(normal_quantile(0), Error,
                        support::says("normal_quantile: probability 0, expected between 0 and 1"));
  BOOST_CHECK_THROW(normal_quantile(1), Error);
  BOOST_CHECK_THROW(normal_quantile(NAN), Error);
}

BOOST_AUTO_TEST_CASE(wilson_agrees_with_scipy) {
  // scipy.stats.binomtest(successes, n).proportion_ci(level, "wilson").
  struct Row {
    std::uint64_t successes, n;
    double level, low, high;
  };
  for (const Row& row : std::vector<Row>{{0, 10, 0.95, 0, 0.27753279986288926},
                                         {10, 10, 0.95, 0.7224672001371109, 1},
                                         {3, 10, 0.95, 0.10779126740630102, 0.6032218525388546},
                                         {81, 263, 0.95, 0.2552885198782742, 0.36620957698280004},
                                         {500000, 1000000, 0.999, 0.4983547455412807, 0.5016452544587193}}) {
    const Interval interval = wilson(row.successes, row.n, row.level);
    BOOST_TEST(interval.low == row.low, tt::tolerance(tolerance::special_function));
    BOOST_TEST(interval.high == row.high, tt::tolerance(tolerance::special_function));
    BOOST_TEST(interval.level == row.level);
  }
  for (std::uint64_t n = 1; n < 100; ++n) {
    BOOST_TEST(wilson(0, n, 0.9).low == 0.0);
    BOOST_TEST(wilson(n, n, 0.9).high == 1.0);
  }
}

BOOST_AUTO_TEST_CASE(wilson_covers_its_level) {
  // Exact: the binomial probability of those counts whose interval holds p.
  const int n = 50;
  double least = 1, sum = 0;
  for (int step = 50; step <= 950; ++step) {
    const double p = step / 1000.0;
    double covered = 0;
    for (int k = 0; k <= n; ++k) {
      const Interval interval = wilson(static_cast<std::uint64_t>(k), n, 0.95);
      const double ln_choose = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
      if (interval.low <= p && p <= interval.high)
        covered += std::exp(ln_choose + k * std::log(p) + (n - k) * std::log(1 - p));
    }
    least = std::min(least, covered);
    sum += covered / 901;
  }
  BOOST_TEST(least > tolerance::wilson_least_coverage);
  BOOST_TEST(std::abs(sum - 0.95) < tolerance::wilson_mean_coverage);
}

BOOST_AUTO_TEST_CASE(refusals) {
  using support::says;
  BOOST_CHECK_EXCEPTION(
      wilson(0, 0, 0.9), Error,
      says("wilson: 0 successes in 0 trials, expected at least one trial and no more successes"));
  BOOST_CHECK_EXCEPTION(
      wilson(3, 2, 0.9), Error,
      says("wilson: 3 successes in 2 trials, expected at least one trial and no more successes"));
  BOOST_CHECK_EXCEPTION(wilson(1, 2, 0), Error, says("wilson: level 0, expected between 0 and 1"));
}

BOOST_AUTO_TEST_SUITE_END()
