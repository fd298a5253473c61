#include "perp/theory/subspaces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

/// Those below 0 as 0, ascending; their sum is above 0.
double sorted_sum(std::vector<double>& eigenvalues) {
  double sum = 0;
  for (double& x : eigenvalues) sum += x = std::max(0.0, x);
  std::ranges::sort(eigenvalues);
  return sum;
}

}  // namespace

OverlapNull overlap_null(std::size_t d, double tr_a, double tr_a2, double tr_b, double tr_b2) {
  require(d >= 2, "overlap_null: dimension {} given, expected at least 2", d);
  const double n = static_cast<double>(d);
  // tr M^2 - (tr M)^2/d, the squared norm of the traceless part; rounding may leave it a hair below zero.
  const double a = std::max(0.0, tr_a2 - tr_a * tr_a / n), b = std::max(0.0, tr_b2 - tr_b * tr_b / n);
  return {tr_a * tr_b / n, std::sqrt(2 / ((n - 1) * (n + 2)) * a * b)};
}

double overlap_skewness(std::size_t d, const TraceMoments& a, const TraceMoments& b) {
  const double n = static_cast<double>(d);
  // tr A0^3 over tr A0^2 to the power 3/2.
  const auto traceless_cube = [n](const TraceMoments& m) {
    const double square = m.second - m.first * m.first / n;
    const double cube = m.third - 3 * m.first * m.second / n + 2 * m.first * m.first * m.first / (n * n);
    return square > 0 ? cube / (square * std::sqrt(square)) : NAN;
  };
  const double cubes = traceless_cube(a) * traceless_cube(b);
  if (d == 2) return std::isnan(cubes) ? NAN : 0;
  return 2 * n / (n + 4) * std::sqrt(2 * (n - 1) * (n + 2)) / (n - 2) * cubes;
}

double least_overlap(std::vector<double> a, std::vector<double> b) {
  const double trace_a = sorted_sum(a), trace_b = sorted_sum(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[a.size() - 1 - i];
  return double(a.size()) * sum / (trace_a * trace_b);
}

namespace {

/// The Tracy-Widom law for beta = 1 (Bornemann 2010, Markov Process. Relat. Fields 16, 803), rounded.
constexpr double tracy_widom_mean = -1.2065, tracy_widom_sd = 1.268, tracy_widom_skewness = 0.29346,
                 tracy_widom_kurtosis = 3.16524;

/// logit(cos^2 of the largest cosine) ~ mu + sigma TW1, k + r < d. With sin^2(g/2) = (min(k,r) - 1/2)/(d-1) and
/// sin^2(f/2) = (max(k,r) - 1/2)/(d-1):
///   mu = 2 ln tan((f+g)/2),  sigma^3 = 16 / ((d-1)^2 sin^2(f+g) sin f sin g).
struct LargestAngle {
  double mu, sigma;
};
LargestAngle largest_angle(std::size_t d, std::size_t k, std::size_t r) {
  const double n = static_cast<double>(d) - 1;
  const double g = 2 * std::asin(std::sqrt((static_cast<double>(std::min(k, r)) - 0.5) / n));
  const double f = 2 * std::asin(std::sqrt((static_cast<double>(std::max(k, r)) - 0.5) / n));
  const double both = std::sin(f + g);
  return {2 * std::log(std::tan((f + g) / 2)),
          std::cbrt(16 / (n * n * both * both * std::sin(f) * std::sin(g)))};
}

/// The largest cosine where TW1 lies `deviations` standard deviations from its mean.
double cosine_at(const LargestAngle& law, double deviations) {
  const double logit = law.mu + law.sigma * (tracy_widom_mean + tracy_widom_sd * deviations);
  return std::sqrt(1 / (1 + std::exp(-logit)));
}

}  // namespace

bool johnstone_applies(std::size_t d, std::size_t k, std::size_t r) {
  constexpr std::size_t margin = 8;
  if (k > d || r > d) return false;
  if (k + r > d) {
    k = d - k;
    r = d - r;
  }
  return std::min(k, r) >= margin && k + r + margin < d;
}

double largest_cosine_expected(std::size_t d, std::size_t k, std::size_t r) {
  if (k + r >= d) return 1;
  const LargestAngle law = largest_angle(d, k, r);
  // Nodes 0, a and b, the roots of x² - skewness x - (kurtosis - skewness²); weights from mean 0, variance 1.
  constexpr double skewness = tracy_widom_skewness, kurtosis = tracy_widom_kurtosis;
  const double root = std::sqrt(4 * kurtosis - 3 * skewness * skewness);
  const double a = (skewness + root) / 2, b = (skewness - root) / 2;
  const double weight_a = 1 / (a * (a - b)), weight_b = 1 / (b * (b - a));
  return weight_a * cosine_at(law, a) + weight_b * cosine_at(law, b) +
         (1 - weight_a - weight_b) * cosine_at(law, 0);
}

double largest_cosine_sd(std::size_t d, std::size_t k, std::size_t r) {
  if (k + r >= d) return 0;
  const LargestAngle law = largest_angle(d, k, r);
  const double c = cosine_at(law, 0);
  return tracy_widom_sd * law.sigma * c * (1 - c * c) / 2;
}

namespace {

/// The formula with the tail that r99 leaves off scaled by `kept`, the share of energy that is not the
/// mean's.
double effective_dimension(double positions, double d, double base, double kept) {
  const double log_base = std::log(base);
  const double x = positions * log_base / (std::numbers::pi * d);
  if (x <= 1) return positions / std::numbers::pi * std::pow(base, -0.01 * kept) + 1.4;
  if (x < base) return d / log_base * (1 - x / base + std::log(x)) - 0.015 * kept * d + 1.4;
  return 0.99 * d;
}

}  // namespace

double sinusoid_r99(std::size_t positions, std::size_t d, double base) {
  const double r = effective_dimension(static_cast<double>(positions), static_cast<double>(d), base, 1);
  return std::min({r, static_cast<double>(d), static_cast<double>(positions)});
}

double sinusoid_r99_centred(std::size_t positions, std::size_t d, double base) {
  // f of the mean row.
  const double log_base = std::log(base),
               share = std::clamp((log_base - std::log(static_cast<double>(positions)) + 0.923) / log_base,
                                  0.0, 1.0);
  if (share == 0) return sinusoid_r99(positions, d, base);
  const double r =
      effective_dimension(static_cast<double>(positions), static_cast<double>(d), base, 1 - share) - 1;
  return std::min({r, static_cast<double>(d), static_cast<double>(positions - 1)});
}

}  // namespace perp::theory
