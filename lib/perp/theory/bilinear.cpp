#include "perp/theory/bilinear.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace perp::theory {
namespace {

/// Directions that share a weight: how many, K (the targets' variance along them), D (the sums').
struct Directions {
  double count, weight, variance;
};

/// ξ with Σ count·D/(D + ξ) = d; the sum falls from Σ count to 0.
double kept_threshold(std::initializer_list<Directions> all, double d) {
  const auto kept = [&](double xi) {
    double sum = 0;
    for (const Directions& g : all) sum += g.count * g.variance / (g.variance + xi);
    return sum;
  };
  double low = 0, high = 1;
  while (kept(high) > d) high *= 2;
  for (int i = 0; i < 200 && high > low * (1 + 1e-15); ++i) {
    const double middle = (low + high) / 2;
    (kept(middle) > d ? low : high) = middle;
  }
  return high;
}

}  // namespace

double expected_residual(double kept, double whole) {
  const double share = std::min(kept / whole, 1.0);
  return (1 - share) * (1 + share);
}

double added_residual(std::size_t words, std::size_t positions, std::size_t d, double power) {
  if (words + positions - 1 <= d) return 0;
  const double v = static_cast<double>(words), l = static_cast<double>(positions);
  const std::initializer_list<Directions> all{
      {v - 1, l, l}, {l - 1, v, v * power}, {1, v + l, l + v * power}};
  const double xi = kept_threshold(all, static_cast<double>(d));
  double kept = 0;
  for (const Directions& g : all) kept += g.count * g.weight * g.variance / (g.variance + xi);
  return expected_residual(kept, 2 * v * l);
}

double split_residual(std::size_t words, std::size_t positions, std::size_t word_width,
                      std::size_t position_width) {
  const auto share = [](std::size_t width, std::size_t rows) {
    return std::min(1.0, static_cast<double>(width) / static_cast<double>(rows));
  };
  return expected_residual(share(word_width, words) + share(position_width, positions), 2);
}

std::size_t best_split(std::size_t words, std::size_t positions, std::size_t d) {
  std::size_t best = 1;
  for (std::size_t width = 2; width < d; ++width)
    if (split_residual(words, positions, d - width, width) <
        split_residual(words, positions, d - best, best) - 1e-12)
      best = width;
  return best;
}

double smooth_residual(double word_share, double position_share, double flatness) {
  const double positions = position_share * (position_share + (1 - position_share) * flatness);
  return 1 - (word_share * word_share + positions) / 2;
}

double low_rank_residual(std::size_t rank, std::size_t positions, std::size_t d, double power,
                         double flatness) {
  if (rank + positions <= d) return 0;
  const double r = static_cast<double>(rank), l = static_cast<double>(positions), word = l / r;
  const double xi = kept_threshold({{r, 1, word}, {l, 1, power}}, static_cast<double>(d));
  return smooth_residual(word / (word + xi), power / (power + xi), flatness);
}

}  // namespace perp::theory
