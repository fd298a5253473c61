#pragma once
// Sums and maxima over arrays in hot loops. Compilers may not reorder additions of floating-point numbers, so
// a plain loop adds one after the other; here sixteen running sums lie side by side and are then added two by
// two. The order is part of the source: it is the same on every processor, whatever the length of its vector
// registers.

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace perp {

inline constexpr std::size_t lanes = 16;

namespace detail {

template <class T, std::size_t count>
struct LanesOf {
  typedef T type __attribute__((vector_size(count * sizeof(T))));
};

}  // namespace detail

/// So many numbers on which + - * / work lane by lane (a vector extension that g++ and clang share). Handed
/// on by reference: how one is passed by value depends on the processor.
template <class T, std::size_t count = lanes>
using Lanes = typename detail::LanesOf<T, count>::type;

template <class T, class Vector>
inline void load(const T* from, Vector& to) {
  std::memcpy(&to, from, sizeof to);
}
template <class T, class Vector>
inline void store(const Vector& from, T* to) {
  std::memcpy(to, &from, sizeof from);
}

/// Upper halves join lower ones, `join(lower, upper)`, until one number is left.
template <class T, class Join>
inline T folded(const Lanes<T>& x, Join join) {
  auto eight = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
  join(eight, __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15));
  auto four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3);
  join(four, __builtin_shufflevector(eight, eight, 4, 5, 6, 7));
  T left = four[0], right = four[1];
  join(left, four[2]);
  join(right, four[3]);
  join(left, right);
  return left;
}
template <class T>
inline T sum_of_lanes(const Lanes<T>& x) {
  return folded<T>(x, [](auto& a, const auto& b) { a += b; });
}

/// Σ x[i].
template <class T>
inline T sum_of(const T* x, std::size_t n) {
  Lanes<T> sums{}, next;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(x + i, next);
    sums += next;
  }
  T sum = sum_of_lanes<T>(sums);
  for (; i < n; ++i) sum += x[i];
  return sum;
}

/// Σ x[i] y[i].
template <class T>
inline T sum_of_products(const T* x, const T* y, std::size_t n) {
  Lanes<T> sums{}, a, b;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(x + i, a);
    load(y + i, b);
    sums += a * b;
  }
  T sum = sum_of_lanes<T>(sums);
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// The largest of n >= 1 numbers; any of them, or NaN, if NaN is among them.
template <class T>
inline T largest_of(const T* x, std::size_t n) {
  if (n < lanes) return *std::max_element(x, x + n);
  // Four by turns, so that none waits for the comparison before. The last numbers may be compared twice.
  const auto larger = [](auto& a, const auto& b) { a = a < b ? b : a; };
  Lanes<T> best[4], next;
  for (std::size_t k = 0; k < 4; ++k) load(x + std::min(k * lanes, n - lanes), best[k]);
  for (std::size_t i = 4 * lanes; i < n; i += 4 * lanes)
    for (std::size_t k = 0; k < 4; ++k) {
      load(x + std::min(i + k * lanes, n - lanes), next);
      larger(best[k], next);
    }
  larger(best[0], best[2]);
  larger(best[1], best[3]);
  larger(best[0], best[1]);
  return folded<T>(best[0], larger);
}

}  // namespace perp
