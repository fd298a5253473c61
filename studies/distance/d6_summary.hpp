#pragma once

#include <string>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// The share of the scores' variance from which on the lag is said to be what they tell.
inline constexpr double mostly_lag = 0.5;

/// The condition on a trained layer's heads: a model's that the study was given, or (no name) a place for
/// those of other studies.
Condition trained_heads(const std::string& file);

/// Tables, findings and rule of claim D6 from its cells' records.
Outcome summarise_projection(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
