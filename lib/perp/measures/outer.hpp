#pragma once
// The mean outer product of a table's rows: what any second-order statistic of all pairs of rows needs.

#include "perp/base/array.hpp"

namespace perp {

/// A = Σ x xᵀ/n over the rows x of `table` (n x d): d x d, symmetric. Products of tiles in float32, their sum
/// in float64: relative error about 1e-7 of the trace. Throws Error for an empty table.
Matrix<double> mean_outer_product(View<float> table);

/// tr(A B) for symmetric A, B (d x d). Throws Error for different shapes.
double trace_of_product(const Matrix<double>& a, const Matrix<double>& b);

}  // namespace perp
