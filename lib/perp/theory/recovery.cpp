#include "perp/theory/recovery.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/distance.hpp"

namespace perp::theory {
namespace {

/// Beyond this many standard deviations a law here holds less than 1e-15.
constexpr double far = 8.5;

void check(std::size_t d, double words, double ratio, const char* where) {
  require(d >= 2 && d <= 1'000'000, "{}: dimension {} given, expected 2 to 1000000", where, d);
  require(words >= 1 && std::isfinite(words), "{}: {} words given, expected at least 1", where, words);
  require(ratio >= 0 && std::isfinite(ratio), "{}: a ratio of {} given, expected 0 or more", where, ratio);
}

/// (1 - tail)^(words - 1), for tails far below the rounding of 1 too.
double all_below(double tail, double words) {
  return tail >= 1 ? (words > 1 ? 0.0 : 1.0) : std::exp((words - 1) * std::log1p(-tail));
}

}  // namespace

double recovered(std::size_t d, double words, double ratio) {
  check(d, words, ratio, "recovered");
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
  check(d, words, 0, "recovery_knee");
  require(words > 1, "recovery_knee: {} words given, expected more than 1", words);
  return std::sqrt(static_cast<double>(d) / (2 * std::log(words)));
}

double recovery_ratio(std::size_t d, double words, double share) {
  check(d, words, 0, "recovery_ratio");
  require(words > 1 && share < 1 && share > 1 / words,
          "recovery_ratio: a share of {} among {} words given, expected above chance and below 1", share,
          words);
  double low = 0, high = recovery_knee(d, words);
  while (recovered(d, words, high) > share) {
    low = high;
    high *= 2;
    require(high < 1e9, "recovery_ratio: a share of {} of {} words is chance, whatever the ratio", share,
            words);
  }
  for (int i = 0; i < 28; ++i) {
    const double middle = (low + high) / 2;
    (recovered(d, words, middle) > share ? low : high) = middle;
  }
  return (low + high) / 2;
}

RecoveryBounds sinusoid_recovered(std::size_t d, std::size_t positions, double base, double ratio) {
  check(d, 1, ratio, "sinusoid_recovered");
  require(positions >= 1, "sinusoid_recovered: 0 positions given, expected at least 1");
  std::vector<double> lags(positions);
  std::iota(lags.begin(), lags.end(), 0.0);
  const std::vector<double> kernel = kernel_exact(d, base, lags);
  const auto apart = [&](std::size_t k) { return std::max(0.0, 1 - kernel[k] / kernel[0]); };
  const auto below = [d](double m) { return cosine_exceeds(d, std::min(m, 1.0)) / 2; };
  const double length = static_cast<double>(positions);
  RecoveryBounds bounds{1, 1};
  for (std::size_t k = 1; k < positions; ++k) {
    const double lag = static_cast<double>(k);
    const double nearer = below(ratio * std::sqrt(apart(k) / 2)), one_sided = 2 * nearer * (1 - lag / length);
    bounds.low -= one_sided;
    double both = 0;
    if (2 * k < positions)
      if (const double square = 8 * apart(k) - 2 * apart(2 * k); square > 0)
        both = below(2 * ratio * apart(k) / std::sqrt(square)) * (1 - 2 * lag / length);
    bounds.high = std::min(bounds.high, 1 - one_sided + both);
  }
  bounds.low = std::max(bounds.low, 0.0);
  return bounds;
}

}  // namespace perp::theory
