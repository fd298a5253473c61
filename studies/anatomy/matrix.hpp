#pragma once
// A picture's matrix as a compact table: one row per row, one column per column, four decimals.

#include <functional>

#include "perp/base/array.hpp"
#include "perp/study/claim_file.hpp"

namespace perp::anatomy {

/// To four decimals, which is finer than a colour can show; without a negative zero.
double four_decimals(double value);

/// Adds a table to what follows from the claim, after those of its file: first the row's index, then columns t0, t1, …, whose
/// meaning is `meaning` followed by the column's position.
void add_matrix(DescribedClaim& claim, const char* file, const Column& index, const char* meaning,
                std::function<Matrix<double>()> values);

}  // namespace perp::anatomy
