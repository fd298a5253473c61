#pragma once
// What follows from the cells of O4: tables, findings, rule.

#include "perp/study/experiment.hpp"

namespace perp::orthogonality {

inline constexpr std::size_t wachter_bins = 50;  ///< of cos² over [0, 1]
inline constexpr std::size_t energy_bins = 60;   ///< over the mean ± 5 standard deviations

/// `missing` says why there are no real words, or is empty.
Outcome summarise_subspaces(const std::vector<CellRecords>& cells, const std::string& missing);

}  // namespace perp::orthogonality
