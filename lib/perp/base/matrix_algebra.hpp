#pragma once
// Small algebra on tables, from containers or views to containers. Sums are in double and run in the order of
// rows and columns. Where a loop beats xtensor's lazy expressions, which step through two dimensions five to
// twenty times more slowly (columns' means, copies, transpositions), a loop it is.

#include <vector>

#include "perp/base/array.hpp"

namespace perp {

Matrix<float> transposed(View<float> a);
Matrix<double> transposed(View<double> a);

/// Each entry as a To.
template <class To>
Matrix<To> converted(View<float> a);
template <class To>
Matrix<To> converted(View<double> a);

/// The rows numbered in `order`, in that order. Throws Error for a number beyond the table.
Matrix<float> select_rows(View<float> a, std::span<const std::size_t> order);
Matrix<double> select_rows(View<double> a, std::span<const std::size_t> order);
/// The first `count` rows. Throws Error if there are fewer.
Matrix<float> leading_rows(View<float> a, std::size_t count);
Matrix<double> leading_rows(View<double> a, std::size_t count);

/// The columns of `a` as columns first, first + 1, … of d, the others 0; first + its columns <= d.
Matrix<float> placed(View<float> a, std::size_t first, std::size_t d);
Matrix<double> placed(View<double> a, std::size_t first, std::size_t d);

/// Of each column; of a table without rows NaN.
std::vector<double> column_means(View<float> a);
std::vector<double> column_means(View<double> a);

/// The rows less `mean`, subtracted in double.
Matrix<float> less_row(View<float> a, std::span<const double> mean);
Matrix<double> less_row(View<double> a, std::span<const double> mean);
/// The rows less their mean.
Matrix<float> centred(View<float> a);
Matrix<double> centred(View<double> a);

/// Euclidean length of each row.
std::vector<double> row_norms(View<float> a);
std::vector<double> row_norms(View<double> a);

/// Sum of the diagonal.
double trace(const Matrix<double>& a);

// Always inlined: each target contracts multiply-adds as its own flags say, and no linker picks among copies.
[[gnu::always_inline]] inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
[[gnu::always_inline]] inline double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

}  // namespace perp
