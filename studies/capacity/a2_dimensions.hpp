#pragma once
// Shared by the files of claim A2: which dimensions a decoder sees, and at which sizes.

#include <array>
#include <cstddef>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// The width and number of positions at which words are recovered from bands.
inline constexpr std::size_t band_width = 512, band_positions = 512;

/// What a decoder sees of d dimensions.
inline constexpr std::array<const char*, 6> bands{"first", "second", "third", "last", "random", "all"};
inline constexpr std::size_t quarters = 4;

/// A quarter of the dimensions must let fewer words than this through to count as unusable.
inline constexpr double usable = 0.5;
/// A quarter with less than this share of the power that varies counts as hardly touched.
inline constexpr double hardly = 0.05;
/// The factor A at which quarters are compared: about the knee of a quarter, where differences show.
inline constexpr std::size_t compared_factor = 4;

/// Columns of the sinusoid against their closed forms: one cell's records.
Records run_columns(std::size_t d, std::size_t length);
/// Words and positions recovered from bands of x + A p.
Records run_bands(const Cell& cell, const Streams& streams);

/// Tables, findings and rule of A2 from its cells' records.
Outcome summarise_dimensions(const std::vector<CellRecords>& cells);
/// The two tables of columns.
std::vector<Table> column_tables(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
