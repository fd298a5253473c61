#pragma once
// Positional encodings that add a vector.

#include <string_view>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// The base T that Vaswani et al. 2017 chose.
inline constexpr double usual_base = 10000;

/// ω_i = T^(-2i/d), i = 0 … d/2-1, in radians per position. Throws Error unless d is even and positive and T
/// > 1.
std::vector<double> frequencies(std::size_t d, double base = usual_base);

/// positions: L x d, p_t = (sin ω_0 t, cos ω_0 t, sin ω_1 t, …), t = 0 … L-1, ‖p_t‖² = d/2 (Vaswani et al.
/// 2017, section 3.5). Angles and turns in float64, error below 4·2⁻⁵³ plus the angle's own rounding; then
/// rounded to T. The same bytes for every number of threads.
template <class T>
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base = usual_base, std::size_t threads = 1);

// Where a sinusoid's sines and cosines stand in the vector: the order of the paper and the order of much
// code.

enum class Layout {
  interleaved,  ///< sin ω_0 t, cos ω_0 t, sin ω_1 t, … (Vaswani et al. 2017)
  half_split  ///< sin ω_0 t, sin ω_1 t, …, cos ω_0 t, cos ω_1 t, … (tensor2tensor, GPT-NeoX's rotary)
};

/// Column j of a table in `layout` is column layout_permutation(d, layout)[j] of the interleaved table; for
/// `interleaved` that is j. d is even.
std::vector<std::size_t> layout_permutation(std::size_t d, Layout layout);

/// The table with its columns in the order `order`: column j of the result is column order[j]. Weights follow
/// their tables: M (d x d) under the same permutation has rows and columns reordered.
template <class T>
Matrix<T> reorder_columns(const Matrix<T>& table, const std::vector<std::size_t>& order);
template <class T>
Matrix<T> reorder_rows(const Matrix<T>& table, const std::vector<std::size_t>& order);

/// `sinusoidal` (positions.hpp) with its columns in that layout. The same numbers, bit for bit.
template <class T>
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base, Layout layout);

}  // namespace perp
