#pragma once
// Second moments of a table's rows: what any second-order statistic of all pairs of rows needs.

#include "perp/base/array.hpp"
#include "perp/base/matrix_algebra.hpp"

namespace perp {

/// A = Σ x xᵀ/n over the rows x of `table` (n x d): d x d, symmetric, in the table's unit squared. Of float32
/// products of tiles in float32, their sum in float64: relative error about 1e-7 of the trace; of float64 one
/// product, n 1e-16. Throws Error for an empty table.
Matrix<double> mean_outer_product(View<float> table);
Matrix<double> mean_outer_product(View<double> table);

/// Σ (x - x̄)(x - x̄)ᵀ/n over the same rows, x̄ their mean: over n, not over n - 1.
template <TableLike A>
Matrix<double> covariance(const A& table) {
  return mean_outer_product(centred(table));
}

/// W with W C Wᵀ = I for a covariance C (d x d), which it takes apart as L Lᵀ: W = L⁻¹, lower triangular, so
/// that x -> W x turns rows of covariance C into rows of covariance I. Rounding is 1e-16 times the condition
/// of C. Empty if C is singular or close to it: where the diagonal of L spans a factor of 1e7. Throws Error
/// unless C is square.
Matrix<double> whitening(const Matrix<double>& covariance);

/// tr(A B) for symmetric A, B (d x d). Throws Error for different shapes.
double trace_of_product(const Matrix<double>& a, const Matrix<double>& b);
/// tr A² of a mean outer product or covariance (d x d), within (tr A)²/d … (tr A)²: sums in float32 leave that of a
/// table of one direction a little beyond.
double trace_of_square(const Matrix<double>& a);

}  // namespace perp
