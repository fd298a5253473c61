#pragma once
// The cells of O4: angles of random, or real, words with the sinusoidal positions, and words' energy inside
// these.

#include "perp/study/row.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {

inline constexpr std::size_t wachter_bins = 50;  ///< of cos² over [0, 1]

/// Of one k-dimensional subspace of words with the positions' leading r dimensions.
struct Angles {
  std::string measure;  ///< random words: grid of ranks, diagonal k = r, law; real or real_rotated ones
  std::size_t d, k, r;
  double largest, mean_square;  ///< principal cosine, and square of one
};
PERP_ROW(Angles, measure, d, k, r, largest, mean_square)
/// One random basis of words, for all ranks of the grid or the diagonal.
struct Draw {
  std::string measure;
  std::size_t d, draw;
};
PERP_ROW(Draw, measure, d, draw)
/// Random words of one rank; several subspaces a cell.
struct LawCell {
  std::string measure;
  std::size_t d, k, r, draw;
};
PERP_ROW(LawCell, measure, d, k, r, draw)
struct LawBin : LawCell {
  std::size_t bin, count;
};
PERP_ROW_OF(LawBin, LawCell, bin, count)
struct RealCell {
  std::string measure;
  std::size_t d, k;
};
PERP_ROW(RealCell, measure, d, k)

/// v Gaussian words against the positions' leading r dimensions: shares of their energy.
struct Inside {
  std::string measure;
  std::size_t d, r, v;
};
PERP_ROW(Inside, measure, d, r, v)
struct Energy : Inside {
  Estimate energy;  ///< mean over words
  double ks_p;
};
PERP_ROW_OF(Energy, Inside, energy, ks_p)
struct EnergyBin : Inside {
  double share, density;
};
PERP_ROW_OF(EnergyBin, Inside, share, density)
/// Angles of a random basis of words with `positions` (d x d), for every pair of ranks or equal ones.
void measure_nested(const Draw& at, const Matrix<double>& positions, const Streams& streams, Rows& rows);

/// Adds O4's cells and how each is measured.
void measure_subspaces(Experiment& claim, Preset preset, const SharedInputs& inputs);

}  // namespace perp::orthogonality
