#include "perp/measures/layernorm.hpp"

#include <cmath>
#include <numeric>

namespace perp {
namespace {

void check(std::span<const double> values, std::size_t d, const char* what) {
  require(values.empty() || values.size() == d,
          "layer_norm: {} values of {} for rows of {}; expected as many, or none", values.size(), what, d);
  for (std::size_t j = 0; j < values.size(); ++j)
    require(std::isfinite(values[j]), "layer_norm: the {} of dimension {} is {}; expected a finite number",
            what, j, values[j]);
}

/// Mean, and variance from the deviations: their sum is taken off, which is 0 but for the mean's rounding.
struct Spread {
  double mean = 0, variance = 0;
};

Spread spread(std::span<const double> row) {
  const double n = static_cast<double>(row.size());
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / n;
  double squares = 0, left = 0;
  for (const double x : row) squares += (x - mean) * (x - mean), left += x - mean;
  return {mean, (squares - left * left / n) / n};
}

}  // namespace

Matrix<double> layer_norm(View<double> rows, std::span<const double> gain, std::span<const double> bias,
                          double epsilon) {
  const std::size_t d = rows.cols;
  require(d > 0, "layer_norm: rows of no dimension; expected at least one");
  require(std::isfinite(epsilon) && epsilon > 0, "layer_norm: epsilon {}; expected above 0", epsilon);
  check(gain, d, "gain");
  check(bias, d, "bias");
  Matrix<double> out = matrix<double>(rows.rows, d);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const Spread at = spread(rows.row(r));
    require(std::isfinite(at.variance), "layer_norm: row {} has a variance of {}; expected finite values", r,
            at.variance);
    const double scale = 1 / std::sqrt(at.variance + epsilon);
    for (std::size_t j = 0; j < d; ++j) {
      const double unit = (rows(r, j) - at.mean) * scale;
      out(r, j) = (gain.empty() ? unit : unit * gain[j]) + (bias.empty() ? 0.0 : bias[j]);
    }
  }
  return out;
}

}  // namespace perp
