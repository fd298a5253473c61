#pragma once
// Tables the tests of this floor share, from the library's keyed streams.

#include <cstdint>
#include <tuple>

#include "perp/base/array.hpp"
#include "perp/random/draws.hpp"
#include "tests/lib/base/differences.hpp"
#include "tests/tolerance.hpp"

namespace made {

using Both = std::tuple<float, double>;
using perp::test::worst_difference;

/// rows x cols standard normals.
template <class T>
perp::Matrix<T> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return perp::normal_matrix<T>(rows, cols, perp::stream(20240607, "tests", "measures", number, "table"));
}

inline perp::Matrix<float> times(double factor, perp::Matrix<float> table) {
  for (float& x : table) x *= static_cast<float>(factor);
  return table;
}

}  // namespace made
