#include "studies/distance/d6_expected.hpp"

#include <cmath>
#include <cstdint>

#include "perp/base/error.hpp"

namespace perp::distance {
namespace {

double square(double x) { return x * x; }

/// ‖p̄‖², the mean product over all pairs.
double square_mean(std::span<const double> g) {
  const double length = static_cast<double>(g.size());
  double sum = length * g[0];
  for (std::size_t k = 1; k < g.size(); ++k) sum += 2 * (length - static_cast<double>(k)) * g[k];
  return sum / square(length);
}

/// A sum over |j| < n of (n - |j|) f(j)/n.
template <class F>
double over_shifts(std::size_t n, F f) {
  const auto last = static_cast<std::int64_t>(n) - 1;
  double sum = 0;
  for (std::int64_t j = -last; j <= last; ++j) sum += static_cast<double>(last + 1 - std::abs(j)) * f(j);
  return sum / static_cast<double>(n);
}

void check(std::span<const double> kernel) {
  require(kernel.size() >= 2, "expected scores: a kernel of {} lags, expected at least 2", kernel.size());
}

}  // namespace

ExpectedScores expected_for_random(std::span<const double> g) {
  check(g);
  const double entries = square(static_cast<double>(g.size())), constant = square(square_mean(g));
  double by_lag = 0;
  for (std::size_t k = 0; k < g.size(); ++k)
    by_lag += (k == 0 ? 1 : 2) * over_shifts(g.size() - k, [&](std::int64_t j) {
                return square(g[static_cast<std::size_t>(std::abs(j))]);
              });
  return {by_lag / entries - constant, square(g[0]) - constant};
}

ExpectedScores expected_for_tied(std::span<const double> g, std::size_t rank) {
  check(g);
  require(rank >= 1, "expected scores: tied weights of rank 0, expected at least 1");
  const double r = static_cast<double>(rank), length = static_cast<double>(g.size());
  const auto at = [&](std::int64_t k) {
    // Beyond the table no pair has this lag: |j| < L - k keeps |j - k| and |j + k| below L.
    return g[static_cast<std::size_t>(std::abs(k))];
  };
  double by_lag = 0, squares = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i);
    const double n = length - static_cast<double>(i), both = i == 0 ? 1 : 2;
    squares += both * n * square(g[i]);
    by_lag += both * over_shifts(g.size() - i,
                                 [&](std::int64_t j) { return square(at(j)) + at(j + k) * at(j - k); });
  }
  const double entries = square(length), mean = square_mean(g);
  const double constant = (square(r) + 2 * r) * square(mean);
  return {(square(r) * squares + r * by_lag) / entries - constant,
          ((square(r) + r) * squares / entries + r * square(g[0])) - constant};
}

}  // namespace perp::distance
