#pragma once
// Shared by the files of question Q1.

#include <vector>

#include "perp/statistics/moments.hpp"
#include "perp/study/experiment.hpp"

namespace perp::distance {

/// A difference of R² that a reader would call one.
inline constexpr double visible_difference = 0.01;

/// Tables, findings and rule of Q1 from its cells' records.
Outcome summarise_layout(const std::vector<CellRecords>& cells);

/// Its parts; each adds its tables and findings, the first two the conditions of the rule.
void add_following(const std::vector<CellRecords>& cells, Outcome& outcome);  ///< weights follow the tables
void add_held(const std::vector<CellRecords>& cells, Outcome& outcome);       ///< random weights, held fixed
void add_given(const std::vector<CellRecords>& cells, Outcome& outcome);  ///< given ones, if there are any

Moments moments_of(const std::vector<double>& values);

}  // namespace perp::distance
