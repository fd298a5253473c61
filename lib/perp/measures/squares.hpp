#pragma once
// Sums of squares. That of a float row is in float64, in lanes: a sum in its written order cannot be
// vectorised. Floats' squares neither overflow nor vanish in float64, so the sum is finite exactly where
// every value is.

#include <array>
#include <cstddef>
#include <span>

#include "perp/base/array.hpp"

namespace perp {

/// x². std::pow(x, 2) is a product at some levels of optimisation and a call, with other last bits, at others.
constexpr double squared(double x) { return x * x; }

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

/// Mean of ‖x‖² over the rows x (n x d), in the table's unit squared; relative error n d 1e-16 at most.
/// Float64 rows are summed in the order of rows and columns. NaN of a table without rows.
[[gnu::always_inline]] inline double mean_square_length(const Matrix<float>& table) {
  double sum = 0;
  for (std::size_t i = 0; i < rows(table); ++i) sum += sum_of_squares(row(table, i));
  return sum / static_cast<double>(rows(table));
}
[[gnu::always_inline]] inline double mean_square_length(const Matrix<double>& table) {
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table.data()[i] * table.data()[i];
  return sum / static_cast<double>(rows(table));
}

}  // namespace perp
