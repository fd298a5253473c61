#pragma once
// Shared by several claims: sinusoids at some positions, their kernel, what scores are judged by.

#include <numeric>
#include <vector>

#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::distance {

/// ρ = ‖p‖/‖x‖ of a sinusoid beside words with entries of variance 1: √(d/2)/√d.
inline constexpr double natural_ratio = 0.70710678118654752;
/// Draws of a cell that D9 is judged by, at least.
inline constexpr std::size_t judged_draws = 800;

/// p_t·p_{t+k} of the sinusoid, k = 0 … length-1.
inline std::vector<double> sinusoid_kernel(std::size_t length, std::size_t d, double base = usual_base) {
  std::vector<double> lags(length);
  std::iota(lags.begin(), lags.end(), 0.0);
  return theory::kernel_exact(d, base, lags);
}

/// The rows of the sinusoid at these positions.
inline Matrix<double> sinusoid_at(std::span<const std::uint64_t> positions, std::size_t d,
                                  double base = usual_base) {
  return sinusoidal_in_format(positions, d, base, Format::float64, Format::float64);
}

}  // namespace perp::distance
