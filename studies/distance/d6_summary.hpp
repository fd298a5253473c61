#pragma once

#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// The share of the scores' variance from which on the lag is said to be what they tell.
inline constexpr double mostly_lag = 0.5;

/// Tables, findings and rule of claim D6 from its cells' records.
Outcome summarise_projection(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
