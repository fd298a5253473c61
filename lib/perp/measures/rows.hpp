#pragma once
// What is computed row by row of a table: sums of squares, layer normalisation, second moments.
//
// The sum of squares of a float row is in float64, in lanes: a sum in its written order cannot be
// vectorised. Floats' squares neither overflow nor vanish in float64, so the sum is finite exactly where
// every value is.

#include <array>
#include <cstddef>
#include <span>

#include "perp/base/array.hpp"
#include "perp/base/matrix_algebra.hpp"

namespace perp {

/// x². std::pow(x, 2) is a product at some levels of optimisation and a call, with other last bits, at others.
constexpr double squared(double x) { return x * x; }

// Always inlined, as quick_sine (base/functions.hpp).
[[gnu::always_inline]] inline double sum_of_squares(std::span<const float> values) {
  constexpr std::size_t lanes = 32;
  std::array<double, lanes> sum{};
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = values[i + lane];
      sum[lane] += x * x;
    }
  double total = 0;
  for (; i < values.size(); ++i) total += static_cast<double>(values[i]) * values[i];
  for (const double part : sum) total += part;
  return total;
}

/// Mean of ‖x‖² over the rows x (n x d), in the table's unit squared; relative error n d 1e-16 at most.
/// Float64 rows are summed in the order of rows and columns. NaN of a table without rows.
[[gnu::always_inline]] inline double mean_square_length(const Matrix<float>& table) {
  double sum = 0;
  for (std::size_t i = 0; i < rows(table); ++i) sum += sum_of_squares(row(table, i));
  return sum / static_cast<double>(rows(table));
}
[[gnu::always_inline]] inline double mean_square_length(const Matrix<double>& table) {
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table.data()[i] * table.data()[i];
  return sum / static_cast<double>(rows(table));
}

// Layer normalisation (Ba, Kiros & Hinton 2016, arXiv 1607.06450, eq. 4): every row by itself.

/// gain · (x - x̄)/√(var x + epsilon) + bias for every row x of `rows` (L x d), where x̄ and var (over d, not
/// d - 1) are the row's own; gain and bias have d values, or none for gain 1 and bias 0. A row of equal
/// values becomes the bias. Throws Error for values that are not finite.
Matrix<double> layer_norm(View<double> rows, std::span<const double> gain = {},
                          std::span<const double> bias = {}, double epsilon = 1e-5);

// Second moments of a table's rows: what any second-order statistic of all pairs of rows needs.

/// A = Σ x xᵀ/n over the rows x of `table` (n x d): d x d, symmetric, in the table's unit squared. Of float32
/// products of tiles in float32, their sum in float64: relative error about 1e-7 of the trace; of float64 one
/// product, n 1e-16.
Matrix<double> mean_outer_product(View<float> table);
Matrix<double> mean_outer_product(View<double> table);

/// Σ (x - x̄)(x - x̄)ᵀ/n over the same rows, x̄ their mean: over n, not over n - 1.
Matrix<double> covariance(View<float> table);
Matrix<double> covariance(View<double> table);

/// W with W C Wᵀ = I for a covariance C (d x d), which it takes apart as L Lᵀ: W = L⁻¹, lower triangular, so
/// that x -> W x turns rows of covariance C into rows of covariance I. Rounding is 1e-16 times the condition
/// of C. Empty if C is singular or close to it: where the diagonal of L spans a factor of 1e7.
Matrix<double> whitening(const Matrix<double>& covariance);

/// tr(A B) for symmetric A, B (d x d).
double trace_of_product(const Matrix<double>& a, const Matrix<double>& b);
/// tr A² of a mean outer product or covariance (d x d), within (tr A)²/d … (tr A)²: sums in float32 leave that of a
/// table of one direction a little beyond.
double trace_of_square(const Matrix<double>& a);

}  // namespace perp
