#pragma once
// What follows from the cells of O1: tables, findings, rule.

#include "perp/study/experiment.hpp"

namespace perp::orthogonality {

Outcome summarise_random_pairs(const std::vector<CellRecords>& cells);

}  // namespace perp::orthogonality
