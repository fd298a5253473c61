#pragma once
// A9: what is measured besides the probes.

#include "perp/study/claim.hpp"

namespace perp::learning {

/// a9_terms.csv and a9_attention.csv, and the findings on the terms in the scores' variance, on what the
/// distance alone makes of the position scores, and on where a head looks.
void add_score_terms(const Cells& cells, Summary& summary);

/// a9_overlap.csv, a9_overlap_seeds.csv and a9_directions.csv, and the findings on the overlap of words and
/// positions and on their leading and trailing directions.
void add_overlaps(const Cells& cells, Summary& summary);

}  // namespace perp::learning
