#pragma once
// A picture's matrix as a compact table: one row per row, one column per column, four decimals.

#include "perp/base/array.hpp"
#include "perp/study/table.hpp"

namespace perp::anatomy {

/// To four decimals, which is finer than a colour can show; without a negative zero.
double four_decimals(double value);

/// First the row's index, then columns t0, t1, …, whose meaning is `meaning` followed by the column's
/// position.
Table matrix_table(const char* file, const Column& index, const char* meaning, const Matrix<double>& values);

}  // namespace perp::anatomy
