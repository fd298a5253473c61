#pragma once

#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// Draws of a cell that the claim is judged by, at least.
inline constexpr std::size_t judged_draws = 800;

/// Tables, findings and rule of claim D9 from its cells' records.
Outcome summarise_sums(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
