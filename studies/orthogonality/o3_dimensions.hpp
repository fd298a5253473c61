#pragma once
// What follows from the cells of O3: tables, findings, rule.

#include "perp/study/experiment.hpp"
#include "studies/inputs/words.hpp"

namespace perp::orthogonality {

/// `inputs` says whether the real words were learned or given, or why there are none.
Outcome summarise_dimensions(const std::vector<CellRecords>& cells, const WordInputs& inputs);

}  // namespace perp::orthogonality
