#pragma once
// Where a sinusoid's sines and cosines stand in the vector: the order of the paper and the order of much
// code.

#include <string_view>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

enum class Layout {
  interleaved,  ///< sin ω_0 t, cos ω_0 t, sin ω_1 t, … (Vaswani et al. 2017)
  half_split  ///< sin ω_0 t, sin ω_1 t, …, cos ω_0 t, cos ω_1 t, … (tensor2tensor, GPT-NeoX's rotary)
};
std::string_view to_text(Layout layout);

/// Column j of a table in `layout` is column layout_permutation(d, layout)[j] of the interleaved table; for
/// `interleaved` that is j. Throws Error unless d is even and positive.
std::vector<std::size_t> layout_permutation(std::size_t d, Layout layout);

/// The table with its columns in the order `order`: column j of the result is column order[j]. Weights follow
/// their tables: M (d x d) under the same permutation has rows and columns reordered. Throws Error unless
/// `order` is a permutation of the columns.
template <class T>
Matrix<T> reorder_columns(const Matrix<T>& table, const std::vector<std::size_t>& order);
template <class T>
Matrix<T> reorder_rows(const Matrix<T>& table, const std::vector<std::size_t>& order);

/// `sinusoidal` (positions.hpp) with its columns in that layout. The same numbers, bit for bit.
template <class T>
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base, Layout layout);

}  // namespace perp
