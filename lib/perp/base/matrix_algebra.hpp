#pragma once
// Small algebra on tables, from containers or views to containers. Sums are in double and run in the order of
// rows and columns. Where a loop beats xtensor's lazy expressions, which step through two dimensions five to
// twenty times more slowly (columns' means, copies, transpositions), a loop it is.

#include <vector>

#include "perp/base/array.hpp"

namespace perp {

template <class T>
Matrix<T> transposed(View<T> a);
template <TableLike A>
Matrix<Entry<A>> transposed(const A& a) {
  return transposed(View(a));
}

/// Each entry as a To.
template <class To, class From>
Matrix<To> converted(View<From> a);
template <class To, TableLike A>
Matrix<To> converted(const A& a) {
  return converted<To, Entry<A>>(View(a));
}

/// The rows numbered in `order`, in that order. Throws Error for a number beyond the table.
template <class T>
Matrix<T> select_rows(View<T> a, std::span<const std::size_t> order);
template <TableLike A>
Matrix<Entry<A>> select_rows(const A& a, std::span<const std::size_t> order) {
  return select_rows(View(a), order);
}
/// The first `count` rows. Throws Error if there are fewer.
template <TableLike A>
Matrix<Entry<A>> leading_rows(const A& a, std::size_t count) {
  return converted<Entry<A>>(block(View(a), 0, count, View(a).cols));
}

/// The columns of `a` as columns first, first + 1, … of d, the others 0; first + its columns <= d.
template <class T>
Matrix<T> placed(View<T> a, std::size_t first, std::size_t d);
template <TableLike A>
Matrix<Entry<A>> placed(const A& a, std::size_t first, std::size_t d) {
  return placed(View(a), first, d);
}

/// Of each column; of a table without rows NaN.
template <class T>
std::vector<double> column_means(View<T> a);
template <TableLike A>
std::vector<double> column_means(const A& a) {
  return column_means(View(a));
}

/// The rows less `mean`, subtracted in double.
template <class T>
Matrix<T> less_row(View<T> a, std::span<const double> mean);
template <TableLike A>
Matrix<Entry<A>> less_row(const A& a, std::span<const double> mean) {
  return less_row(View(a), mean);
}
/// The rows less their mean.
template <TableLike A>
Matrix<Entry<A>> centred(const A& a) {
  return less_row(View(a), column_means(View(a)));
}

/// Euclidean length of each row.
template <class T>
std::vector<double> row_norms(View<T> a);
template <TableLike A>
std::vector<double> row_norms(const A& a) {
  return row_norms(View(a));
}

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
