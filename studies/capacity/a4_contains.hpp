#pragma once
// A4: does adding contain concatenating; what the parts of this claim share.

#include "perp/study/experiment.hpp"
#include "studies/capacity/a3_tables.hpp"

namespace perp::capacity {

/// Relative difference of scores up to which two ways to compute them are the same.
inline constexpr double same_scores = 1e-9;
/// Sizes, named by their words: the known one, half of it (the only one in a quick run), and fewer words per
/// position.
struct ContainSize {
  std::size_t words, positions, d;
};
inline constexpr ContainSize contain_sizes[] = {{300, 32, 64}, {150, 16, 32}, {60, 12, 24}};

/// Words and positions in separate dimensions, turned: the same scores and residual as concatenated.
Records run_containment(const Cell& cell, const Streams& streams);
/// From the best split, all tables free.
Records run_joint(const Cell& cell, const Streams& streams);
/// Words fixed at full width, positions free at one power, from five starts.
Records run_alone(const Cell& cell, const Streams& streams);

Outcome summarise_contains(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
