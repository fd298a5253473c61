#pragma once

#include <span>

namespace perp::distance {

/// Σ parts / Σ wholes over independent draws, with an interval.
struct PooledRatio {
  double value = 0, low = 0, high = 0;
};

/// A ratio of two expected values, estimated from pairs of draws; unlike the mean of the ratios it may be
/// held against a ratio of expected variances. Interval: Student's t for the mean of part - ratio x whole
/// over the mean whole (Cochran 1977, "Sampling Techniques", section 6.3); NaN at both ends for a single
/// draw. Throws Error for spans of different size, empty ones, and where the wholes sum to 0.
PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes, double level);

}  // namespace perp::distance
