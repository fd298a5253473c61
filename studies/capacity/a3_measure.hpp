#pragma once
// A3: what is measured: residuals of one matrix fitted to four tables, the exact fits around V + L = d, least
// singular values in random subspaces.

#include "perp/study/claim.hpp"
#include "studies/capacity/a3_tables.hpp"

namespace perp::capacity {

/// The second cutoff: a thousandth of usual_cutoff lets far fainter directions count.
inline constexpr double fine_cutoff = 1e-9;
/// Besides the usual one at V + L = d, V = L.
inline constexpr double other_cutoffs[] = {1e-4, fine_cutoff, 1e-12};
/// Largest relative error of a fit that is exact up to rounding.
inline constexpr double exact_error = 1e-8;
/// Width at which words, positions and targets are drawn by load.
inline constexpr std::size_t drawn_width = 64;

/// v words and l positions in drawn_width dimensions; load (v + l)/d.
struct FittedTables {
  std::string what;
  double load;
  std::size_t ratio, v, l, replicate;
};
PERP_ROW(FittedTables, what, load, ratio, v, l, replicate)
/// What the best matrix leaves of the scores' energy, and on average over targets.
struct FitResidual : FittedTables {
  std::string positions;
  double cutoff, residual, expected, gain, error;
};
PERP_ROW_OF(FitResidual, FittedTables, positions, cutoff, residual, expected, gain, error)

void measure_load(const FittedTables& at, const Streams& streams, Rows& rows);

/// Random tables of d - 1 … d + 3 rows, so many words to a position.
struct BoundaryWidth {
  std::string what;
  std::size_t d, ratio;
};
PERP_ROW(BoundaryWidth, what, d, ratio)
/// The dimensions that a fit needs, and its error.
struct BoundaryFit : BoundaryWidth {
  std::string match;
  std::size_t needs;
  double error;
};
PERP_ROW_OF(BoundaryFit, BoundaryWidth, match, needs, error)
/// Whether d dimensions are as many as the scores need.
bool suffices(const BoundaryFit& fit);
/// Whether the fit is exact where d does not suffice, or not exact where it does.
bool departs(const BoundaryFit& fit);
void measure_boundary(const BoundaryWidth& at, const Streams& streams, Rows& rows);

/// Orthonormal words and positions in random subspaces, three to one, together load·d.
struct SubspacePairs {
  std::string what;
  std::size_t d;
  double load;
  std::size_t replicates;
};
PERP_ROW(SubspacePairs, what, d, load, replicates)
struct SubspaceGain : SubspacePairs {
  std::size_t v, l;
  double least;
};
PERP_ROW_OF(SubspaceGain, SubspacePairs, v, l, least)
void measure_gain(const SubspacePairs& at, const Streams& streams, Rows& rows);

}  // namespace perp::capacity
