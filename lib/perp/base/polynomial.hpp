#pragma once

namespace perp::detail {

/// c[0] + c[1] x + c[2] x^2 + … by Horner's rule, unrolled by the compiler whatever their number. Always
/// inlined, as in quick_sine.hpp.
[[gnu::always_inline]] inline float polynomial(float, float c) { return c; }
template <class... Coefficients>
[[gnu::always_inline]] inline float polynomial(float x, float c, Coefficients... rest) {
  return c + x * polynomial(x, rest...);
}
[[gnu::always_inline]] inline double polynomial(double, double c) { return c; }
template <class... Coefficients>
[[gnu::always_inline]] inline double polynomial(double x, double c, Coefficients... rest) {
  return c + x * polynomial(x, rest...);
}

}  // namespace perp::detail
