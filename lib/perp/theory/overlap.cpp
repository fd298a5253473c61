#include "perp/theory/overlap.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace perp::theory
