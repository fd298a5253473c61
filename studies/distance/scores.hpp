#pragma once
// Shared by several claims: sinusoids at some positions, their kernel, what scores are judged by.

#include <numeric>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::distance {

/// ρ = ‖p‖/‖x‖ of a sinusoid beside words with entries of variance 1: √(d/2)/√d.
inline constexpr double natural_ratio = 0.70710678118654752;

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

// ---- The scores that D6 and Q1 compare, as two tables whose products they are.

/// What stands between two positions. Entries of all weights are iid N(0, 1): R² knows no scale.
///   identity      p_tᵀp_s
///   heads         (Qp_t)ᵀ(Kp_s), Q and K rank x d: one attention head
///   tied          (Qp_t)ᵀ(Qp_s)
///   commutant     M of blocks [a b; -b a], one per frequency
///   rotary_same   q and k rotated by their positions, the same content everywhere
///   rotary_own    the same with a content of its own for each position
struct ScoreCase {
  std::string encoding;  ///< a name of `encodings`; "none" for rotary
  std::string matrix;
  std::size_t rank = 0;  ///< of heads and tied; 0 elsewhere
  std::size_t d = 0, l = 0;
};

/// Positions 1 … l; only a random encoding depends on the draw.
Matrix<double> score_positions(const ScoreCase& c, const Streams& streams, std::size_t draw);

template <class T>
struct Factors {
  Matrix<T> left, right;  ///< S = left rightᵀ
};
/// One draw of the case. `positions`: l x d; not read for rotary.
template <class T>
Factors<T> score_factors(const ScoreCase& c, const Matrix<T>& positions, const Streams& streams,
                         std::size_t draw);

}  // namespace perp::distance
