#pragma once
// The scores that D6 and Q1 compare, as two tables whose products they are.

#include <string>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::distance {

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
/// One draw of the case. `positions`: l x d; not read for rotary. Throws Error for an unknown matrix.
template <class T>
Factors<T> score_factors(const ScoreCase& c, const Matrix<T>& positions, const Streams& streams,
                         std::size_t draw);

}  // namespace perp::distance
