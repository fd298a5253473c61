// When two sides are told apart: against tables, by hand, and by simulation.

#include "bench/verdict.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/normal.hpp"

using namespace perp::bench;
using boost::test_tools::tolerance;

namespace {

const auto tiny = tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_verdict)

// By hand: logs of ratios 0.1, 0.2, 0.3 have mean .2, standard deviation .1, t = .2/(.1/√3) = 3.4641 with two
// degrees of freedom, for which P(|T| > t) = 1 - t/√(2 + t²); t of 97.5 % is 4.302653.
BOOST_AUTO_TEST_CASE(a_paired_contrast_is_students_t_on_logarithms) {
  const Contrast c = paired_contrast({std::exp(0.1), std::exp(0.2), std::exp(0.3)});
  const double t = 0.2 / (0.1 / std::sqrt(3.0));
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.spread == 0.1, tiny);
  BOOST_TEST(c.p == 1 - t / std::sqrt(2 + t * t), tiny);
  BOOST_TEST(std::log(c.high) == 0.2 + 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(std::log(c.low) == 0.2 - 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(paired_contrast({2.0}).p == 1.0);
  BOOST_TEST(paired_contrast({1.0, 1.0, 1.0}).p == 1.0);
  BOOST_TEST(paired_contrast({2.0, 2.0, 2.0}).p == 0.0);
}

// Equal variances and counts: Welch's t is Student's with 2n - 2 degrees of freedom. Here t = 3.4641/√2
// = 2.449 with four, for which P(|T| > t) = 0.0705.
BOOST_AUTO_TEST_CASE(a_separate_contrast_is_welchs_t) {
  const Times a = times_of({std::exp(0.1), std::exp(0.2), std::exp(0.3)}),
              b = times_of({std::exp(0.3), std::exp(0.4), std::exp(0.5)});
  const Contrast c = separate_contrast(a, b);
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.p == 0.0705, tolerance(1e-3));
  BOOST_TEST(separate_contrast(a, a).p == 1.0);
}

BOOST_AUTO_TEST_CASE(a_verdict_needs_an_adjusted_p_at_the_level) {
  BOOST_TEST(verdict({0.5, 0, 0, 0, 0, 5}, 0.05) == "faster");
  BOOST_TEST(verdict({2, 0, 0, 0, 0, 5}, 0.05) == "slower");
  BOOST_TEST(verdict({2, 0, 0, 0, 0, 5}, 0.051) == "not told apart");
  BOOST_TEST((paired_ratios({2, 20, 4}, {1, 10}) == std::vector<double>{2, 2}));
}

// Of 4,000 comparisons a share of .05 lies within .05 ± .0152 in all but one run in 10^5 (4.4 standard deviations of
// √(.05 · .95/4000)), one of .8 within .028. The numbers are keyed: the test gives the same each time.
BOOST_AUTO_TEST_CASE(sides_are_called_different_as_often_as_claimed) {
  constexpr double spread = 0.02;
  for (const auto& [rounds, factor, claimed, within] : {std::tuple{5U, 1.0, 0.05, 0.0152},
                                                        {5U, detectable(spread, 5), 0.8, 0.028},
                                                        {11U, detectable(spread, 11), 0.8, 0.028}}) {
    std::size_t told = 0;
    std::vector<double> ratios(rounds);
    for (std::uint64_t i = 0; i < 4000; ++i) {
      perp::fill_normal(perp::stream(1, "bench", "verdict", i, "ratio"), std::span<double>(ratios));
      for (double& x : ratios) x = factor * std::exp(spread * x);
      told += paired_contrast(ratios).p <= false_alarms;
    }
    BOOST_TEST(std::abs(static_cast<double>(told) / 4000 - claimed) < within, rounds << ", " << factor);
  }
  BOOST_TEST(std::isnan(detectable(0.02, 1)));
  BOOST_TEST(detectable(0.02, 5) > detectable(0.01, 5));
}

BOOST_AUTO_TEST_SUITE_END()
