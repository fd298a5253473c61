#pragma once
// D7: which frequencies carry short and which carry long distances, and how far they reach.

#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::distance {

/// Frequencies are cut into quarters, 1 the fastest: [T^(-(q-1)/4), T^(-q/4)).
inline constexpr std::size_t quarters = 4;
/// Dimension of D7's tables, except where a table's own column says otherwise.
inline constexpr std::size_t range_dimension = 512;
/// A column whose standard deviation over the text is below this stands still: a seventh of what a column
/// that turns has.
inline constexpr double still = 0.1;
/// Noise along a direction, over |p|, under which positions are confused for counting.
inline constexpr double confusion_noise = 0.25;

/// A quarter's share of Σ(1 - cos ωk) for d -> infinity.
double distance_share_limit(double base, std::size_t quarter, double lag);
/// A quarter's part of (g(k) - g(2k))/g(0) for d -> infinity.
double change_limit(double base, std::size_t quarter, double lag);
/// A quarter's share of the change of similarity from lag k to 2k over every lag of the octave from `first`
/// on, Σ_k |g_q(k) - g_q(2k)| over the same of all four, from the exact sums at d dimensions.
double change_share(std::size_t d, double base, std::size_t quarter, std::size_t first);
/// The same for d -> infinity.
double change_share_limit(double base, std::size_t quarter, std::size_t first);
/// The same of the changes' means over the octave, |Σ_k g_q(k) - g_q(2k)|: single lags carry the aliases of
/// the fast frequencies, which the mean forgets.
double mean_change_share(std::size_t d, double base, std::size_t quarter, std::size_t first);
double mean_change_share_limit(double base, std::size_t quarter, std::size_t first);
/// The share of columns with a standard deviation below `still` over L positions, frequencies being dense and
/// positions continuous.
double still_share_line(double base, double length);

/// Rows of the sinusoidal table at any positions.
Matrix<double> rows_at(const std::vector<std::uint64_t>& positions, std::size_t d, double base);
Records measure_bands(const Cell& cell);
Records measure_noise(const Cell& cell);
/// Noisy copies of one position that are nearer to another.
Records measure_errors(const Cell& cell, const Streams& streams);

Table band_table(const std::vector<CellRecords>& cells);
Table octave_table(const std::vector<CellRecords>& cells);
Table wavelength_table(const std::vector<CellRecords>& cells);
Table column_table(const std::vector<CellRecords>& cells);
Table noise_table(const std::vector<CellRecords>& cells);
Table error_table(const std::vector<CellRecords>& cells);
void add_error_findings(const Table& errors, std::vector<Finding>& findings);
Outcome summarise_ranges(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
