#pragma once
// Two words (or two double words) to two normals: Box and Muller 1958, "A note on the generation of random
// normal deviates", (r cos t, r sin t) with r = sqrt(-2 log u). Internal to this floor; written without
// branches or library calls, so that a plain loop over it is vectorised.

#include <bit>
#include <cstdint>
#include <numbers>

#include "perp/base/functions.hpp"

namespace perp::detail {

/// As quick_sine (base/functions.hpp).
inline float select(std::uint32_t mask, float a, float b) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(a) & mask) |
                              (std::bit_cast<std::uint32_t>(b) & ~mask));
}

/// -2 log u for u = (m + 1/2) / 2^40, where m's upper 32 bits are `high` and its lower 8 the lowest of `low`.
/// Accurate relative to the result at both ends: near u = 0 because an integer's conversion keeps its leading
/// bits, near u = 1 because there 1 - u is converted instead.
inline float minus_two_log(std::uint32_t high, std::uint32_t low) {
  const std::uint32_t mirrored = ~((high >> 31) - 1u);  // all ones where u >= 1/2
  const auto upper = static_cast<std::int32_t>(high ^ mirrored);
  const auto lower = static_cast<std::int32_t>((low ^ mirrored) & 0xFFu);
  const float w = static_cast<float>(upper) * 0x1p-32f + static_cast<float>(2 * lower + 1) * 0x1p-41f;

  // w = min(u, 1 - u), at most 1/2. Either u = 2^e (1 + f) or u = 1 + f, with f in [-1/2, 0] both times: e
  // log 2 and log(1 + f) are never of opposite sign, so that nothing cancels.
  const auto bits = std::bit_cast<std::uint32_t>(w);
  const std::int32_t e = (static_cast<std::int32_t>(bits >> 23) - 126) & static_cast<std::int32_t>(~mirrored);
  const float mantissa = std::bit_cast<float>((bits & 0x007FFFFFu) | 0x3F000000u);
  const float f = select(mirrored, -w, mantissa - 1.0f);

  // -2 log(1 + f) / f on [-1/2, 0]: Remez, relative error 2.8e-8 with these rounded coefficients.
  const float series = polynomial(f, -2.0f, 0.999994934f, -0.66708672f, 0.489946157f, -0.508724749f,
                                  -0.287604958f, -2.25155282f, -3.08454108f, -2.73562932f);
  return static_cast<float>(e) * -1.38629436f + f * series;
}

/// sqrt(s) for normal s > 0, to about one unit in the last place. std::sqrt may set errno, which keeps
/// compilers from vectorising it without flags of their own. The start is off by 3.5 percent at most (Lomont
/// 2003, "Fast inverse square root"); a Newton step squares that and multiplies it by 3/2.
inline float square_root(float s) {
  float inverse = std::bit_cast<float>(0x5F375A86u - (std::bit_cast<std::uint32_t>(s) >> 1));
  const float half = 0.5f * s;
  inverse *= 1.5f - half * inverse * inverse;
  inverse *= 1.5f - half * inverse * inverse;
  const float root = s * inverse;
  return root + 0.5f * inverse * (s - root * root);
}

/// cos(pi t / 2) and sin(pi t / 2) for |t| < 1/2, an eighth of a turn to either side. Polynomials in t^2 on
/// [0, 1/4] by Remez, relative errors 5e-10 and 2.8e-8 (the rounding of pi / 2).
inline Pair<float> cosine_and_sine(float t) {
  const float t2 = t * t;
  return {polynomial(t2, 1.0f, -1.23370051f, 0.253668517f, -0.0208552349f, 0.000893455173f),
          t * polynomial(t2, 1.57079637f, -0.645966649f, 0.079712525f, -0.00468597142f)};
}

/// Two normals from 64 random bits: 40 for the radius (it reaches 7.5 sigma), 24 for the angle
/// 2 pi ((angle >> 8) + 1/2) / 2^24 - pi/4. The lowest 8 bits of `angle` are the lowest 8 of the radius.
inline Pair<float> box_muller(std::uint32_t radius, std::uint32_t angle) {
  const float r = square_root(minus_two_log(radius, angle));

  // Within a quarter turn, counted from its middle.
  const auto position = static_cast<std::int32_t>((angle >> 8) & 0x3FFFFFu);
  const auto [cosine, sine] = cosine_and_sine(static_cast<float>(2 * position + 1 - (1 << 22)) * 0x1p-23f);

  // The two highest bits count quarter turns: (c, s), (-s, c), (-c, -s), (s, -c).
  const std::uint32_t straight = (angle >> 30 & 1u) - 1u;
  const std::uint32_t y_sign = angle & 0x80000000u;
  const std::uint32_t x_sign = y_sign ^ ((angle << 1) & 0x80000000u);
  const float x = r * select(straight, cosine, sine);
  const float y = r * select(straight, sine, cosine);
  return {std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ x_sign),
          std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) ^ y_sign)};
}

/// -2 log u for u = (radius + 1/2) / 2^64; as for float, from the end that u is nearer to.
inline double minus_two_log(std::uint64_t radius) {
  const std::uint64_t mirrored = ~((radius >> 63) - 1u);  // all ones where u >= 1/2
  const auto folded = static_cast<std::int64_t>(radius ^ mirrored);
  const double w = static_cast<double>(folded) * 0x1p-64 + 0x1p-65;  // min(u, 1 - u), at most 1/2

  // u = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); f is exact. Where u >= 1/2, f = -w, or 1 - 2w below
  // sqrt(1/2).
  const auto bits = std::bit_cast<std::uint64_t>(w);
  const double mantissa = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFu) | 0x3FE0000000000000u);
  const std::uint64_t low = 0u - static_cast<std::uint64_t>(mantissa < 0.70710678118654752),
                      far = 0u - static_cast<std::uint64_t>(w > 0.29289321881345248);
  const double exponent = select(mirrored, select(far, -1.0, 0.0),
                                 static_cast<double>(static_cast<std::int64_t>((bits >> 52) + low) - 1022));
  const double f =
      select(mirrored, select(far, 1.0 - 2.0 * w, -w), mantissa + select(low, mantissa, 0.0) - 1.0);

  // log(1 + f) by its odd series in f / (2 + f), coefficients and order of sums as in FreeBSD's e_log.c (Sun
  // Microsystems 1993): below 1 unit in the last place.
  const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  const double series =
      z * polynomial(z, 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                     2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                     1.479819860511658591e-01);
  const double log_u = exponent * 6.93147180369123816490e-01 -
                       ((half - (s * (half + series) + exponent * 1.90821492927058770002e-10)) - f);
  return -2.0 * log_u;
}

/// As for float; the start is off by 3.5 percent at most, four Newton steps leave rounding alone.
inline double square_root(double s) {
  double inverse = std::bit_cast<double>(0x5FE6EB50C7B537A9u - (std::bit_cast<std::uint64_t>(s) >> 1));
  const double half = 0.5 * s;
  for (int step = 0; step < 4; ++step) inverse *= 1.5 - half * inverse * inverse;
  const double root = s * inverse;
  return root + 0.5 * inverse * (s - root * root);
}

/// The same from 128 bits in double precision: u = (radius + 1/2) / 2^64 (it reaches 9.4 sigma) and the angle
/// 2 pi (angle + 1/2) / 2^64 - pi/4.
inline Pair<double> box_muller(std::uint64_t radius, std::uint64_t angle) {
  const double r = square_root(minus_two_log(radius));

  // 2 pi (position + 1/2) / 2^64 for a position counted from the middle of the quarter turn.
  const auto position = static_cast<std::int64_t>(angle & 0x3FFFFFFFFFFFFFFFu) - (std::int64_t{1} << 61);
  const auto [cosine, sine] =
      cosine_and_sine((static_cast<double>(position) * 0x1p-63 + 0x1p-64) * std::numbers::pi);
  const std::uint64_t straight = (angle >> 62 & 1u) - 1u;
  const std::uint64_t y_sign = angle & 0x8000000000000000u;
  const std::uint64_t x_sign = y_sign ^ ((angle << 1) & 0x8000000000000000u);
  const double x = r * select(straight, cosine, sine);
  const double y = r * select(straight, sine, cosine);
  return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ x_sign),
          std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) ^ y_sign)};
}

}  // namespace perp::detail
