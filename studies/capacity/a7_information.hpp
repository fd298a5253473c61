#pragma once
// Shared by the files of claim A7. Noise is given as its standard deviation at d = 32; at other widths it
// grows with √d, so that a word's energy over the noise's variance, d/n² = 32/noise², is the same at every
// width.

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// The width at which noise is given.
inline constexpr double noise_width = 32;
inline double noise_at(std::size_t d, double noise) {
  return noise * std::sqrt(static_cast<double>(d) / noise_width);
}

/// Name of the k-th split's bits in a record, k = 0 … 6 for d_p = (k + 1) d/8.
inline std::string split_name(std::size_t k) { return "split" + std::to_string(k + 1); }
inline constexpr std::size_t split_count = 7;

/// The setting whose numbers are printed, and its two noises: words are found nearly always, and not.
inline constexpr std::size_t shown_d = 32, shown_words = 256, shown_length = 64;
inline constexpr double low_noise = 0.5, high_noise = 1;
/// A gain of this share of log2(VL) is one that a designer would mind.
inline constexpr double material_gain = 0.01;

/// Which of many gains differ from 0, by Benjamini and Hochberg's procedure (1995, J. R. Stat. Soc. B 57:289)
/// at 1 %: the most, k of m, each of which has by itself an interval of level 1 - k/m · 1 % without 0.
std::vector<bool> certain(const std::vector<Estimate>& gains);

/// Tables, findings and rule of A7 from its cells' records.
Outcome summarise_information(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
