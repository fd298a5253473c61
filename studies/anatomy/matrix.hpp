#pragma once
// A picture's matrix as a compact table: one row per row, one column per column, four decimals.

#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::anatomy {

/// One record per row of `values`: {row_name: index, "t0": …, "t1": …}, rounded to four decimals, which is
/// finer than a colour can show.
Records matrix_records(const std::string& name, const std::string& row_name, const Matrix<double>& values);

/// These records as a table: first the row's index, then columns t0, t1, …, whose meaning is `meaning`
/// followed by the column's position.
Table matrix_table(const std::vector<CellRecords>& cells, const std::string& name, const std::string& file,
                   const Column& index, const std::string& meaning);

}  // namespace perp::anatomy
