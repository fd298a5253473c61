// Moments of the sinusoid's columns against sums in long double; a word from some of its dimensions against
// the case of two words, in closed form, and against draws.

#include "perp/theory/columns.hpp"

#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "perp/theory/distance.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
namespace tolerance = perp::tolerance;

namespace {

ColumnMoments by_sums(std::size_t length, double omega, bool cosine) {
  long double mean = 0, variance = 0;
  const auto entry = [&](std::size_t t) {
    const long double angle = static_cast<long double>(omega) * static_cast<long double>(t);
    return cosine ? std::cos(angle) : std::sin(angle);
  };
  for (std::size_t t = 0; t < length; ++t) mean += entry(t);
  mean /= static_cast<long double>(length);
  for (std::size_t t = 0; t < length; ++t) variance += (entry(t) - mean) * (entry(t) - mean);
  return {static_cast<double>(mean), static_cast<double>(variance / static_cast<long double>(length))};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_columns)

BOOST_AUTO_TEST_CASE(moments_are_sums) {
  for (const std::size_t length : {1U, 2U, 7U, 64U, 512U, 5000U})
    for (const double omega : {0.0, 1e-4, 0.003, 0.1, 0.7, 1.0, 2.5, 3.141592653589793, 5.9}) {
      const double bound = tolerance::column_moment(length);
      const ColumnMoments sine = sine_column(length, omega), cosine = cosine_column(length, omega);
      const ColumnMoments s = by_sums(length, omega, false), c = by_sums(length, omega, true);
      BOOST_TEST(std::abs(sine.mean - s.mean) < bound, length << " " << omega);
      BOOST_TEST(std::abs(sine.variance - s.variance) < bound, length << " " << omega);
      BOOST_TEST(std::abs(cosine.mean - c.mean) < bound, length << " " << omega);
      BOOST_TEST(std::abs(cosine.variance - c.variance) < bound, length << " " << omega);
      BOOST_TEST(sine.variance >= 0);
      BOOST_TEST(std::abs(sine.mean_square() + cosine.mean_square() - 1) < bound);
    }
}

BOOST_AUTO_TEST_CASE(slow_columns_are_a_slope_and_a_constant) {
  const double turned = 0.02;  // ωL; next terms are (ωL)² relative, and 1/L from sums instead of integrals
  const std::size_t length = 4000;
  const double omega = turned / static_cast<double>(length);
  const double sine = sine_column(length, omega).variance, cosine = cosine_column(length, omega).variance;
  BOOST_TEST(std::abs(sine / (turned * turned / 12) - 1) < 1e-3);
  BOOST_TEST(std::abs(cosine / (std::pow(turned, 4) / 45) - 1) < 2e-3);
  BOOST_TEST(1 - cosine_column(length, omega).mean < turned * turned / 6 * 1.001);
}

BOOST_AUTO_TEST_CASE(dirichlet_and_overlap_agree) {
  for (const double omega : {0.001, 0.05, 0.9, 3.0})
    BOOST_TEST(std::abs(std::abs(dirichlet_mean(300, omega)) - frequency_overlap(300, omega)) < 1e-14);
  BOOST_TEST(dirichlet_mean(300, 0) == 1);
}

BOOST_AUTO_TEST_CASE(constant_shares) {
  // Known: 62 % of the sinusoid's power at d = 32, L = 64 carries no position.
  BOOST_TEST(std::abs(constant_share(64, 32, 0, 32, 1e4) - 0.62) < tolerance::rounded(0.01));
  double constant = 0;
  for (std::size_t j = 0; j < 32; ++j)
    constant += std::pow(by_sums(64, std::pow(1e4, -2.0 * static_cast<double>(j / 2) / 32), j % 2).mean, 2);
  BOOST_TEST(std::abs(constant_share(64, 32, 0, 32, 1e4) - constant / 16) < 1e-13);
  BOOST_TEST(constant_share(1, 32, 0, 32, 1e4) == 1);  // one position: nothing varies
  BOOST_TEST(constant_share(512, 512, 0, 128, 1e4) < constant_share(512, 512, 384, 512, 1e4));
}

BOOST_AUTO_TEST_CASE(two_words_in_closed_form) {
  // x + z - x_v ~ N(z, 2I): the other word is nearer with the chance F'_k(s/2; s/2).
  for (const std::size_t k : {4U, 8U, 64U, 300U})
    for (const double s : {0.01, 1.0, 30.0, 400.0}) {
      const boost::math::non_central_chi_squared law(static_cast<double>(k), s / 2);
      const double line = word_from_dimensions(k, 2, s), exact = 1 - boost::math::cdf(law, s / 2);
      BOOST_TEST(std::abs(line - exact) < (k < 6 ? 1e-6 : tolerance::word_from_dimensions),
                 k << " " << s << ": " << line - exact);
    }
}

BOOST_AUTO_TEST_CASE(words_by_draws) {
  constexpr std::size_t k = 12, words = 40, trials = 20000;
  constexpr double s = 10;
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::size_t right = 0;
  for (std::size_t i = 0; i < trials; ++i) {
    std::vector<double> y(k);
    for (double& value : y) value = normal(engine);
    y[0] += std::sqrt(s);
    bool nearest = true;
    for (std::size_t v = 1; v < words; ++v) {
      double distance = 0;
      for (std::size_t j = 0; j < k; ++j) distance += std::pow(y[j] - normal(engine), 2);
      nearest = nearest && distance > s;
    }
    right += nearest;
  }
  const double line = word_from_dimensions(k, words, s), n = static_cast<double>(trials);
  BOOST_TEST(std::abs(static_cast<double>(right) / n - line) < tolerance::hit_share(line, n));
}

BOOST_AUTO_TEST_CASE(limits_of_recovery) {
  BOOST_TEST(word_from_dimensions(128, 5000, 0) == 1);
  BOOST_TEST(word_from_dimensions(128, 1, 1e4) == 1);
  BOOST_TEST(std::abs(word_from_dimensions(20, 50, 1e7) - 1.0 / 50) < 0.02);  // nothing left but chance
  double before = 1;
  for (double s = 100; s < 4000; s += 100) {
    const double now = word_from_dimensions(128, 5000, s);
    BOOST_TEST(now < before + 1e-12);
    before = now;
  }
}

BOOST_AUTO_TEST_CASE(refusals) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  check_refusal([] { sine_column(0, 0.1); }, "length 0");
  check_refusal([] { cosine_column(4, -0.1); }, "-0.1");
  check_refusal([] { cosine_column(4, nan); }, "nan");
  check_refusal([] { dirichlet_mean(4, 7); }, "7");
  check_refusal([] { sinusoid_column(4, 6, 6, 1e4); }, "columns 6:7 given of 6");
  check_refusal([] { sinusoid_column(4, 5, 0, 1e4); }, "dimension 5");
  check_refusal([] { constant_share(4, 6, 3, 3, 1e4); }, "columns 3:3");
  check_refusal([] { constant_share(4, 6, 0, 6, 1); }, "base 1");
  check_refusal([] { constant_share(1, 6, 0, 1, 1e4); }, "zero");
  check_refusal([] { word_from_dimensions(0, 5, 1); }, "0 dimensions");
  check_refusal([] { word_from_dimensions(3, 5, -1); }, "-1");
  check_refusal([] { word_from_dimensions(3, 5, nan); }, "nan");
}

BOOST_AUTO_TEST_SUITE_END()
