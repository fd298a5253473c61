// The normals' distribution: fixed seeds, exact expectations, every check with its false-alarm rate.

#include "perp/random/normal.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "perp/base/parallel.hpp"
#include "tests/tolerance.hpp"

namespace {

namespace tolerance = perp::tolerance;

constexpr std::size_t tile = 1 << 18, tiles = 800;  // 2.1e8 draws
constexpr double draws = double(tile) * double(tiles);

struct Tally {
  std::array<double, 9> powers{};       // sums of x^k
  std::array<double, 4> beyond{};       // |x| > 3, 4, 5, 6
  std::array<double, 162> histogram{};  // |x| < 5 in steps of 1/16, both tails
};

// Sixteen running sums a power: one double would both lose digits and wait for itself.
void add_powers(const std::vector<float>& x, Tally& tally) {
  std::array<std::array<double, 16>, 9> sums{};
  for (std::size_t i = 0; i < x.size(); i += 16)
    for (std::size_t j = 0; j < 16; ++j) {
      const double value = x[i + j];
      double power = 1;
      for (std::size_t k = 1; k <= 8; ++k) sums[k][j] += power *= value;
    }
  for (std::size_t k = 1; k <= 8; ++k)
    for (const double sum : sums[k]) tally.powers[k] += sum;
}

void add_tails(const std::vector<float>& x, Tally& tally) {
  for (std::size_t limit = 0; limit < 4; ++limit) {
    int count = 0;
    for (const float value : x) count += std::abs(value) > static_cast<float>(limit + 3) ? 1 : 0;
    tally.beyond[limit] += count;
  }
}

void add_histogram(const std::vector<float>& x, Tally& tally) {
  std::array<std::uint32_t, 162> counts{};
  for (const float value : x) {
    const int cell = static_cast<int>(std::floor(value * 16)) + 81;
    ++counts[static_cast<std::size_t>(std::clamp(cell, 0, 161))];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) tally.histogram[i] += counts[i];
}

Tally tallied() {
  std::vector<Tally> parts(tiles);
  const perp::Stream s = perp::stream(1, "random", "normal", 0, "tally");
  perp::parallel_for(tiles, perp::available_threads(), [&](std::size_t t) {
    std::vector<float> x(tile);
    fill_normal(s, x, t * tile);
    add_powers(x, parts[t]);
    add_tails(x, parts[t]);
    if (t < tiles / 4) add_histogram(x, parts[t]);
  });
  Tally total;
  for (const Tally& part : parts) {
    for (std::size_t k = 0; k < 9; ++k) total.powers[k] += part.powers[k];
    for (std::size_t k = 0; k < 4; ++k) total.beyond[k] += part.beyond[k];
    for (std::size_t k = 0; k < 162; ++k) total.histogram[k] += part.histogram[k];
  }
  return total;
}
const Tally& tally() {
  static const Tally result = tallied();
  return result;
}

double double_factorial(int n) { return n <= 1 ? 1 : n * double_factorial(n - 2); }
double moment(int k) { return k % 2 == 0 ? double_factorial(k - 1) : 0; }

double correlation(const std::vector<float>& x, const std::vector<float>& y, std::size_t lag, int power) {
  const double mean = moment(power), variance = moment(2 * power) - mean * mean;
  double sum = 0;
  for (std::size_t i = 0; i + lag < x.size(); ++i)
    sum += (std::pow(x[i], power) - mean) * (std::pow(y[i + lag], power) - mean);
  return sum / (variance * static_cast<double>(x.size() - lag));
}

double kolmogorov(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = std::erfc(-x[i] / std::sqrt(2.0)) / 2, rank = static_cast<double>(i);
    worst = std::max({worst, p - rank / n, (rank + 1) / n - p});
  }
  return worst * std::sqrt(n);
}

BOOST_AUTO_TEST_SUITE(normal)

BOOST_AUTO_TEST_CASE(moments_one_to_eight) {
  for (int k = 1; k <= 8; ++k) {
    const double error = std::sqrt((moment(2 * k) - moment(k) * moment(k)) / draws);
    const double z = (tally().powers[static_cast<std::size_t>(k)] / draws - moment(k)) / error;
    BOOST_TEST_MESSAGE("moment " << k << ": z = " << z);
    BOOST_TEST(std::abs(z) < tolerance::standard_errors, "moment " << k);
  }
}

BOOST_AUTO_TEST_CASE(tails_beyond_three_to_six_sigma) {
  for (std::size_t i = 0; i < 4; ++i) {
    const double expected = draws * std::erfc(double(i + 3) / std::sqrt(2.0));
    const boost::math::poisson_distribution<double> law(expected);
    const double seen = tally().beyond[i];
    BOOST_TEST_MESSAGE("beyond " << i + 3 << " sigma: " << seen << ", expected " << expected);
    BOOST_TEST(boost::math::cdf(law, seen) > tolerance::false_alarm / 2);
    BOOST_TEST((seen == 0 || boost::math::cdf(complement(law, seen - 1)) > tolerance::false_alarm / 2));
  }
}

BOOST_AUTO_TEST_CASE(histogram_fits) {
  const boost::math::normal_distribution<double> law;
  const double n = double(tile) * double(tiles / 4);
  double statistic = 0;
  for (int cell = 0; cell < 162; ++cell) {
    const double low = (cell - 81) / 16.0, high = (cell - 80) / 16.0;
    // Upper tails by symmetry: 1 - p would cancel.
    const double expected = n * (cell == 0 || cell == 161 ? cdf(law, -5.0)
                                 : low < 0                ? cdf(law, high) - cdf(law, low)
                                                          : cdf(law, -low) - cdf(law, -high));
    const double difference = tally().histogram[static_cast<std::size_t>(cell)] - expected;
    statistic += difference * difference / expected;
  }
  const double p = cdf(complement(boost::math::chi_squared_distribution<double>(161), statistic));
  BOOST_TEST_MESSAGE("chi-square with 161 degrees of freedom: " << statistic << ", p = " << p);
  BOOST_TEST(p > tolerance::false_alarm);
}

BOOST_AUTO_TEST_CASE(distribution_function_in_both_precisions) {
  const perp::Stream s = perp::stream(1, "random", "normal", 1, "distribution");
  std::vector<float> single(1000000);
  std::vector<double> doubles(400000);
  fill_normal(s, single);
  fill_normal(s, doubles);
  BOOST_TEST(kolmogorov({single.begin(), single.end()}) < tolerance::kolmogorov);
  BOOST_TEST(kolmogorov(doubles) < tolerance::kolmogorov);
}

// Lag 16 pairs the cosine with the sine of the same angle and radius; squares would show a radius that shares
// bits with the angle.
BOOST_AUTO_TEST_CASE(neighbours_and_streams_are_uncorrelated) {
  std::vector<float> x(1 << 20), y(x.size()), other_purpose(x.size());
  fill_normal(perp::stream(1, "random", "normal", 2, "correlation"), x);
  fill_normal(perp::stream(1, "random", "normal", 3, "correlation"), y);
  fill_normal(perp::stream(1, "random", "normal", 2, "correlations"), other_purpose);
  for (int power = 1; power <= 2; ++power) {
    for (const std::size_t lag : {1, 2, 4, 15, 16, 17, 32, 48, 64, 128}) {
      const double z = correlation(x, x, lag, power) * std::sqrt(double(x.size() - lag));
      BOOST_TEST(std::abs(z) < tolerance::standard_errors, "lag " << lag << ", power " << power);
    }
    for (const auto* other : {&y, &other_purpose}) {
      const double z = correlation(x, *other, 0, power) * std::sqrt(double(x.size()));
      BOOST_TEST(std::abs(z) < tolerance::standard_errors, "streams, power " << power);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
