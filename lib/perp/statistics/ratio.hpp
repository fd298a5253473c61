#pragma once

#include <span>

#include "perp/statistics/spread.hpp"

namespace perp {

/// Σ parts / Σ wholes over independent draws, and how it spreads; nothing of that for a single draw.
struct PooledRatio {
  double value = 0;
  std::optional<Spread> spread = {};
};

/// A ratio of two expected values, estimated from pairs of draws; unlike the mean of the ratios it may be
/// held against a ratio of expected variances. Spread: Student's for the mean of part - ratio x whole over
/// the mean whole (Cochran 1977, "Sampling Techniques", section 6.3). Throws Error for spans of different
/// size, empty ones, and where the wholes sum to 0.
PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes);

}  // namespace perp
