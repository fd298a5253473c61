#include "perp/statistics/spread.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;

namespace {

Moments moments_of(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  return sums.moments();
}

const std::vector<double> eight{1, 2, 3, 4, 5, 6, 7, 8}, six{2, 2.5, 1.5, 3, 1, 3.5};

}  // namespace

BOOST_AUTO_TEST_SUITE(spread)

BOOST_AUTO_TEST_CASE(of_a_mean_it_is_students_interval_at_every_level) {
  const Moments moments = moments_of(eight);
  const Spread spread = spread_of(moments);
  BOOST_TEST(spread.replicates == 8u);
  BOOST_TEST(spread.mean->freedom == 7.0);
  for (const double level : {0.9, 0.99, 0.999, 0.9999}) {
    const Interval expected = mean_interval(moments, level), interval = interval_at(4.5, spread, level);
    BOOST_TEST(interval.low == expected.low, tt::tolerance(tolerance::special_function));
    BOOST_TEST(interval.high == expected.high, tt::tolerance(tolerance::special_function));
    BOOST_TEST(interval.level == level);
  }
  // The same of a tenth of it, and of its negative.
  BOOST_TEST(spread_of(moments, 0.1).mean->error == 0.1 * spread.mean->error);
  BOOST_TEST(spread_of(moments, -1).mean->error == spread.mean->error);
}

BOOST_AUTO_TEST_CASE(a_known_deviation_is_normal) {
  const Interval interval = interval_at(1, known_spread(2), 0.999);
  BOOST_TEST(interval.high == 1 + 2 * 3.290526731491926, tt::tolerance(tolerance::special_function));
  BOOST_TEST(interval.low == 1 - 2 * 3.290526731491926, tt::tolerance(tolerance::special_function));
  BOOST_TEST(known_spread(2).replicates == 0u);
}

BOOST_AUTO_TEST_CASE(of_a_share_it_is_wilsons) {
  const Interval interval = interval_at(0.3, share_spread(30, 100), 0.999), expected = wilson(30, 100, 0.999);
  BOOST_TEST(interval.low == expected.low);
  BOOST_TEST(interval.high == expected.high);
  BOOST_CHECK_THROW(share_spread(3, 2), Error);
  BOOST_CHECK_THROW(share_spread(0, 0), Error);
}

BOOST_AUTO_TEST_CASE(groups_widen_a_share_on_either_side) {
  // Ten groups that differ by more than their trials explain: Student's is the wider.
  const std::vector<double> apart{0.3, 0.7, 0.3, 0.7, 0.3, 0.7, 0.3, 0.7, 0.3, 0.7}, alike(10, 0.5);
  const Spread wide = share_spread(500, 1000, apart), narrow = share_spread(500, 1000, alike);
  const Interval student = mean_interval(moments_of(apart), 0.99), trials = wilson(500, 1000, 0.99);
  BOOST_TEST(interval_at(0.5, wide, 0.99).low == student.low, tt::tolerance(tolerance::special_function));
  BOOST_TEST(interval_at(0.5, wide, 0.99).high == student.high, tt::tolerance(tolerance::special_function));
  BOOST_TEST(interval_at(0.5, narrow, 0.99).low == trials.low);
  BOOST_TEST(interval_at(0.5, narrow, 0.99).high == trials.high);
  BOOST_TEST(wide.replicates == 10u);
  // A share stays one.
  BOOST_TEST(interval_at(0.5, wide, 0.9999999).low == 0.0);
  BOOST_TEST(interval_at(0.5, wide, 0.9999999).high == 1.0);
  // One group says nothing of its kind.
  BOOST_TEST(!share_spread(5, 10, std::vector<double>{0.5}).mean);
}

BOOST_AUTO_TEST_CASE(strata_add_variances_and_have_satterthwaites_freedom) {
  // Standard errors squared: 6/8 = .75 and .875/6; (.75 + .1458)²/(.75²/7 + .1458²/5) = 9.48.
  const std::vector<Moments> strata{moments_of(eight), moments_of(six)};
  const Spread pooled = pooled_spread(strata);
  BOOST_TEST(pooled.mean->error == 0.4732423621500228, tt::tolerance(1e-14));
  BOOST_TEST(pooled.mean->freedom == 9.4848307196248, tt::tolerance(1e-13));
  BOOST_TEST(pooled.replicates == 6u);
  // One stratum is a mean.
  const std::vector<Moments> one{moments_of(eight)};
  BOOST_TEST(pooled_spread(one).mean->error == spread_of(one[0]).mean->error);
  BOOST_TEST(pooled_spread(one).mean->freedom == 7.0, tt::tolerance(1e-14));
  // Values that are all alike have no width and some freedom.
  const std::vector<Moments> alike{moments_of({1, 1, 1}), moments_of({2, 2, 2})};
  BOOST_TEST(pooled_spread(alike).mean->error == 0.0);
  BOOST_TEST(interval_at(1.5, pooled_spread(alike), 0.99).high == 1.5);
  BOOST_CHECK_THROW(pooled_spread({}), Error);
}

BOOST_AUTO_TEST_CASE(a_level_is_a_coverage) {
  BOOST_CHECK_THROW(interval_at(0, known_spread(1), 0), Error);
  BOOST_CHECK_THROW(interval_at(0, known_spread(1), 1), Error);
}

BOOST_AUTO_TEST_SUITE_END()
