#include "perp/theory/recovery.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/theory/cosine.hpp"

namespace perp::theory {
namespace {

/// Beyond this many standard deviations a law here holds less than 1e-15.
constexpr double far = 8.5;

/// (1 - tail)^(words - 1), for tails far below the rounding of 1 too.
double all_below(double tail, double words) {
  return tail >= 1 ? (words > 1 ? 0.0 : 1.0) : std::exp((words - 1) * std::log1p(-tail));
}

}  // namespace

double recovered(std::size_t d, double words, double ratio) {
  if (words == 1 || ratio == 0) return 1;
  const auto beaten_by_none = [&](double c) {
    const double square = 1 + ratio * (ratio + 2 * c);
    // For ratio 1 and c = -1 there is no sum left to decode; a set of no weight.
    const double m = square > 0 ? std::clamp((1 + ratio * c) / std::sqrt(square), -1.0, 1.0) : -1.0;
    const double outside = cosine_exceeds(d, std::abs(m)) / 2;
    return cosine_density(d, c) * all_below(m >= 0 ? outside : 1 - outside, words);
  };
  if (d == 2) {  // the density is infinite at the ends: integrate over the angle, which is uniform
    const auto by_angle = [&](double angle) {
      const double square = 1 + ratio * (ratio + 2 * std::cos(angle));
      const double m =
          square > 0 ? std::clamp((1 + ratio * std::cos(angle)) / std::sqrt(square), -1.0, 1.0) : -1.0;
      return all_below(std::acos(m) / std::numbers::pi, words) / std::numbers::pi;
    };
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(by_angle, 0.0, std::numbers::pi, 12,
                                                                         1e-11);
  }
  const double width = std::min(1.0, far / std::sqrt(static_cast<double>(d)));
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  return std::min(1.0, Rule::integrate(beaten_by_none, -width, width, 10, 1e-10));
}

double recovery_knee(std::size_t d, double words) {
  require(words > 1, "recovery_knee: {} words given, expected more than 1", words);
  return std::sqrt(static_cast<double>(d) / (2 * std::log(words)));
}

double recovery_ratio(std::size_t d, double words, double share) {
  double low = 0, high = recovery_knee(d, words);
  for (; recovered(d, words, high) > share; high *= 2) low = high;
  for (int i = 0; i < 28; ++i) {
    const double middle = (low + high) / 2;
    (recovered(d, words, middle) > share ? low : high) = middle;
  }
  return (low + high) / 2;
}

namespace {

/// ln Φ(x), accurate in both tails as far as an integral over z needs it.
double log_normal_cdf(double x) {
  return std::log(std::max(0.5 * std::erfc(-x / std::numbers::sqrt2), 1e-300));
}

/// √2 · difference/deviation. Scores that never differ are a tie, decided by chance.
double lead(double difference, double variance) {
  if (variance > 0) return std::numbers::sqrt2 * difference / std::sqrt(variance);
  return difference > 0 ? INFINITY : 0;
}

/// Variance of (score of the right word - score of a rival in the sum), n >= 2 words in the sum:
///   (2(n-2) + 2(1-κ) + 2(m-κ²)[+ 1 if the key is random])/d.
/// The n-2 other words meet the right word and the rival, 1/d each; the right word and the rival meet one
/// another through K - 1; the rival's own energy is unevenly spread over the blocks.
double rival_variance(std::size_t d, std::size_t n, const Rival& rival, bool random_key) {
  const double kappa = rival.overlap, spread = std::max(0.0, rival.mean_square - kappa * kappa);
  return (2 * static_cast<double>(n - 2) + 2 * (1 - kappa) + 2 * spread + (random_key ? 1 : 0)) /
         static_cast<double>(d);
}

/// Variance of (score of the right word - score of a word that is not in the sum).
double stranger_variance(std::size_t d, std::size_t n) {
  return (2 * static_cast<double>(n) - 1) / static_cast<double>(d);
}

}  // namespace

double matched_filter_share(std::size_t d, std::size_t words, std::span<const Rival> rivals,
                            bool random_key) {
  const std::size_t n = rivals.size() + 1;
  std::vector<double> leads;
  for (const Rival& rival : rivals)
    leads.push_back(lead(1 - rival.overlap, rival_variance(d, n, rival, random_key)));
  const double stranger = lead(1, stranger_variance(d, n)), strangers = static_cast<double>(words - n);
  constexpr int points = 160;
  constexpr double reach = 8, step = 2 * reach / points;
  double sum = 0;
  for (int i = 0; i <= points; ++i) {
    const double z = -reach + i * step;
    double log_p = strangers * log_normal_cdf(z + stranger);
    for (const double rival : leads) log_p += log_normal_cdf(z + rival);
    sum += std::exp(log_p - z * z / 2);
  }
  return std::min(1.0, sum * step / std::sqrt(2 * std::numbers::pi));
}

double unpaired_share(std::size_t n) { return 1 / static_cast<double>(n); }

namespace {

/// D(2ω) cos(ω(L-1)), the mean of cos 2ωt; 2ω may pass a full turn.
double double_angle_mean(std::size_t length, double omega) {
  const double wrapped = std::fmod(2 * omega, 2 * std::numbers::pi);
  return dirichlet_mean(length, wrapped) * std::cos(wrapped * (static_cast<double>(length) - 1) / 2);
}

}  // namespace

double dirichlet_mean(std::size_t length, double omega) {
  const double n = static_cast<double>(length), bottom = std::sin(omega / 2);
  return bottom == 0 ? 1 : std::sin(n * omega / 2) / (n * bottom);
}

ColumnMoments sine_column(std::size_t length, double omega) {
  const double half = omega * (static_cast<double>(length) - 1) / 2;
  const double mean = dirichlet_mean(length, omega) * std::sin(half);
  return {mean, std::max(0.0, (1 - double_angle_mean(length, omega)) / 2 - mean * mean)};
}

ColumnMoments cosine_column(std::size_t length, double omega) {
  const double half = omega * (static_cast<double>(length) - 1) / 2;
  const double mean = dirichlet_mean(length, omega) * std::cos(half);
  return {mean, std::max(0.0, (1 + double_angle_mean(length, omega)) / 2 - mean * mean)};
}

ColumnMoments sinusoid_column(std::size_t length, std::size_t d, std::size_t j, double base) {
  const double omega = std::pow(base, -2 * static_cast<double>(j / 2) / static_cast<double>(d));
  return j % 2 ? cosine_column(length, omega) : sine_column(length, omega);
}

double constant_share(std::size_t length, std::size_t d, std::size_t first, std::size_t last, double base) {
  double constant = 0, all = 0;
  for (std::size_t j = first; j < last; ++j) {
    const ColumnMoments column = sinusoid_column(length, d, j, base);
    constant += column.mean * column.mean;
    all += column.mean_square();
  }
  return constant / all;
}

}  // namespace perp::theory
