#pragma once
// Inputs of reference tables: the same numbers in C++ and in tests/reference/*.py.

#include <cmath>

#include "perp/base/array.hpp"

namespace perp::test {

/// Sines of whole numbers, which both languages hold exactly.
template <class T>
Matrix<T> waves(std::size_t rows, std::size_t cols, std::size_t seed) {
  Matrix<T> out = matrix<T>(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      out(i, j) = static_cast<T>(std::sin(static_cast<double>((i + 1) * (j + 1) * (i + 2 * j + seed))));
  return out;
}

}  // namespace perp::test
