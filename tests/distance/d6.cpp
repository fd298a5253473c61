// What claim D6 must find whatever the machine: theorems, and numbers known from elsewhere.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_expected.hpp"
#include "studies/distance/d6_ratio.hpp"
#include "studies/distance/d6_scores.hpp"
#include "tests/distance/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

std::vector<double> kernel(std::size_t length, std::size_t d) {
  std::vector<double> g;
  for (std::size_t k = 0; k < length; ++k)
    g.push_back(theory::kernel_exact(d, usual_base, static_cast<double>(k)));
  return g;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d6)

BOOST_AUTO_TEST_CASE(the_lag_is_all_where_the_theorem_says) {
  // R² loses (rounding of a score)² only: 1e-20 of the variance, far below the last bit of 1.
  for (const char* id :
       {"sinusoidal.identity", "sinusoidal.commutant", "none.rotary_same", "random_fourier.identity"})
    BOOST_TEST(finding(std::string("D6.r2.") + id + ".d512").value > 1 - tolerance::share_of_one, id);
  BOOST_TEST(finding("D6.nullity_departure.shift").value == 0);
  BOOST_TEST(finding("D6.nullity_departure.few").value == 0);
}

BOOST_AUTO_TEST_CASE(symmetric_scores_do_not_tell_before_from_after) {
  // Float scores: odd part squared of (2^-24)² times a small factor.
  for (const char* id : {"sinusoidal.identity", "sinusoidal.tied.rank16", "sinusoidal.tied.rank64"})
    BOOST_TEST(finding(std::string("D6.odd.") + id + ".d512").value < tolerance::plain_sum, id);
  BOOST_TEST(finding("D6.odd.sinusoidal.commutant.d512").value > 0.1);
  BOOST_TEST(finding("D6.odd.sinusoidal.heads.rank64.d512").value > 0.1);
}

BOOST_AUTO_TEST_CASE(known_numbers_of_gpt2_shape) {
  // Over 1,500 draws of 768 x 64 weights: .081 and .550, standard deviations .055 and .060; twelve draws
  // here, so that five standard errors are .079 and .087.
  const double draws = 12;
  BOOST_TEST(finding("D6.r2.sinusoidal.heads.rank64.d768").n == draws);
  BOOST_TEST(std::abs(finding("D6.r2.sinusoidal.heads.rank64.d768").value - 0.081) <
             5 * 0.055 / std::sqrt(draws));
  BOOST_TEST(std::abs(finding("D6.r2.sinusoidal.tied.rank64.d768").value - 0.550) <
             5 * 0.060 / std::sqrt(draws));
  // The ratio of expectations is not the mean ratio; they are known to lie within .01 of each other here.
  BOOST_TEST(std::abs(expected_for_random(kernel(512, 768)).share() - 0.081) < tolerance::expected_r2);
  BOOST_TEST(std::abs(expected_for_tied(kernel(512, 768), 64).share() - 0.550) < tolerance::expected_r2);
}

BOOST_AUTO_TEST_CASE(contents_hide_the_lag_down_to_chance) {
  // One draw's R² spreads by .0002 (measured), the mean of six by half of that: ten standard errors.
  for (const char* id : {"none.rotary_own", "none.iid", "random.gaussian", "random.heads.rank64"})
    BOOST_TEST(
        std::abs(finding(std::string("D6.r2.") + id + ".d512").value - theory::toeplitz_null(512)) < 0.001,
        id);
  // iid positions know lag 0: their diagonal has d/(d + L) of the variance.
  BOOST_TEST(std::abs(finding("D6.r2.random.identity.d512").value - 0.5) < 0.01);
}

BOOST_AUTO_TEST_CASE(verdict_is_conditional) {
  BOOST_REQUIRE(results_of("D6").claims.size() == 1u);
  BOOST_TEST((results_of("D6").claims.front().verdict == Verdict::conditional));
  // The sentence says the numbers that it names.
  const std::string& condition = results_of("D6").claims.front().condition;
  for (const std::string& part :
       {fmt::format("explains {:.0f} % of the scores' variance",
                    100 * value("D6.r2.sinusoidal.heads.rank64.d512")),
        fmt::format("per position {:.1f} %", 100 * value("D6.r2.none.rotary_own.d512")),
        fmt::format("against {:.1f} % by chance", 100 * theory::toeplitz_null(512))})
    BOOST_TEST(contains(condition, part), condition << " lacks " << part);
}

BOOST_AUTO_TEST_CASE(expected_variances_by_brute_force) {
  // ‖A_k‖² and <A_k, A_kᵀ> from the matrices themselves.
  const std::size_t length = 12, d = 8;
  const Matrix<double> p = sinusoidal<double>(length, d);
  std::vector<double> mean(d, 0.0);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < d; ++i) mean[i] += p(t, i) / static_cast<double>(length);
  double constant = 0, random = 0, tied = 0, squares = 0;
  for (const double m : mean) constant += m * m;
  constant *= constant;
  const double rank = 3, entries = static_cast<double>(length * length);
  for (int k = 1 - static_cast<int>(length); k < static_cast<int>(length); ++k) {
    Matrix<double> a = zeros<double>(d, d);
    double n = 0, product = 0, norm = 0, transposed = 0;
    for (int t = 0; t < static_cast<int>(length); ++t) {
      if (t + k < 0 || t + k >= static_cast<int>(length)) continue;
      ++n;
      for (std::size_t i = 0; i < d; ++i) {
        product += p(static_cast<std::size_t>(t), i) * p(static_cast<std::size_t>(t + k), i);
        for (std::size_t j = 0; j < d; ++j)
          a(i, j) += p(static_cast<std::size_t>(t), i) * p(static_cast<std::size_t>(t + k), j);
      }
    }
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        norm += a(i, j) * a(i, j) / (n * n);
        transposed += a(i, j) * a(j, i) / (n * n);
      }
    random += n * norm / entries;
    squares += product * product / n / entries;
    tied += n * (rank * norm + rank * transposed) / entries;
  }
  const ExpectedScores one = expected_for_random(kernel(length, d)),
                       two = expected_for_tied(kernel(length, d), 3);
  const double full = static_cast<double>(d) * static_cast<double>(d) / 4;
  BOOST_TEST(std::abs(one.by_lag - (random - constant)) < tolerance::plain_sum * full);
  BOOST_TEST(std::abs(one.all - (full - constant)) < tolerance::plain_sum * full);
  const double both = (rank * rank + 2 * rank) * constant;
  BOOST_TEST(std::abs(two.by_lag - (rank * rank * squares + tied - both)) < 10 * tolerance::plain_sum * full);
  BOOST_TEST(std::abs(two.all - ((rank * rank + rank) * squares + rank * full - both)) <
             10 * tolerance::plain_sum * full);
}

BOOST_AUTO_TEST_CASE(pooled_ratio_is_exact_for_a_fixed_share) {
  const std::vector<double> parts{1, 2, 3}, wholes{4, 8, 12}, one{1}, two{2};
  const PooledRatio ratio = pooled_ratio(parts, wholes, 0.99);
  BOOST_TEST(ratio.value == 0.25);
  BOOST_TEST(ratio.low == 0.25);
  BOOST_TEST(ratio.high == 0.25);
  BOOST_TEST(std::isnan(pooled_ratio(one, two, 0.99).low));
  BOOST_TEST(
      test::contains(test::message_of([&] { pooled_ratio(parts, one, 0.99); }), "3 parts of 1 wholes"));
}

BOOST_AUTO_TEST_CASE(unknown_matrix_is_refused) {
  const ScoreCase c{"none", "other", 0, 4, 4};
  BOOST_TEST(test::contains(test::message_of([&] {
                              score_factors<double>(c, zeros<double>(4, 4), Streams{1, "a", "b"}, 0);
                            }),
                            "'other'"));
}

BOOST_AUTO_TEST_SUITE_END()
