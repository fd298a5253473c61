#pragma once
// What follows from the cells of O3: tables, findings, rule.

#include "perp/study/experiment.hpp"

namespace perp::orthogonality {

/// `missing` says why there are no real words, or is empty.
Outcome summarise_dimensions(const std::vector<CellRecords>& cells, const std::string& missing);

}  // namespace perp::orthogonality
