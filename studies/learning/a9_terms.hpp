#pragma once
// A9: the scores of the first block, taken apart.

#include "perp/study/claim.hpp"

namespace perp::learning {

/// a9_terms.csv, and the findings on the terms in the scores' variance and on what the distance alone makes
/// of the position scores.
void add_score_terms(const Cells& cells, Summary& summary);

}  // namespace perp::learning
