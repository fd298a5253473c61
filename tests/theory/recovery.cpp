// How often the nearest word is right: against published digits, closed cases, and simulation of the
// definition.

#include "perp/theory/recovery.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/sphere.hpp"
#include "perp/theory/cosine.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::theory;
using perp::test::check_refusal;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

/// Share of `trials` in which word 0 of `words` new ones is the nearest to itself plus a fixed vector of
/// length `ratio` word lengths plus noise: by the definition, in double, nothing shared between trials.
double simulated(std::size_t d, std::size_t words, double ratio, double noise, std::size_t trials) {
  std::size_t right = 0;
  Matrix<float> table = matrix<float>(words, d);
  std::vector<double> y(d), g(d);
  for (std::size_t i = 0; i < trials; ++i) {
    const Stream s = stream(7, "tests", "recovery", i, "words");
    fill_sphere(s, table);
    fill_normal(stream(7, "tests", "recovery", i, "noise"), std::span<double>(g));
    for (std::size_t j = 0; j < d; ++j) y[j] = table(0, j) + noise * g[j];
    y[0] += ratio;
    double best = -1e300;
    std::size_t found = 0;
    for (std::size_t v = 0; v < words; ++v) {
      double score = 0;
      for (std::size_t j = 0; j < d; ++j)
        score += y[j] * static_cast<double>(table(v, j)) -
                 static_cast<double>(table(v, j)) * static_cast<double>(table(v, j)) / 2;
      if (score > best) {
        best = score;
        found = v;
      }
    }
    right += found == 0;
  }
  return static_cast<double>(right) / static_cast<double>(trials);
}

void check_against_simulation(double line, std::size_t d, std::size_t words, double ratio, double noise) {
  constexpr std::size_t trials = 8000;
  const double share = simulated(d, words, ratio, noise, trials);
  BOOST_TEST(std::abs(share - line) < tolerance::hit_share(line, trials),
             "d " << d << ", V " << words << ", ratio " << ratio << ", noise " << noise << ": " << share
                  << " against " << line);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_recovery)

BOOST_AUTO_TEST_CASE(known_values) {
  BOOST_TEST(std::abs(recovered(300, 1000, 4) - 0.8397) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(recovered(300, 1000, 5) - 0.5712) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(recovered(64, 1000, 2) - 0.706) < tolerance::rounded(1e-3));
}

BOOST_AUTO_TEST_CASE(closed_cases) {
  for (const std::size_t d : {2U, 3U, 64U, 1024U}) {
    BOOST_TEST(recovered(d, 1, 3) == 1.0);
    BOOST_TEST(recovered(d, 500, 0) == 1.0);
    BOOST_TEST(recovered_in_noise(d, 500, 2, 0) == recovered(d, 500, 2));
    // Nothing but the position is left: every word is as near as any other.
    BOOST_TEST(std::abs(recovered(d, 50, 1e10) - 1.0 / 50) < tolerance::recovered);
  }
  // d = 2, V = 2, ratio 1: the sum halves the angle between word and position, uniform on 0 … π, and the
  // other word is farther than half of it from the sum: 1 - E(angle/2)/π = 3/4.
  BOOST_TEST(std::abs(recovered(2, 2, 1) - 0.75) < tolerance::recovered);
  // d = 3: cosines are uniform, F(m) = (1 + m)/2, and at ratio 1 m = √((1 + c)/2): ½ + ½ E m = ½ + ⅓.
  BOOST_TEST(std::abs(recovered(3, 2, 1) - (0.5 + 1.0 / 3)) < tolerance::recovered);
}

BOOST_AUTO_TEST_CASE(falls_with_size_and_words_and_rises_with_dimension) {
  for (double ratio = 0.5; ratio < 16; ratio *= 1.5) {
    BOOST_TEST(recovered(64, 1000, ratio) >= recovered(64, 1000, 1.5 * ratio));
    BOOST_TEST(recovered(64, 1000, ratio) >= recovered(64, 5000, ratio));
    BOOST_TEST(recovered(128, 1000, ratio) >= recovered(64, 1000, ratio) - tolerance::recovered);
    BOOST_TEST(recovered(64, 1000, ratio) >= recovered_in_noise(64, 1000, ratio, 0.1));
  }
}

BOOST_AUTO_TEST_CASE(lines_against_simulation) {
  check_against_simulation(recovered(16, 50, 1.5), 16, 50, 1.5, 0);
  check_against_simulation(recovered(3, 20, 0.5), 3, 20, 0.5, 0);
  check_against_simulation(recovered_in_noise(16, 50, 1, 0.3), 16, 50, 1, 0.3);
  check_against_simulation(recovered_in_noise(16, 50, 0, 0.5), 16, 50, 0, 0.5);
}

BOOST_AUTO_TEST_CASE(faint_noise_adds_its_power) {
  // At noise far below ρ/√d the random length hardly varies: √(ρ² + d n²).
  for (const double noise : {1e-3, 3e-3})
    BOOST_TEST(std::abs(recovered_in_noise(300, 1000, 4, noise) -
                        recovered(300, 1000, std::sqrt(16 + 300 * noise * noise))) < 1e-5);
}

BOOST_AUTO_TEST_CASE(knee_and_half) {
  for (const std::size_t d : {64U, 128U, 512U, 1024U})
    for (const double words : {1000.0, 5000.0, 50000.0}) {
      const double knee = recovery_knee(d, words), half = recovery_ratio(d, words, 0.5);
      BOOST_TEST(std::abs(knee - std::sqrt(static_cast<double>(d) / (2 * std::log(words)))) < 1e-12);
      BOOST_TEST(std::abs(recovered(d, words, half) - 0.5) < 1e-6);
      BOOST_TEST(knee < half);
      BOOST_TEST(half < 1.2 * knee);
    }
  // Unit embeddings without √d: the sinusoid's √(d/2) is √(ln V) knees, at every width.
  for (const std::size_t d : {384U, 512U, 768U, 1024U})
    BOOST_TEST(std::abs(std::sqrt(static_cast<double>(d) / 2) / recovery_knee(d, 5000) -
                        std::sqrt(std::log(5000.0))) < 1e-12);
}

/// Share of the sinusoid's positions that are the nearest row to a uniform direction plus themselves: by the
/// definition.
double simulated_sinusoid(std::size_t d, std::size_t positions, double base, double ratio,
                          std::size_t trials) {
  const double scale = ratio / std::sqrt(static_cast<double>(d) / 2);
  Matrix<double> table = matrix<double>(positions, d);
  for (std::size_t t = 0; t < positions; ++t)
    for (std::size_t i = 0; i < d; i += 2) {
      const double angle =
          static_cast<double>(t) * std::pow(base, -static_cast<double>(i) / static_cast<double>(d));
      table(t, i) = scale * std::sin(angle);
      table(t, i + 1) = scale * std::cos(angle);
    }
  std::size_t right = 0;
  Matrix<float> words = matrix<float>(trials, d);
  fill_sphere(stream(7, "tests", "recovery", positions, "sinusoid"), words);
  for (std::size_t i = 0; i < trials; ++i) {
    const std::size_t t = i % positions;
    double best = -1e300;
    std::size_t found = 0;
    for (std::size_t s = 0; s < positions; ++s) {
      double score = 0;
      for (std::size_t j = 0; j < d; ++j)
        score += (table(t, j) + static_cast<double>(words(i, j))) * table(s, j);
      if (score > best) best = score, found = s;
    }
    right += found == t;
  }
  return static_cast<double>(right) / static_cast<double>(trials);
}

BOOST_AUTO_TEST_CASE(sinusoidal_positions_lie_between_their_bounds) {
  constexpr std::size_t trials = 32 * 250;
  for (const double ratio : {0.3, 0.7, 1.0, 2.0})
    for (const std::size_t d : {16U, 64U}) {
      const RecoveryBounds bounds = sinusoid_recovered(d, 32, 10000, ratio);
      const double share = simulated_sinusoid(d, 32, 10000, ratio, trials);
      BOOST_TEST((bounds.low - tolerance::hit_share(bounds.low, trials) < share &&
                  share < bounds.high + tolerance::hit_share(bounds.high, trials)),
                 "d " << d << ", ratio " << ratio << ": " << share << " outside " << bounds.low << " to "
                      << bounds.high);
    }
  const RecoveryBounds usual = sinusoid_recovered(512, 512, 10000, std::numbers::sqrt2 / 2);
  BOOST_TEST(std::abs(usual.low - 0.9364) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(usual.high - 0.9369) < tolerance::rounded(1e-4));
  // Where both neighbours may be nearer: by instruments.js, a program of its own.
  BOOST_TEST(std::abs(sinusoid_recovered(512, 512, 10000, 0.2).high - 0.4662) < tolerance::rounded(1e-4));
  const RecoveryBounds one = sinusoid_recovered(64, 1, 10000, 1),
                       none = sinusoid_recovered(64, 100, 10000, 0);
  BOOST_TEST((one.low == 1 && one.high == 1));
  BOOST_TEST((none.low == 0 && none.high < 0.51));  // every row is as near as any other
}

BOOST_AUTO_TEST_CASE(eigenfunctions) {
  BOOST_TEST(eigenfunction_r2(0, 1, 0) == 0.0);
  BOOST_TEST(eigenfunction_r2(2, 0, 0) == 1.0);
  BOOST_TEST(eigenfunction_r2(3, 0.5, 0.5) == 0.75);
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { recovered(1, 10, 1); }, "dimension 1 given, expected 2");
  check_refusal([] { recovered(8, 0.5, 1); }, "0.5 words given, expected at least 1");
  check_refusal([] { recovered(8, nan_, 1); }, "nan words given");
  check_refusal([] { recovered(8, 10, -1); }, "a ratio of -1 given, expected 0 or more");
  check_refusal([] { recovered(8, 10, nan_); }, "a ratio of nan given");
  check_refusal([] { recovered_in_noise(8, 10, 1, -2); }, "noise of -2 given, expected 0 or more");
  check_refusal([] { recovery_knee(8, 1); }, "1 words given, expected more than 1");
  check_refusal([] { recovery_ratio(8, 10, 0.05); }, "a share of 0.05 among 10 words given");
  check_refusal([] { recovery_ratio(8, 10, 1); }, "a share of 1 among 10 words given");
  check_refusal([] { sinusoid_recovered(64, 0, 10000, 1); }, "0 positions given");
  check_refusal([] { sinusoid_recovered(63, 8, 10000, 1); }, "dimension 63 given, expected an even number");
  check_refusal([] { sinusoid_recovered(64, 8, 10000, -1); }, "a ratio of -1 given, expected 0 or more");
  check_refusal([] { eigenfunction_r2(0, 0, 0); }, "variances 0, 0 and 0 given");
  check_refusal([] { eigenfunction_r2(-1, 2, 0); }, "variances -1, 2 and 0 given");
}

BOOST_AUTO_TEST_SUITE_END()
