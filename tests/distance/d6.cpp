// What claim D6 must find whatever the machine: theorems, and numbers known from elsewhere.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/theory/scores.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/scores.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d6)

BOOST_AUTO_TEST_CASE(known_numbers_of_gpt2_shape) {
  // Over 1,500 draws of 768 x 64 weights: .081. With Q = K: .550. The ratio of expectations is not the mean
  // ratio; they are known to lie within .01 of each other here.
  BOOST_TEST(std::abs(theory::expected_for_random(sinusoid_kernel(512, 768)).share() - 0.081) <
             tolerance::expected_r2);
  BOOST_TEST(std::abs(theory::expected_for_tied(sinusoid_kernel(512, 768), 64).share() - 0.550) <
             tolerance::expected_r2);
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
