#include "perp/theory/scores.hpp"

#include <cmath>
#include <cstdint>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

double square(double x) { return x * x; }

/// A sum over |j| < n of (n - |j|) f(j)/n.
template <class F>
double over_shifts(std::size_t n, F f) {
  const auto last = static_cast<std::int64_t>(n) - 1;
  double sum = 0;
  for (std::int64_t j = -last; j <= last; ++j) sum += static_cast<double>(last + 1 - std::abs(j)) * f(j);
  return sum / static_cast<double>(n);
}

}  // namespace

double square_mean(std::span<const double> g) {
  require(g.size() >= 2, "expected scores: a kernel of {} lags, expected at least 2", g.size());
  const double length = static_cast<double>(g.size());
  double sum = length * g[0];
  for (std::size_t k = 1; k < g.size(); ++k) sum += 2 * (length - static_cast<double>(k)) * g[k];
  return sum / square(length);
}

ExpectedScores expected_for_tied(std::span<const double> g, std::size_t rank) {
  require(rank >= 1, "expected scores: tied weights of rank 0, expected at least 1");
  const double r = static_cast<double>(rank), length = static_cast<double>(g.size()), mean = square_mean(g);
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
  const double entries = square(length), constant = (square(r) + 2 * r) * square(mean);
  return {(square(r) * squares + r * by_lag) / entries - constant,
          ((square(r) + r) * squares / entries + r * square(g[0])) - constant};
}

FourShares tied_shares(std::size_t d, std::size_t words, double word_variance, std::span<const double> kernel,
                       std::size_t rank) {
  const double pp = expected_for_tied(kernel, rank).all;
  const double r = static_cast<double>(rank), n = static_cast<double>(d), v = word_variance, p = kernel[0];
  const double itself = 1 / static_cast<double>(words);
  // E (uᵀQᵀQv)² = (r² + r)(u·v)² + r ‖u‖²‖v‖². Two words: E (x·y)² = dσ⁴; a word and itself: (d² + 2d)σ⁴.
  const double product = (1 - itself) * n + itself * (n * n + 2 * n), lengths = n * n + itself * 2 * n;
  const double ww = ((r * r + r) * product + r * lengths) * v * v;
  const double wp = (r * r + r) * v * p + r * n * v * p;
  const double sum = ww + 2 * wp + pp;
  return {ww / sum, wp / sum, wp / sum, pp / sum};
}

}  // namespace perp::theory
