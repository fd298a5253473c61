#pragma once
// A8: what training does to the lengths of words, beside the same seed's words in a model without positions.

#include "perp/study/experiment.hpp"

namespace perp::learning {

/// Tables a8_paths.csv (every step looked at), a8_end.csv and a8_seeds.csv, findings at the end of training:
///   A8.growth   length of the words over what it was before training; chance 1: they keep it
///   A8.excess   the same over the growth of the same seed's words without positions; chance 1
///   A8.inside   share of a word's energy per direction of the positions over that per direction of the
///   space;
///               chance 1. Without positions in the stream: the sinusoid's directions
///   A8.ratio    length of positions over that of words; theory: the knee of claim A1
/// and, where words were started small as well,
///   A8.met      the ratio from the small start over that from the usual one; 1 if both end alike.
Outcome summarise_growth(const std::vector<CellRecords>& cells);

}  // namespace perp::learning
