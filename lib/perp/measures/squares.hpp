#pragma once
// Sum of squares of a float row in float64, in lanes: a sum in its written order cannot be vectorised.
// Floats' squares neither overflow nor vanish in float64, so the sum is finite exactly where every value is.

#include <array>
#include <cstddef>
#include <span>

namespace perp {

// Always inlined, as in quick_sine.hpp.
[[gnu::always_inline]] inline double sum_of_squares(std::span<const float> values) {
  constexpr std::size_t lanes = 32;
  std::array<double, lanes> sum{};
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = values[i + lane];
      sum[lane] += x * x;
    }
  double total = 0;
  for (; i < values.size(); ++i) total += static_cast<double>(values[i]) * values[i];
  for (const double part : sum) total += part;
  return total;
}

}  // namespace perp
