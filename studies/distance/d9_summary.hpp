#pragma once

#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// Tables, findings and rule of claim D9 from its cells' records.
Outcome summarise_sums(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
