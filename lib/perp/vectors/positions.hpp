#pragma once
// Positional encodings that add a vector.

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

}  // namespace perp
