#pragma once
// A straight line through points: slopes of logarithms, trends.

#include <span>

namespace perp {

/// y ≈ a + slope x; `correlation` (Pearson) is NaN where all y are equal.
struct Line {
  double slope = 0, correlation = 0;
};

/// Ordinary least squares of y (n values) on x (n values). Throws Error for unequal lengths, fewer than two
/// points, or x all equal or not finite.
Line least_squares_line(std::span<const double> x, std::span<const double> y);

}  // namespace perp
