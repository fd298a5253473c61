#pragma once
// A9: the scores of the first block, taken apart.

#include "perp/study/claim.hpp"

namespace perp::learning {

/// a9_terms.csv and a9_attention.csv, and the findings on the terms in the scores' variance, on what the
/// distance alone makes of the position scores, and on where a head looks.
void add_score_terms(const Cells& cells, Summary& summary);

}  // namespace perp::learning
