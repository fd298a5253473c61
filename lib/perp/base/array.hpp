#pragma once
// Dense arrays under short names. The only header that includes xtensor, so that its 0.24/0.25 layout and the
// regrouped one of 0.26 both work, and so that nobody meets its lazy expressions by accident: functions of
// this library take and return containers or `View`s, never expressions.

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"

// A function's result that points into its argument: clang then warns where that is a temporary.
#if __has_cpp_attribute(clang::lifetimebound)
#define PERP_POINTS_INTO [[clang::lifetimebound]]
#else
#define PERP_POINTS_INTO
#endif

namespace perp {

/// Row-major matrix, rows x cols. Newly shaped ones are uninitialised; use `zeros` where that matters. What
/// would not fit into memory is an Error before anything is allocated.
template <class T>
using Matrix = xt::xtensor<T, 2, xt::layout_type::row_major>;
template <class T>
Matrix<T> matrix(std::size_t rows, std::size_t cols) {
  require_room(rows, cols, sizeof(T));
  Matrix<T> m(std::array<std::size_t, 2>{rows, cols});
  prefer_huge_pages(m.data(), m.size() * sizeof(T));
  return m;
}
template <class T>
Matrix<T> zeros(std::size_t rows, std::size_t cols) {
  require_room(rows, cols, sizeof(T));
  return Matrix<T>(std::array<std::size_t, 2>{rows, cols}, T{0});
}

template <class T>
std::size_t rows(const Matrix<T>& m) {
  return m.shape(0);
}
template <class T>
std::size_t cols(const Matrix<T>& m) {
  return m.shape(1);
}

/// Row i as contiguous memory.
template <class T>
std::span<T> row(Matrix<T>& m PERP_POINTS_INTO, std::size_t i) {
  return {m.data() + i * m.shape(1), m.shape(1)};
}
template <class T>
std::span<const T> row(const Matrix<T>& m PERP_POINTS_INTO, std::size_t i) {
  return {m.data() + i * m.shape(1), m.shape(1)};
}

/// A read-only block of a row-major matrix: `rows` rows of `cols` values, `stride` values apart. Owns
/// nothing.
template <class T>
struct View {
  const T* data = nullptr;
  std::size_t rows = 0, cols = 0, stride = 0;

  View() = default;
  View(const T* data_, std::size_t rows_, std::size_t cols_, std::size_t stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {}
  View(const Matrix<T>& m PERP_POINTS_INTO)
      : View(m.data(), m.shape(0), m.shape(1), m.shape(1)) {}  // NOLINT: implicit on purpose

  std::span<const T> row(std::size_t i) const { return {data + i * stride, cols}; }
  const T& operator()(std::size_t i, std::size_t j) const { return data[i * stride + j]; }
};

/// A view whose entries other arguments settle: a Matrix turns into it.
template <class T>
using ViewLike = std::type_identity_t<View<T>>;

/// Rows first, first+1 … last-1 and columns 0 … width-1 of `m`. Throws Error outside the matrix.
template <class T>
View<T> block(View<T> m, std::size_t first, std::size_t last, std::size_t width) {
  require(first <= last && last <= m.rows && width <= m.cols,
          "block: rows {}:{} and {} columns of a {} x {} matrix", first, last, width, m.rows, m.cols);
  return {m.data + first * m.stride, last - first, width, m.stride};
}
template <class T>
View<T> block(const Matrix<T>& m PERP_POINTS_INTO, std::size_t first, std::size_t last, std::size_t width) {
  return block(View(m), first, last, width);
}
template <class T>
View<T> block(const Matrix<T>& m PERP_POINTS_INTO, std::size_t first, std::size_t last) {
  return block(View(m), first, last, m.shape(1));
}

}  // namespace perp
