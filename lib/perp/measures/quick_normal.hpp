#pragma once
// The normal distribution over arrays in hot loops, written as quick_exp.hpp is: no calls, no branches.
// For x <= 0, Φ(x) = e^(-x²/2) P(t)/(|x| + 4) with t = (|x| - 4)/(|x| + 4), which maps all of [0, ∞) onto
// [-1, 1]: Shepherd and Laframboise 1981, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 <= x < ∞",
// with another shift; beyond 0 Φ(x) = 1 - Φ(-x). P is the truncated Chebyshev series in powers of t, whose
// coefficients' absolute values add up to 2, so that summing it loses no digits; what is left out is below
// 1e-9 (float, degree 11) and 1e-17 (double, degree 24).

#include <cmath>

#include "perp/base/polynomial.hpp"
#include "perp/measures/quick_exp.hpp"

namespace perp {

template <class T>
struct Normal {
  T below;    ///< Φ(x), off by less than 3e-7 (float) and 4e-16 (double)
  T density;  ///< e^(-x²/2), the density but for 1/√(2π); both from one exponential
};

namespace detail {

inline float normal_series(float t) {
  return polynomial(t, 0.755285131F, -0.607896631F, 0.387137394F, -0.18652216F, 0.0603966483F,
                    -0.00753771716F, -0.00347995464F, 0.00162204011F, 0.000133653387F, -0.000215573776F,
                    -1.7310823e-6F, 2.11829843e-5F);
}

inline double normal_series(double t) {
  return polynomial(t, 0.755285130415751492, -0.6078966419718923, 0.387137400742214917, -0.186521857959636612,
                    0.0603965748909178723, -0.00754018896738631255, -0.00347969236704797363,
                    0.00163081846740990846, 0.000133344309411832544, -0.000231095017362774258,
                    -1.90824635141457105e-6, 0.0000351451119028376513, 7.16658764119512099e-7,
                    -5.92161104592397736e-6, -6.29836733849236905e-7, 1.02478510165527734e-6,
                    2.72462969511458721e-7, -1.59773961422392205e-7, -8.68664701599789276e-8,
                    1.78449277729814162e-8, 2.14276038434523559e-8, -5.8736267649871907e-10,
                    -3.73064508186837028e-9, -1.19977820312530946e-10, 3.40331230864949465e-10);
}

}  // namespace detail

/// Φ(x) where e^(-x²/2) is known.
template <class T>
inline T quick_below(T x, T density) {
  const T share = 1 / (std::abs(x) + 4), tail = density * detail::normal_series(1 - 8 * share) * share;
  // tail below 0, else 1 - tail: g++ would branch on a conditional, as in quick_sine.hpp.
  const T sign = std::copysign(T{1}, x);
  return (1 + sign) / 2 - sign * tail;
}

template <class T>
inline Normal<T> quick_normal(T x) {
  const T density = quick_exp(-x * x / 2);
  return {quick_below(x, density), density};
}

}  // namespace perp
