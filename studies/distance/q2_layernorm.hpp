#pragma once
// Shared by the files of question Q2.

#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// A read-out, a share between 0 and 1, is kept if LayerNorm lowers it by less than this.
inline constexpr double kept_within = 0.02;
/// The lag alone still decides the products of positions if it explains this share of their variance.
inline constexpr double lag_decides = 0.99;

/// Tables, findings and rule of Q2 from its cells' records.
Outcome summarise_layer_norm(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
