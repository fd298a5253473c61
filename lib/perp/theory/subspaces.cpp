#include "perp/theory/subspaces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

/// tr M^2 - (tr M)^2/d, the squared norm of the traceless part; rounding may leave it a hair below zero.
double traceless_square(const char* name, double d, double trace, double square) {
  require(trace >= 0 && std::isfinite(trace), "overlap_null: tr {} is {}, expected 0 or more", name, trace);
  const double slack = 1e-6 * trace * trace;
  require(square >= trace * trace / d - slack && square <= trace * trace + slack,
          "overlap_null: tr {}^2 is {}, expected {} to {} for trace {} in {} dimensions", name, square,
          trace * trace / d, trace * trace, trace, d);
  return std::max(0.0, square - trace * trace / d);
}

/// Those below 0 as 0, ascending; their sum is above 0.
double sorted_sum(const char* name, std::vector<double>& eigenvalues) {
  double sum = 0;
  for (double& x : eigenvalues) {
    require(std::isfinite(x), "least_overlap: an eigenvalue of {} is {}", name, x);
    sum += x = std::max(0.0, x);
  }
  require(sum > 0, "least_overlap: no eigenvalue of {} is above 0", name);
  std::ranges::sort(eigenvalues);
  return sum;
}

}  // namespace

OverlapNull overlap_null(std::size_t d, double tr_a, double tr_a2, double tr_b, double tr_b2) {
  require(d >= 2, "overlap_null: dimension {} given, expected at least 2", d);
  const double n = static_cast<double>(d);
  const double a = traceless_square("A", n, tr_a, tr_a2);
  const double b = traceless_square("B", n, tr_b, tr_b2);
  return {tr_a * tr_b / n, std::sqrt(2 / ((n - 1) * (n + 2)) * a * b)};
}

double overlap_skewness(std::size_t d, const TraceMoments& a, const TraceMoments& b) {
  require(d >= 2, "overlap_skewness: dimension {} given, expected at least 2", d);
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
  require(a.size() == b.size(), "least_overlap: {} eigenvalues of A and {} of B", a.size(), b.size());
  const double trace_a = sorted_sum("A", a), trace_b = sorted_sum("B", b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[a.size() - 1 - i];
  return double(a.size()) * sum / (trace_a * trace_b);
}

namespace {

void check_subspaces(const char* where, std::size_t d, std::size_t k, std::size_t r) {
  require(d >= 2 && k >= 1 && r >= 1 && k <= d && r <= d,
          "{}: subspaces of {} and {} dimensions in {}, expected 1 to d, and d at least 2", where, k, r, d);
}

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

/// The largest cosine where TW1 lies `deviations` standard deviations from its mean.
double cosine_at(const LargestAngle& law, double deviations) {
  return std::sqrt(logistic(law.mu + law.sigma * (tracy_widom_mean + tracy_widom_sd * deviations)));
}

}  // namespace

LargestAngle largest_angle(std::size_t d, std::size_t k, std::size_t r) {
  check_subspaces("largest_angle", d, k, r);
  require(k + r != d, "largest_angle: k + r = {} + {} = d, where the law does not hold", k, r);
  if (k + r > d) {
    k = d - k;
    r = d - r;
    require(k >= 1 && r >= 1, "largest_angle: one subspace is all of the {} dimensions, every cosine is 1",
            d);
  }
  const double n = static_cast<double>(d) - 1;
  const double g = 2 * std::asin(std::sqrt((static_cast<double>(std::min(k, r)) - 0.5) / n));
  const double f = 2 * std::asin(std::sqrt((static_cast<double>(std::max(k, r)) - 0.5) / n));
  const double both = std::sin(f + g);
  return {2 * std::log(std::tan((f + g) / 2)),
          std::cbrt(16 / (n * n * both * both * std::sin(f) * std::sin(g)))};
}

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
  check_subspaces("largest_cosine_expected", d, k, r);
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
  check_subspaces("largest_cosine_sd", d, k, r);
  if (k + r >= d) return 0;
  const LargestAngle law = largest_angle(d, k, r);
  const double c = cosine_at(law, 0);
  return tracy_widom_sd * law.sigma * c * (1 - c * c) / 2;
}

namespace {

void check(const char* where, std::size_t positions, std::size_t d, double base) {
  require(positions >= 1, "{}: 0 positions given, expected at least 1", where);
  require(d >= 2 && d % 2 == 0, "{}: dimension {} given, expected an even number of at least 2", where, d);
  require(base > 1 && std::isfinite(base), "{}: base {} given, expected above 1", where, base);
}

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
  check("sinusoid_r99", positions, d, base);
  const double r = effective_dimension(static_cast<double>(positions), static_cast<double>(d), base, 1);
  return std::min({r, static_cast<double>(d), static_cast<double>(positions)});
}

double sinusoid_mean_share(std::size_t positions, double base) {
  check("sinusoid_mean_share", positions, 2, base);
  const double log_base = std::log(base);
  return std::clamp((log_base - std::log(static_cast<double>(positions)) + 0.923) / log_base, 0.0, 1.0);
}

double sinusoid_r99_centred(std::size_t positions, std::size_t d, double base) {
  check("sinusoid_r99_centred", positions, d, base);
  const double share = sinusoid_mean_share(positions, base);
  if (share == 0) return sinusoid_r99(positions, d, base);
  const double r =
      effective_dimension(static_cast<double>(positions), static_cast<double>(d), base, 1 - share) - 1;
  return std::min({r, static_cast<double>(d), static_cast<double>(positions - 1)});
}

}  // namespace perp::theory
