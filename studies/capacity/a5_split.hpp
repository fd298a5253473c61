#pragma once
// Shared by the files of claim A5.

#include <cstddef>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// Splits are measured at every sixteenth of the width: d_p = d/16 … 15 d/16.
inline constexpr std::size_t split_steps = 16;

/// The setting whose numbers are printed, and the noise that decides: words and positions are mostly found,
/// not always. The rate region is drawn at the higher one.
inline constexpr std::size_t region_d = 32, region_words = 256, region_length = 64;
inline constexpr double deciding_noise = 1, region_noise = 1.5;
/// The two noises between which a split is moved.
inline constexpr double weak_noise = 0.5, strong_noise = 2;
/// A loss of this many bits is one that a designer would mind.
inline constexpr double material_loss = 0.5;

/// Tables, findings and rule of A5 from its cells' records.
Outcome summarise_splits(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
