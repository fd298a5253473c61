#pragma once
// Study `anatomy` at its quick preset.

#include "studies/anatomy/claims.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return anatomy::study(); }

/// Dimension j at position t of the sinusoid of width d, by its definition.
inline double entry(double t, std::size_t j, std::size_t d) {
  const double angle = t * std::pow(1e4, -2.0 * static_cast<double>(j / 2) / static_cast<double>(d));
  return j % 2 ? std::cos(angle) : std::sin(angle);
}

}  // namespace perp::test
