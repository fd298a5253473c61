#pragma once

#include <span>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"

namespace perp::distance {

/// ρ = ‖p‖/‖x‖ of a sinusoid beside words with entries of variance 1: √(d/2)/√d.
inline constexpr double natural_ratio = 0.70710678118654752;

/// Expected variances of the four terms of (x+p)ᵀQᵀQ(y+p'), as shares of their sum: Q rank x d with iid
/// normal entries, `words` words with iid normal entries of one variance, each of them met with itself too,
/// positions as `kernel` says, p_t·p_{t+k} for k = 0 … L-1.
theory::FourShares tied_shares(std::size_t d, std::size_t words, double word_variance,
                               std::span<const double> kernel, std::size_t rank);

Table four_shares_table(const std::vector<CellRecords>& cells);  ///< d9_shares.csv

}  // namespace perp::distance
