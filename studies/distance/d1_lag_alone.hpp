#pragma once
// Shared by the files of claim D1: which number formats are held against one another, and what follows.

#include <array>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/vectors/format.hpp"

namespace perp::distance {

/// The table is stored in one format, the angles ω_i t are computed in another.
struct Storage {
  Format table, angle;
};
/// The table short alone, the angle short alone, and both as code has them. (bfloat16, bfloat16) is the
/// rotary layer that holds frequencies and positions in the model's own type; (bfloat16, float32) is its
/// repair.
inline constexpr std::array<Storage, 12> storages{{{Format::float64, Format::float64},
                                                   {Format::float32, Format::float64},
                                                   {Format::bfloat16, Format::float64},
                                                   {Format::float16, Format::float64},
                                                   {Format::float64, Format::float32},
                                                   {Format::float64, Format::bfloat16},
                                                   {Format::float64, Format::float16},
                                                   {Format::float32, Format::float32},
                                                   {Format::bfloat16, Format::float32},
                                                   {Format::float16, Format::float32},
                                                   {Format::bfloat16, Format::bfloat16},
                                                   {Format::float16, Format::float16}}};

/// Deviations below this share of g(0) = d/2 leave the product, for this study, a function of the lag alone.
inline constexpr double same_enough = 0.01;

/// g(0) … g(lags-1) of the frequencies (usual base) as the format holds them, summed beyond float64, so that
/// a deviation from it is the table's.
std::vector<double> kernel_of_format(std::size_t d, Format angle, std::size_t lags);

/// Largest |p_t·p_s - g(s-t)| to expect by rounding for positions up to `last`: the table's rounding and the
/// angle's, one for the product and one more where positions are no longer exact.
double rounding_bound(const Storage& storage, std::size_t d, double base, double last);

/// The records as tables: deviations by position, Toeplitz defects, deviations by lag, the source's pairs.
Table position_table(const std::vector<CellRecords>& cells);
Table toeplitz_table(const std::vector<CellRecords>& cells);
Table lag_table(const std::vector<CellRecords>& cells);
Table pair_table(const std::vector<CellRecords>& cells);

/// Tables, findings and rule of D1 from its cells' records.
Outcome summarise_lag_alone(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
