#pragma once
// How far numbers are from others.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::test {

/// Largest |a_i - b_i|, the shorter one continued by zeros; NaN if there is one.
inline double worst_difference(std::span<const double> a, std::span<const double> b) {
  double worst = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const double off = std::abs((i < a.size() ? a[i] : 0.0) - (i < b.size() ? b[i] : 0.0));
    if (std::isnan(off)) return off;  // fails every comparison
    worst = std::max(worst, off);
  }
  return worst;
}
template <class T>
double worst_difference(const Matrix<T>& a, const Matrix<T>& b) {
  const std::vector<double> left(a.begin(), a.end()), right(b.begin(), b.end());
  return worst_difference(left, right);
}

/// The largest entry of gram - 1: how far from orthonormal.
template <class T>
double skew(Matrix<T> gram) {
  for (std::size_t i = 0; i < rows(gram); ++i) gram(i, i) -= 1;
  return worst_difference(gram, zeros<T>(0, 0));
}

}  // namespace perp::test
