#pragma once
// Shared by the files of claim D8. Spacings are counted in turns: ΔL/2π, the circles by which two frequencies
// Δ apart part company over L positions.

#include <cstddef>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// |cosine| below this is what this study calls nearly orthogonal, and "nearly all" is this share of the
/// pairs.
inline constexpr double nearly_orthogonal = 0.1, nearly_all = 0.99;
/// Frequencies from this many turns apart on are well spaced.
inline constexpr double spaced_turns = 4;
/// A column that makes fewer turns than this over all positions is no wave but a slope.
inline constexpr double slow_turns = 0.1;

/// Tables, findings and rule of D8 from its cells' records.
Outcome summarise_columns(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
