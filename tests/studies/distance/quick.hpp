#pragma once
// Study `distance` at its quick preset.

#include "perp/random/draws.hpp"
#include "studies/distance/claims.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return distance::study(); }

/// Normal entries; each number is another table.
inline Matrix<double> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return normal_matrix<double>(rows, cols, stream(1, "tests", "distance", number, "table"));
}

}  // namespace perp::test
