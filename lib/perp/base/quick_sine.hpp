#pragma once
// Sine and cosine together in hot loops, without branches or library calls, so that a plain loop over them is
// vectorised. Always inlined: each target contracts multiply-adds as its own flags say, and no linker picks
// among copies.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "perp/base/polynomial.hpp"

namespace perp {
namespace detail {

template <class T>
struct Pair {
  T x, y;
};

/// a where the mask is all ones, b where it is all zeros. (A conditional makes g++ branch unless it may use
/// AVX-512's masks, and a loop that branches is not vectorised. Nor does g++ 14 vectorise a mask made as
/// 0 - bit, in which it sees a condition: bit - 1 it leaves alone.)
inline double select(std::uint64_t mask, double a, double b) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) |
                               (std::bit_cast<std::uint64_t>(b) & ~mask));
}

/// cos x and sin x for |x| <= pi/4, coefficients of FreeBSD's k_cos.c and k_sin.c (Sun Microsystems 1993).
[[gnu::always_inline]] inline Pair<double> cosine_and_sine(double x) {
  const double z = x * x, half = 0.5 * z, near = 1.0 - half;
  const double cosine = near + (((1.0 - near) - half) +
                                z * z *
                                    polynomial(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                               2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                               2.08757232129817482790e-09, -1.13596475577881948265e-11));
  const double sine = x + x * (z * polynomial(z, -1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                              -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                              -2.50507602534068634195e-08, 1.58969099521155010221e-10));
  return {cosine, sine};
}

}  // namespace detail

/// sin x and cos x for |x| up to `quick_sine_reach`, off by less than 2⁻⁵² and, near a zero, by less than
/// 4e-16 of themselves.
struct SineCosine {
  double sine, cosine;
};
inline constexpr double quick_sine_reach = 0x1p20;

/// Cody and Waite's reduction by pi/2 in three parts: the first two have 33 bits, so that their products with
/// a number of quarter turns below 2^20 are exact, and what rounding leaves out of x - k pi/2 is kept beside
/// it (as in FreeBSD's e_rem_pio2.c, Sun Microsystems 1993).
[[gnu::always_inline]] inline SineCosine quick_sine(double x) {
  constexpr double shift = 6755399441055744.0;  // 1.5·2^52: adding it rounds to an integer
  const double rounded = x * 0.63661977236758138 + shift, k = rounded - shift;
  const double near = x - k * 1.57079632673412561417e+00, middle = k * 6.07710050630396597660e-11;
  const double r = near - middle;
  const double rest = ((near - r) - middle) - k * 2.02226624879595063154e-21;
  const auto [c, s] = detail::cosine_and_sine(r);
  const double cosine = c - rest * s, sine = s + rest * c;
  // The two lowest bits count quarter turns: (c, s), (-s, c), (-c, -s), (s, -c).
  const auto quarter = std::bit_cast<std::uint64_t>(rounded);
  const std::uint64_t straight = (quarter & 1u) - 1u, sine_sign = (quarter & 2u) << 62,
                      cosine_sign = ((quarter + 1) & 2u) << 62;
  return {
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(detail::select(straight, sine, cosine)) ^ sine_sign),
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(detail::select(straight, cosine, sine)) ^
                            cosine_sign)};
}

/// (sine, cosine) of every angle, side by side in `out`: the library's own where an angle is beyond reach.
[[gnu::always_inline]] inline void sines_and_cosines(std::span<const double> angles, double* __restrict out) {
  bool within = true;  // no early exit: this loop is vectorised
  for (const double angle : angles) within = within & (std::abs(angle) <= quick_sine_reach);
  if (within)
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const SineCosine turned = quick_sine(angles[i]);
      out[2 * i] = turned.sine;
      out[2 * i + 1] = turned.cosine;
    }
  else
    for (std::size_t i = 0; i < angles.size(); ++i) {
      out[2 * i] = std::sin(angles[i]);
      out[2 * i + 1] = std::cos(angles[i]);
    }
}

}  // namespace perp
