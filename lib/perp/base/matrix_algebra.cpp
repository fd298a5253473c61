#include "perp/base/matrix_algebra.hpp"

#include <algorithm>
#include <cmath>

#if __has_include(<xtensor/core/xmath.hpp>)
#include <xtensor/core/xmath.hpp>
#include <xtensor/misc/xmanipulation.hpp>
#else
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>

#include "perp/base/error.hpp"
#endif

namespace perp {

template <class T>
Matrix<T> transposed(View<T> a) {
  // Squares that stay in the cache: rows alone would fetch a line per value.
  constexpr std::size_t square = 32;
  Matrix<T> out = matrix<T>(a.cols, a.rows);
  for (std::size_t i0 = 0; i0 < a.rows; i0 += square)
    for (std::size_t j0 = 0; j0 < a.cols; j0 += square)
      for (std::size_t i = i0; i < std::min(a.rows, i0 + square); ++i)
        for (std::size_t j = j0; j < std::min(a.cols, j0 + square); ++j) out(j, i) = a(i, j);
  return out;
}

template <class To, class From>
Matrix<To> entries_as(View<From> a) {
  Matrix<To> out = matrix<To>(a.rows, a.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    std::ranges::transform(a.row(i), row(out, i).begin(), [](From x) { return static_cast<To>(x); });
  return out;
}

template <class To>
Matrix<To> converted(View<float> a) {
  return entries_as<To>(a);
}
template <class To>
Matrix<To> converted(View<double> a) {
  return entries_as<To>(a);
}

template <class T>
Matrix<T> select_rows(View<T> a, std::span<const std::size_t> order) {
  Matrix<T> out = matrix<T>(order.size(), a.cols);
  for (std::size_t i = 0; i < order.size(); ++i) {
    expect(order[i] < a.rows, "select_rows: row {} of a {} x {} table", order[i], a.rows, a.cols);
    std::ranges::copy(a.row(order[i]), row(out, i).begin());
  }
  return out;
}

template <class T>
Matrix<T> placed(View<T> a, std::size_t first, std::size_t d) {
  expect(first + a.cols <= d, "placed: {} columns from {} on of {}", a.cols, first, d);
  Matrix<T> out = zeros<T>(a.rows, d);
  for (std::size_t i = 0; i < a.rows; ++i) std::ranges::copy(a.row(i), row(out, i).subspan(first).begin());
  return out;
}

template <class T>
std::vector<double> column_means(View<T> a) {
  std::vector<double> means(a.cols, 0.0);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j) means[j] += static_cast<double>(a(i, j));
  for (double& mean : means) mean /= static_cast<double>(a.rows);
  return means;
}

template <class T>
Matrix<T> less_row(View<T> a, std::span<const double> mean) {
  expect(mean.size() == a.cols, "less_row: {} numbers off the rows of a {} x {} table", mean.size(), a.rows,
         a.cols);
  Matrix<T> out = matrix<T>(a.rows, a.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      out(i, j) = static_cast<T>(static_cast<double>(a(i, j)) - mean[j]);
  return out;
}

template <class T>
std::vector<double> row_norms(View<T> a) {
  std::vector<double> norms(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    const std::span<const T> values(a.data + i * a.stride, a.cols);
    norms[i] = std::sqrt(dot(values, values));
  }
  return norms;
}

double trace(const Matrix<double>& a) {
  expect(rows(a) == cols(a), "trace: a {} x {} matrix; a square one was expected", rows(a), cols(a));
  return xt::sum<double>(xt::diagonal(a))();
}

#define PERP_INSTANTIATE(T)                                                                                  \
  template Matrix<T> converted(View<float>);                                                                 \
  template Matrix<T> converted(View<double>);                                                                \
  Matrix<T> transposed(View<T> a) { return transposed<T>(a); }                                               \
  Matrix<T> select_rows(View<T> a, std::span<const std::size_t> order) { return select_rows<T>(a, order); }  \
  Matrix<T> leading_rows(View<T> a, std::size_t count) { return entries_as<T>(block(a, 0, count, a.cols)); } \
  Matrix<T> placed(View<T> a, std::size_t first, std::size_t d) { return placed<T>(a, first, d); }           \
  std::vector<double> column_means(View<T> a) { return column_means<T>(a); }                                 \
  Matrix<T> less_row(View<T> a, std::span<const double> mean) { return less_row<T>(a, mean); }               \
  Matrix<T> centred(View<T> a) { return less_row<T>(a, column_means<T>(a)); }                                \
  std::vector<double> row_norms(View<T> a) { return row_norms<T>(a); }
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp
