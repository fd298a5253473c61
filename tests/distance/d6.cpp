// What claim D6 must find whatever the machine: theorems, and numbers known from elsewhere.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/scores.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/scores.hpp"
#include "studies/distance/spreads.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d6)

BOOST_AUTO_TEST_CASE(the_lag_is_all_where_the_theorem_says) {
  // R² loses (rounding of a score)² only: 1e-20 of the variance, far below the last bit of 1.
  for (const char* id : {"sinusoidal.identity", "sinusoidal.commutant", "none.rotary_same"})
    BOOST_TEST(finding(std::string("D6.r2.") + id + ".d512").value > 1 - tolerance::share_of_one, id);
  const Table& nullities = table("d6_nullity.csv");
  for (std::size_t i = 0; i < nullities.rows.size(); ++i)
    BOOST_TEST(nullities.number(i, "dimension") == nullities.number(i, "theory"));
}

BOOST_AUTO_TEST_CASE(known_numbers_of_gpt2_shape) {
  // Over 1,500 draws of 768 x 64 weights: .081, standard deviation .055. With Q = K: .550.
  const Finding& found = finding("D6.r2.sinusoidal.heads.rank64.d768");
  BOOST_TEST(std::abs(found.value - 0.081) <
             tolerance::five_sigma(0.055 / std::sqrt(static_cast<double>(found.n))));
  // The ratio of expectations is not the mean ratio; they are known to lie within .01 of each other here.
  BOOST_TEST(std::abs(theory::expected_for_random(sinusoid_kernel(512, 768)).share() - 0.081) <
             tolerance::expected_r2);
  BOOST_TEST(std::abs(theory::expected_for_tied(sinusoid_kernel(512, 768), 64).share() - 0.550) <
             tolerance::expected_r2);
}

BOOST_AUTO_TEST_CASE(what_hides_the_lag_and_its_sign) {
  const Table& means = table("d6_r2.csv");
  for (std::size_t i = 0; i < means.rows.size(); ++i) {
    const std::string positions = to_text(means.at(i, "encoding")), matrix = to_text(means.at(i, "matrix"));
    // Symmetric scores do not tell before from after. In float32: the square of 2^-24 times a small factor.
    if (matrix == "identity" || matrix == "tied") BOOST_TEST(means.number(i, "odd") < tolerance::plain_sum);
    // One draw's R² spreads by .0002 (measured), the mean of six by half of that: ten standard errors.
    if (matrix == "rotary_own" || matrix == "iid" || (positions == "random" && matrix != "identity"))
      BOOST_TEST(std::abs(means.number(i, "r2") - means.number(i, "null")) < 0.001, positions << matrix);
  }
  // iid positions know lag 0: their diagonal has d/(d + L) of the variance.
  BOOST_TEST(std::abs(finding("D6.r2.random.identity.d512").value - 0.5) < 0.01);
}

BOOST_AUTO_TEST_CASE(expected_variances_by_brute_force) {
  // ‖A_k‖² and <A_k, A_kᵀ> from the matrices themselves.
  const std::size_t length = 12, d = 8;
  const Matrix<double> p = sinusoidal<double>(length, d);
  double constant = 0, random = 0, tied = 0, squares = 0;
  for (const double m : column_means(p)) constant += m * m;
  constant *= constant;
  const double rank = 3, entries = static_cast<double>(length * length);
  for (int k = 1 - static_cast<int>(length); k < static_cast<int>(length); ++k) {
    Matrix<double> a = zeros<double>(d, d);
    double n = 0, product = 0, norm = 0, transposed = 0;
    for (std::size_t t = 0; t < length; ++t) {
      const std::size_t s = t + static_cast<std::size_t>(k);  // beyond the end for one before the start, too
      if (s >= length) continue;
      ++n;
      for (std::size_t i = 0; i < d; ++i) {
        product += p(t, i) * p(s, i);
        for (std::size_t j = 0; j < d; ++j) a(i, j) += p(t, i) * p(s, j);
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
  const theory::ExpectedScores one = theory::expected_for_random(sinusoid_kernel(length, d)),
                               two = theory::expected_for_tied(sinusoid_kernel(length, d), 3);
  const double full = static_cast<double>(d) * static_cast<double>(d) / 4;
  BOOST_TEST(std::abs(one.by_lag - (random - constant)) < tolerance::plain_sum * full);
  BOOST_TEST(std::abs(one.all - (full - constant)) < tolerance::plain_sum * full);
  const double both = (rank * rank + 2 * rank) * constant;
  BOOST_TEST(std::abs(two.by_lag - (rank * rank * squares + tied - both)) < 10 * tolerance::plain_sum * full);
  BOOST_TEST(std::abs(two.all - ((rank * rank + rank) * squares + rank * full - both)) <
             10 * tolerance::plain_sum * full);
}

BOOST_AUTO_TEST_CASE(unknown_matrix_is_refused) {
  const ScoreCase c{"none", "other", 0, 4, 4};
  check_refusal([&] { score_factors<double>(c, zeros<double>(4, 4), Streams{1, "a", "b"}, 0); }, "'other'");
}

BOOST_AUTO_TEST_SUITE_END()
