#pragma once
// Sums over the tokens of a batch, which the derivatives of biases and gains are.

#include "perp/base/array.hpp"
#include "perp/base/lanes.hpp"

namespace perp::model {

/// sums[j] = Σ x_ij y_ij, row by row.
template <class T>
void column_sums(View<T> x, View<T> y, T* sums) {
  std::size_t j = 0;
  for (; j + lanes <= x.cols; j += lanes) {
    Lanes<T> sum{}, a, b;
    for (std::size_t i = 0; i < x.rows; ++i) {
      load(x.data + i * x.stride + j, a);
      load(y.data + i * y.stride + j, b);
      sum += a * b;
    }
    store(sum, sums + j);
  }
  for (; j < x.cols; ++j) {
    sums[j] = 0;
    for (std::size_t i = 0; i < x.rows; ++i) sums[j] += x(i, j) * y(i, j);
  }
}

/// sums[j] = Σ x_ij.
template <class T>
void column_sums(View<T> x, T* sums) {
  std::size_t j = 0;
  for (; j + lanes <= x.cols; j += lanes) {
    Lanes<T> sum{}, a;
    for (std::size_t i = 0; i < x.rows; ++i) {
      load(x.data + i * x.stride + j, a);
      sum += a;
    }
    store(sum, sums + j);
  }
  for (; j < x.cols; ++j) {
    sums[j] = 0;
    for (std::size_t i = 0; i < x.rows; ++i) sums[j] += x(i, j);
  }
}

}  // namespace perp::model
