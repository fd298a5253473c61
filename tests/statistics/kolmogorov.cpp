#include "perp/statistics/kolmogorov.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "perp/statistics/histogram.hpp"
#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;

namespace {
const Cdf uniform = [](double x) { return std::clamp(x, 0.0, 1.0); };
}

// Small probabilities are compared as ratios: next to an exact 0, Boost takes its tolerance for absolute.
BOOST_AUTO_TEST_SUITE(kolmogorov)

BOOST_AUTO_TEST_CASE(statistics_agree_with_scipy) {
  // scipy.stats.kstest(values, "uniform"), ks_2samp(a, b, method="exact") (SciPy 1.10.1).
  const double d = ks_statistic({0.41, 0.02, 0.93, 0.35, 0.11, 0.7, 0.36}, uniform);
  BOOST_TEST(d == 0.3042857142857143, tt::tolerance(tolerance::special_function));
  BOOST_TEST(ks_p_value(7, d) / 0.4490153331040434 == 1.0, tt::tolerance(tolerance::ks_far_tail));
  const std::vector<double> a{1, 2, 2, 3.5, 7, 9}, b{2, 4, 5, 6, 8, 10, 11, 12};
  const double two = ks_statistic(a, b);
  BOOST_TEST(two == 13 / 24.0);
  BOOST_TEST(ks_statistic(b, a) == two);
  BOOST_TEST(ks_p_value(6, 8, two) / 0.19247419247419248 == 1.0, tt::tolerance(tolerance::ks_far_tail));
  BOOST_TEST(ks_statistic(a, a) == 0.0);
  BOOST_TEST(ks_statistic(std::vector<double>{1, 2}, std::vector<double>{3}) == 1.0);
}

BOOST_AUTO_TEST_CASE(distance_of_an_atomic_sample_from_a_continuous_law) {
  // Atoms at -1 and 1 against uniform on [-2, 2]: |F_n - F| is largest at them, on either side: 1/4.
  const Cdf wide = [](double x) { return std::clamp((x + 2) / 4, 0.0, 1.0); };
  BOOST_TEST(ks_statistic({-1, 1, -1, 1}, wide) == 0.25);
  BOOST_TEST(ks_statistic({2, 2, 2, 2}, wide) == 1.0);
}

BOOST_AUTO_TEST_CASE(binned_distance_is_within_one_bin_of_the_true_one) {
  const std::vector<double> values = support::uniforms(11, 20000);
  const std::vector<float> floats(values.begin(), values.end());
  const std::vector<double> exact(floats.begin(), floats.end());
  const Cdf bent = [](double x) { return std::clamp(x, 0.0, 1.0) * std::clamp(x, 0.0, 1.0); };
  Histogram h(0.25, 0.75, 256);  // half of the values are outside, and count
  h.add(floats);
  const double full = ks_statistic(exact, bent), binned = ks_statistic(h, bent);
  const std::vector<std::uint64_t> counts = h.counts();
  BOOST_TEST(binned <= full);
  BOOST_TEST(full - binned <= static_cast<double>(*std::max_element(counts.begin(), counts.end())) / 20000);
  BOOST_TEST(full == 0.25, tt::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(known_values) {
  // Marsaglia, Tsang & Wang 2003, section 3: K(10, .274) = .6284796154565043.
  BOOST_TEST(1 - ks_p_value(10, 0.274) == 0.6284796154565043, tt::tolerance(tolerance::ks_exact));
  // In closed form: n = 1: 2(1-d) for d >= 1/2; n = 2: 2(1-d)² for d >= 1/2; any n near 1: 2(1-d)^n.
  BOOST_TEST(ks_p_value(1, 0.7) == 0.6, tt::tolerance(tolerance::ks_exact));
  BOOST_TEST(ks_p_value(2, 0.6) == 0.32, tt::tolerance(tolerance::ks_exact));
  BOOST_TEST(ks_p_value(5, 0.9) / 2e-5 == 1.0, tt::tolerance(tolerance::ks_far_tail));
  BOOST_TEST(ks_p_value(200, 1) == 0.0);
  BOOST_TEST(ks_p_value(200, 0) == 1.0);
  BOOST_TEST(ks_p_value(200, 0.0025) == 1.0);
}

BOOST_AUTO_TEST_CASE(exact_law_agrees_with_scipy) {
  // scipy.stats.kstwo.sf(d, n); for n > 140, where that approximates, 1 - scipy.stats._ksstats._kolmogn_DMTW.
  struct Row {
    std::uint64_t n;
    double d, p;
  };
  for (const Row& row : std::vector<Row>{{20, 0.1, 0.976255094592155},
                                         {20, 0.3, 0.04306706665851623},
                                         {100, 0.05, 0.9532159710635725},
                                         {100, 0.12, 0.10330374901819939},
                                         {140, 0.1, 0.11353657290090946},
                                         {200, 0.1, 0.0341100707814884},
                                         {256, 0.05, 0.5276698480398878},
                                         {256, 0.08, 0.07143736463616707}})
    BOOST_TEST(std::abs(ks_p_value(row.n, row.d) - row.p) < tolerance::ks_exact);
  BOOST_TEST(ks_p_value(100, 0.4) / 5.947617451361663e-15 == 1.0, tt::tolerance(tolerance::ks_far_tail));
  BOOST_TEST(ks_p_value(140, 0.5) / 6.869300438276986e-33 == 1.0, tt::tolerance(tolerance::ks_far_tail));
}

BOOST_AUTO_TEST_CASE(large_samples_agree_with_scipy) {
  // scipy.stats.kstwo.sf(d, n).
  struct Row {
    double n, d, p;
  };
  for (const Row& row : std::vector<Row>{{1000, 0.0158114, 0.960561363981941},
                                         {1000, 0.0316228, 0.2644084608105619},
                                         {1000, 0.043007, 0.04805283521836845},
                                         {100000, 0.00252982, 0.5432872454292486},
                                         {1000000, 0.0012, 0.11215991901443556}})
    BOOST_TEST(std::abs(ks_p_value(static_cast<std::uint64_t>(row.n), row.d) - row.p) <
               tolerance::ks_corrected(row.n));
  BOOST_TEST(ks_p_value(1000, 0.0505964) / 0.011534925064004114 == 1.0,
             tt::tolerance(tolerance::ks_near_tail));
  BOOST_TEST(ks_p_value(1000, 0.0948683) / 2.7683921295601217e-08 == 1.0,
             tt::tolerance(tolerance::ks_near_tail));
  BOOST_TEST(ks_p_value(100000, 0.00790569) / 7.4131426992928364e-06 == 1.0,
             tt::tolerance(tolerance::ks_near_tail));
}

BOOST_AUTO_TEST_CASE(methods_meet_where_they_change) {
  // At n d² = 5 (exact to tail), at n = 256 to 257 (exact to corrected), at n = 2^17 (tail to corrected).
  const double d = std::sqrt(5 / 200.0);
  BOOST_TEST(ks_p_value(200, d * (1 - 1e-9)) == ks_p_value(200, d * (1 + 1e-9)), tt::tolerance(1e-6));
  for (const double x : {0.3, 0.6, 0.8, 1.0, 1.2, 1.35}) {
    const double jump = ks_p_value(257, x / std::sqrt(257)) - ks_p_value(256, x / 16);
    BOOST_TEST(std::abs(jump) < 2 * tolerance::ks_corrected(257));
  }
  const std::uint64_t n = std::uint64_t{1} << 17;
  const double far = 2 / std::sqrt(static_cast<double>(n));
  BOOST_TEST(ks_p_value(n, far) == ks_p_value(n + 1, far), tt::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(limit_law_agrees_with_scipy) {
  // scipy.special.kolmogorov(x).
  for (const auto& [x, p] : std::vector<std::pair<double, double>>{{0.05, 1},
                                                                   {0.3, 0.9999906941986655},
                                                                   {0.5, 0.9639452436648751},
                                                                   {0.9, 0.3927307079406543},
                                                                   {0.999999, 0.27000074362745646},
                                                                   {1.0, 0.26999967167735456},
                                                                   {1.36, 0.049485876755377876},
                                                                   {2, 0.0006709252557796953},
                                                                   {5, 3.8574996959278356e-22},
                                                                   {15, 7.387766136974512e-196}})
    BOOST_TEST(kolmogorov_p(x) / p == 1.0, tt::tolerance(tolerance::ks_exact));
}

BOOST_AUTO_TEST_CASE(two_sample_law_agrees_with_every_arrangement) {
  // All 792 ways in which 5 and 7 values can interleave, each distance counted.
  const std::size_t n = 5, m = 7;
  std::vector<int> owner(n + m, 0);
  std::fill(owner.begin() + n, owner.end(), 1);
  std::vector<double> distances;
  do {
    std::vector<double> a, b;
    for (std::size_t i = 0; i < n + m; ++i) (owner[i] == 0 ? a : b).push_back(static_cast<double>(i));
    distances.push_back(ks_statistic(a, b));
  } while (std::next_permutation(owner.begin(), owner.end()));
  BOOST_TEST(distances.size() == 792U);
  for (const double d : {1 / 7.0, 0.2, 11 / 35.0, 16 / 35.0, 0.5, 0.6, 5 / 7.0, 1.0}) {
    const auto reached =
        std::count_if(distances.begin(), distances.end(), [d](double x) { return x >= d - 1e-12; });
    BOOST_TEST(ks_p_value(n, m, d) == static_cast<double>(reached) / 792, tt::tolerance(tolerance::ks_exact));
  }
  BOOST_TEST(ks_p_value(n, m, 0) == 1.0);
}

BOOST_AUTO_TEST_CASE(a_distance_keeps_its_step_through_rounding) {
  // Each s/182 times 182 is a little more than s in double, and s is a distance that 13 and 14 values can
  // have.
  for (const int s : {25, 47, 50}) {
    const double d = s / 182.0;
    BOOST_REQUIRE(d * 182 > s);
    BOOST_TEST(ks_p_value(13, 14, d) == ks_p_value(13, 14, d * (1 - 1e-9)));
    BOOST_TEST(ks_p_value(13, 14, d) > ks_p_value(13, 14, d * (1 + 1e-6)));
  }
}

BOOST_AUTO_TEST_CASE(two_sample_law_agrees_with_scipy) {
  // ks_2samp(method="exact") of 300 and 250 values; beyond n m = 10^7 kstwo.sf(d, 6667).
  BOOST_TEST(ks_p_value(300, 250, 0.15533333333333332) / 0.0024512807612022945 == 1.0,
             tt::tolerance(tolerance::ks_far_tail));
  BOOST_TEST(ks_p_value(300, 250, 0.6553333333333333) / 7.081384536691533e-56 == 1.0,
             tt::tolerance(tolerance::ks_far_tail));
  BOOST_TEST(std::abs(ks_p_value(20000, 10000, 0.01205) - 0.2853760691697884) <
             tolerance::ks_corrected(6667));
}

BOOST_AUTO_TEST_CASE(p_values_are_uniform_when_nothing_is_wrong) {
  // Sample sizes for each method; the p-values are themselves tested, each false alarm 1e-6. That test is
  // itself the function under test, whose values the cases above fix.
  for (const auto& [n, seeds] :
       std::vector<std::pair<std::size_t, std::size_t>>{{5, 4000}, {60, 2000}, {400, 2000}}) {
    std::vector<double> p_values;
    for (std::size_t seed = 0; seed < seeds; ++seed)
      p_values.push_back(
          ks_p_value(n, ks_statistic(support::uniforms(7919 * n + seed * 100003, n), uniform)));
    BOOST_TEST(ks_p_value(seeds, ks_statistic(p_values, uniform)) > tolerance::uniformity_p);
  }
}

BOOST_AUTO_TEST_CASE(p_values_are_small_when_something_is) {
  std::vector<double> values = support::uniforms(3, 1000);
  for (double& value : values) value = std::pow(value, 1.3);
  const double d = ks_statistic(values, uniform);
  BOOST_TEST(ks_p_value(1000, d) < 1e-4);
  BOOST_TEST(ks_p_value(1000, 1000, ks_statistic(values, support::uniforms(4, 1000))) < 1e-3);
}

BOOST_AUTO_TEST_CASE(refusals) {
  using support::says;
  const std::vector<double> none, nan{1, NAN}, some{0.5};
  BOOST_CHECK_EXCEPTION(ks_statistic(none, uniform), Error, says("ks_statistic: the sample is empty"));
  BOOST_CHECK_EXCEPTION(ks_statistic(some, none), Error, says("ks_statistic: the sample is empty"));
  BOOST_CHECK_EXCEPTION(ks_statistic(nan, uniform), Error, says("ks_statistic: value 1 is NaN"));
  BOOST_CHECK_EXCEPTION(ks_statistic(nan, some), Error, says("ks_statistic: value 1 is NaN"));
  const Cdf wrong = [](double x) { return x + 1; };
  BOOST_CHECK_EXCEPTION(ks_statistic(some, wrong), Error,
                        says("ks_statistic: the cdf is 1.5 at 0.5, expected 0 … 1"));
  BOOST_CHECK_EXCEPTION(ks_statistic(some, [](double) { return NAN; }), Error,
                        says("ks_statistic: the cdf is nan at 0.5, expected 0 … 1"));
  BOOST_CHECK_EXCEPTION(ks_statistic(Histogram(0, 1, 2), uniform), Error,
                        says("histogram: the distribution function of no values"));
  BOOST_CHECK_EXCEPTION(ks_p_value(0, 0.5), Error,
                        says("ks_p_value: distance 0.5 of 0 values, expected 0 … 1 and at least one value"));
  BOOST_CHECK_EXCEPTION(ks_p_value(3, 1.5), Error,
                        says("ks_p_value: distance 1.5 of 3 values, expected 0 … 1 and at least one value"));
  BOOST_CHECK_THROW(ks_p_value(3, NAN), Error);
  const std::string expected = ", expected 0 … 1 and at least one value each";
  BOOST_CHECK_EXCEPTION(ks_p_value(3, 0, 0.5), Error,
                        says("ks_p_value: distance 0.5 of samples of 3 and 0" + expected));
  BOOST_CHECK_EXCEPTION(ks_p_value(3, 4, -0.5), Error,
                        says("ks_p_value: distance -0.5 of samples of 3 and 4" + expected));
  BOOST_CHECK_EXCEPTION(kolmogorov_p(-1), Error, says("kolmogorov_p: argument -1, expected 0 or more"));
}

BOOST_AUTO_TEST_SUITE_END()
