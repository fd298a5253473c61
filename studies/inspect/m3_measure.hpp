#pragma once
// The cells of M3: how much the spreads of a model's words and positions overlap, and at which angles their
// leading directions meet.

#include <cmath>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

/// d tr(AB)/(tr A tr B) of two covariances: 1 by chance; its standard deviation if one of them were turned at
/// random.
struct Overlap : OfModel {
  std::string
      of;  ///< "centred", "uncentred" (about the origin), "trained rows", "frequent", "middle", "rare"
  double value, sd;
  std::size_t words, positions;  ///< rows

  double departure() const { return sd > 0 ? (value - 1) / sd : NAN; }
};
PERP_ROW_OF(Overlap, OfModel, of, value, sd, words, positions)

/// Angles between the leading k directions of the centred words and r of the centred positions ("given"), or
/// between subspaces of these sizes of which one is turned at random ("turned").
struct Meeting : OfModel {
  std::string table;
  std::size_t k, r, d, rotation;
  double mean_square, smallest, largest;  ///< squared principal cosine; angles in degrees

  double ratio() const { return mean_square * double(d) / double(std::max(k, r)); }
};
PERP_ROW_OF(Meeting, OfModel, table, k, r, d, rotation, mean_square, smallest, largest)

struct Compared : OfModel {
  std::size_t rotations;
};
PERP_ROW_OF(Compared, OfModel, rotations)

/// Overlaps and meetings of one model's words and positions. Thirds of the words are taken in the order of
/// the table, which vocabularies sort by frequency, without rows that training never met.
void measure_overlaps(const ModelUnderTest& model, const Compared& at, const Streams& streams, Rows& rows);

}  // namespace perp::inspect
