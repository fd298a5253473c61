#pragma once
// Shared by the claims about scores and sums: D6, D9, Q2.

#include <numeric>
#include <vector>

#include "perp/random/normal.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::distance {

/// ρ = ‖p‖/‖x‖ of a sinusoid beside words with entries of variance 1: √(d/2)/√d.
inline constexpr double natural_ratio = 0.70710678118654752;
/// Draws of a cell that D9 is judged by, at least.
inline constexpr std::size_t judged_draws = 800;

/// p_t·p_{t+k} of the sinusoid, k = 0 … length-1.
inline std::vector<double> sinusoid_kernel(std::size_t length, std::size_t d) {
  std::vector<double> lags(length);
  std::iota(lags.begin(), lags.end(), 0.0);
  return theory::kernel_exact(d, usual_base, lags);
}

}  // namespace perp::distance
