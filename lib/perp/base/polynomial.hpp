#pragma once

namespace perp::detail {

/// c[0] + c[1] x + c[2] x^2 + … by Horner's rule, unrolled by the compiler whatever their number.
inline float polynomial(float, float c) { return c; }
template <class... Coefficients>
inline float polynomial(float x, float c, Coefficients... rest) {
  return c + x * polynomial(x, rest...);
}
inline double polynomial(double, double c) { return c; }
template <class... Coefficients>
inline double polynomial(double x, double c, Coefficients... rest) {
  return c + x * polynomial(x, rest...);
}

}  // namespace perp::detail
