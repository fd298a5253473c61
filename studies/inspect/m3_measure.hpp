#pragma once
// The cells of M3: how much the spreads of a model's words and positions overlap, and at which angles their
// leading directions meet.

#include <cmath>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

/// d tr(AB)/(tr A tr B) of two covariances; what it is if one of them is turned at random, on average (1 by
/// theorem, unless a direction was chosen and left out) and by how much it then varies.
struct Overlap : OfModel {
  std::string of;  ///< "centred", "uncentred" (about the origin), "without one direction" (the one that both
                   ///< share most), "without ten", "without thirty" (of the positions, the leading ones),
                   ///< "after LayerNorm" (centred and weighed as by the first one), "by frequency" (words
                   ///< as often as a text has them), "trained rows", "frequent", "middle", "rare"
  double value, chance = 1, sd = NAN;
  double floor = NAN;      ///< the least that turning one of them could make of it, for their spectra
  double error = NAN;      ///< standard error, as another choice of words would move it; NaN of hardly any
  std::size_t groups = 0;  ///< of words, from which that error comes
  /// Middle 99 % with one table's coordinates in random orders, or NaN.
  double permuted_low = NAN, permuted_high = NAN;
  std::size_t words = 0, positions = 0;  ///< rows

  double departure() const { return sd > 0 ? (value - chance) / sd : NAN; }
};
PERP_ROW_OF(Overlap, OfModel, of, value, chance, sd, floor, error, groups, permuted_low, permuted_high, words,
            positions)

/// Angles between k directions of the centred words, with the most ("leading") or the least ("trailing") of
/// their variance, and the leading r of the centred positions ("given"); or between subspaces of these sizes
/// of which one is turned at random ("turned", whose end is "").
struct Meeting : OfModel {
  std::string end, table;
  std::size_t k, r, d;
  double mean_square, smallest, largest;  ///< squared principal cosine; angles in degrees
  double error;  ///< standard error of mean_square, as another choice of words would move it; NaN where none

  double ratio() const { return over_chance(mean_square); }
  double over_chance(double x) const { return x * double(d) / double(std::max(k, r)); }
};
PERP_ROW_OF(Meeting, OfModel, end, table, k, r, d, mean_square, smallest, largest, error)

/// Where the positions' variance lies among the words' directions: the share inside the half of them with the
/// most variance of words; under a random rotation 1/2, with standard deviation sd.
struct Inside : OfModel {
  double share, chance, sd;
};
PERP_ROW_OF(Inside, OfModel, share, chance, sd)

struct Compared : OfModel {
  std::size_t rotations;
};
PERP_ROW_OF(Compared, OfModel, rotations)

/// Overlaps and meetings of one model's words and positions. Thirds of the words are taken in the order of
/// the table, roughly that of frequency in most vocabularies, without rows that training never met.
void measure_overlaps(const ModelUnderTest& model, const Compared& at, const Streams& streams, Rows& rows);

}  // namespace perp::inspect
