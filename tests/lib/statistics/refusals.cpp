// What statistics refuses, in its words.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/lib/statistics/support.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;

namespace {

const std::vector<double> none, one{1}, pair{1, 2}, three{1, 2, 3}, nan1{1, NAN};

const Histogram of_one = [] {
  Histogram h(4);
  h.add(std::vector<float>{0.5F});
  return h;
}();

const std::vector<test::Refusal> refusals{
    {"normal_quantile: probability 0, expected between 0 and 1", [] { normal_quantile(0); }},
    {"normal_quantile: probability 1, expected", [] { normal_quantile(1); }},
    {"normal_quantile: probability nan, expected", [] { normal_quantile(NAN); }},
    {"wilson: 0 successes in 0 trials, expected at least one trial", [] { wilson(0, 0, 0.9); }},
    {"wilson: 3 successes in 2 trials", [] { wilson(3, 2, 0.9); }},
    {"wilson: level 0, expected between 0 and 1", [] { wilson(1, 2, 0); }},
    {"quantile: the sample is empty", [] { quantile(none, 0.5); }},
    {"quantile: value 1 is NaN", [] { quantile(nan1, 0.5); }},
    {"quantile: probability 1.5, expected 0 … 1", [] { quantile(pair, 1.5); }},
    {"quantile: probability nan, expected 0 … 1", [] { quantile(pair, NAN); }},
    {"trimmed_mean: a share of 0.5, expected 0 or above, below 1/2", [] { trimmed_mean(three, 0.5); }},
    {"trimmed_mean: a share of -0.1", [] { trimmed_mean(three, -0.1); }},
    {"trimmed_mean: 1 of 3 values are left, expected 2 or more", [] { trimmed_mean(three, 0.4); }},
    {"trimmed_mean: value 1 is not finite", [] { trimmed_mean(nan1, 0); }},
    {"power_below: a standard deviation of 0, expected above 0", [] { power_below(1, 0, 9, 0, 0.9); }},
    {"power_below: level 1, expected between 0 and 1", [] { power_below(1, 1, 9, 0, 1); }},
    {"moments: no values were added", [] { MomentSums().moments(); }},
    {"standard_error: 1 values, expected at least 2", [] { standard_error(support::moments_of(one)); }},
    {"standard_error: 1 values, expected at least 2", [] { mean_interval(support::moments_of(one), 0.95); }},
    {"mean_interval: level 1, expected between 0 and 1", [] { mean_interval(support::moments_of(one), 1); }},
    {"pooled_ratio: 3 parts of 1 wholes", [] { pooled_ratio(three, one); }},
    {"pooled_ratio: 0 parts of 0 wholes", [] { pooled_ratio(none, none); }},
    {"pooled_ratio: 2 wholes that sum to 0", [] { pooled_ratio(pair, std::vector<double>(2, 0.0)); }},
    {"share_spread: 3 successes in 2 trials", [] { share_spread(3, 2); }},
    {"share_spread: 0 successes in 0 trials", [] { share_spread(0, 0); }},
    {"pooled_spread: no strata", [] { pooled_spread({}); }},
    {"interval_at: level 0, expected between 0 and 1", [] { interval_at(0, known_spread(1), 0); }},
    {"interval_at: level 1, expected between 0 and 1", [] { interval_at(0, known_spread(1), 1); }},
    {"histogram: 0 bins, expected 1 … 1048576", [] { Histogram(0); }},
    {"histogram: 1048577 bins, expected 1 … 1048576", [] { Histogram(1048577); }},
    {"cannot merge 5 bins into 4", [] { Histogram(4).merge(Histogram(5)); }},
    {"histogram: a quantile of no values", [] { Histogram(4).quantile(0.5); }},
    {"histogram: quantile of probability nan, expected 0 … 1", [] { of_one.quantile(NAN); }},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(statistics_refusals)

BOOST_AUTO_TEST_CASE(each_in_its_words) { test::check_refusals(refusals); }

BOOST_AUTO_TEST_SUITE_END()
