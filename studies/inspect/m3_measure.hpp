#pragma once
// The cells of M3: how much the spreads of a model's words and positions overlap.

#include <cmath>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

/// A model; `rotations` has no part in what is measured and stays for the streams, which are named by it.
struct Compared : OfModel {
  std::size_t rotations;
};
PERP_ROW_OF(Compared, OfModel, rotations)

/// d tr(AB)/(tr A tr B) of two covariances: if one of them is turned at random 1 on average, by theorem, with
/// the standard deviation sd.
struct Overlap : OfModel {
  std::string of;  ///< "centred", "uncentred" (about the origin), "without ten", "without thirty" (of the
                   ///< positions, the leading directions), "after LayerNorm" (centred and weighed as by the
                   ///< first one), "by frequency" (words as often as a text has them)
  double value, sd = NAN;
  double floor = NAN;      ///< the least that turning one of them could make of it, for their spectra
  double error = NAN;      ///< standard error, as another choice of words would move it; NaN of hardly any
  std::size_t groups = 0;  ///< of words, from which that error comes
  std::size_t words = 0, positions = 0;  ///< rows
};
PERP_ROW_OF(Overlap, OfModel, of, value, sd, floor, error, groups, words, positions)

/// Of all pairs of a word and a position; each beside its standard deviation by chance.
struct PairCosines : OfModel {
  std::size_t words, positions, d;
  double mean, mean_sd, square, square_sd, centred;  ///< squares: times d, 1 by chance
};
PERP_ROW_OF(PairCosines, OfModel, words, positions, d, mean, mean_sd, square, square_sd, centred)

/// A row of cosines and the overlaps of one model's words and positions.
void measure_overlaps(const ModelUnderTest& model, const Compared& at, const Streams& streams, Rows& rows);

}  // namespace perp::inspect
