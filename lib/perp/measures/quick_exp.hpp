#pragma once
// exp over arrays in the hot loops of `information` and of learning, written so that compilers turn it into
// vector code: no calls, no branches. Cody and Waite's reduction x = k ln 2 + r, |r| <= ln(2)/2, a Taylor
// polynomial in r, and 2^k put together from bits. Relative error below 3e-7 (float, degree 6) and 4e-15
// (double, degree 12); below the smallest normal number's logarithm the result is 0. Arguments must not
// exceed 87 (float), 708 (double).

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "perp/base/lanes.hpp"
#include "perp/base/polynomial.hpp"

namespace perp {

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

}  // namespace perp
