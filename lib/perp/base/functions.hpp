#pragma once
// Functions of numbers: special ones from Boost.Math, compiled once (its headers cost every source that includes them
// seconds), then elementary ones for hot loops.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "perp/base/lanes.hpp"

namespace perp::special {

double ibeta(double a, double b, double x);               ///< regularised incomplete beta function I_x(a, b)
double ibetac_fast(double a, double b, double x);         ///< 1 - I_x(a, b), without recourse to long double
double ibetac_inv(double a, double b, double q);          ///< the x where 1 - I_x(a, b) = q
double gamma_p(double a, double x);                       ///< regularised lower incomplete gamma function
double tgamma_delta_ratio(double a, double delta);        ///< Γ(a) / Γ(a + delta)
double erfc_inv(double q);                                ///< the x where erfc(x) = q
double student_quantile_above(double freedom, double q);  ///< what Student's t exceeds with probability q
/// The probability that noncentral t exceeds t: (Z + noncentrality) / √(χ²/freedom).
double noncentral_student_above(double freedom, double noncentrality, double t);

}  // namespace perp::special

namespace perp::detail {

/// c[0] + c[1] x + c[2] x^2 + … by Horner's rule, unrolled by the compiler whatever their number. Always
/// inlined, as quick_sine.
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

// Sine and cosine together in hot loops, without branches or library calls, so that a plain loop over them is
// vectorised. Always inlined: each target contracts multiply-adds as its own flags say, and no linker picks
// among copies.

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

// exp over arrays in the hot loops of `information` and of learning, written so that compilers turn it into
// vector code: no calls, no branches. Cody and Waite's reduction x = k ln 2 + r, |r| <= ln(2)/2, a Taylor
// polynomial in r, and 2^k put together from bits. Relative error below 3e-7 (float, degree 6) and 4e-15
// (double, degree 12); below the smallest normal number's logarithm the result is 0. Arguments must not
// exceed 87 (float), 708 (double).

namespace detail {

/// All ones, or 0 where x is below -`least`. By whole numbers: without masked instructions (AVX-512) compilers make a branch
/// of a comparison, and of a branch no vector code. NaN is not below.
template <class Bits, class T>
Bits unless_below(T x, T least) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto own = std::bit_cast<Bits>(x), size = own & ~sign;
  const Bits infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  const Bits below = (std::bit_cast<Bits>(least) - size) & own & (size - infinity - 1);
  return (below >> (8 * sizeof(Bits) - 1)) - 1;
}

}  // namespace detail

inline float quick_exp(float x) {
  constexpr float shift = 12582912.0F;  // 1.5·2^23: adding it rounds to an integer
  const std::uint32_t keep = detail::unless_below<std::uint32_t>(x, 87.0F);
  const float kept = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & keep);
  const float rounded = kept * 1.44269504F + shift, k = rounded - shift;
  const float r = (kept - k * 0.693359375F) + k * 2.12194440e-4F;
  const float p = detail::polynomial(r, 1.0F, 1.0F, 0.5F, 1.0F / 6, 1.0F / 24, 1.0F / 120, 1.0F / 720);
  const std::uint32_t bits = (std::bit_cast<std::uint32_t>(rounded) + 127U) << 23U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p * std::bit_cast<float>(bits)) & keep);
}

inline double quick_exp(double x) {
  constexpr double shift = 6755399441055744.0;  // 1.5·2^52
  const std::uint64_t keep = detail::unless_below<std::uint64_t>(x, 708.0);
  const double kept = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & keep);
  const double rounded = kept * 1.4426950408889634 + shift, k = rounded - shift;
  const double r = (kept - k * 6.93145751953125e-1) - k * 1.42860682030941723212e-6;
  const double p =
      detail::polynomial(r, 1.0, 1.0, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                         1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600);
  const std::uint64_t bits = (std::bit_cast<std::uint64_t>(rounded) + 1023U) << 52U;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p * std::bit_cast<double>(bits)) & keep);
}

/// x[i] = exp(x[i] − shift).
template <class T>
void exp_in_place(T* x, std::size_t n, T shift) {
  for (std::size_t i = 0; i < n; ++i) x[i] = quick_exp(x[i] - shift);
}

/// Σ exp(x[i] − shift).
template <class T>
double sum_of_exp(const T* x, std::size_t n, T shift) {
  T sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += quick_exp(x[i + j] - shift);
  double result = 0;
  for (const T sum : sums) result += static_cast<double>(sum);
  for (; i < n; ++i) result += static_cast<double>(quick_exp(x[i] - shift));
  return result;
}

// The normal distribution over arrays in hot loops, written as quick_exp is: no calls, no branches.
// For x <= 0, Φ(x) = e^(-x²/2) P(t)/(|x| + 4) with t = (|x| - 4)/(|x| + 4), which maps all of [0, ∞) onto
// [-1, 1]: Shepherd and Laframboise 1981, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 <= x < ∞",
// with another shift; beyond 0 Φ(x) = 1 - Φ(-x). P is the truncated Chebyshev series in powers of t, whose
// coefficients' absolute values add up to 2, so that summing it loses no digits; what is left out is below
// 1e-9 (float, degree 11) and 1e-17 (double, degree 24).

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

/// Φ(x), off by less than 3e-7 (float) and 4e-16 (double), where e^(-x²/2) is known.
template <class T>
inline T quick_below(T x, T density) {
  const T share = 1 / (std::abs(x) + 4), tail = density * detail::normal_series(1 - 8 * share) * share;
  // tail below 0, else 1 - tail: g++ would branch on a conditional, as in quick_sine.
  const T sign = std::copysign(T{1}, x);
  return (1 + sign) / 2 - sign * tail;
}

}  // namespace perp
