#pragma once
// What A10's pairs on a text came to.

#include "studies/learning/a10_text_pairs.hpp"

namespace perp::learning {

/// text_runs.csv beside this file, which scripts/text-pairs writes and the build takes in.
const std::vector<PairRun>& text_runs();
Input text_runs_input();

/// Tables of pairs, of their seeds and of all runs; findings of those pairs that have all their seeds, whose runs are
/// all a bit or more better than byte frequencies, where no positions lose a tenth of a bit or more to the best arm.
/// Nothing without runs.
void add_judged_pairs(const std::vector<PairRun>& made, const Text& text, Summary& summary);

}  // namespace perp::learning
