#include "perp/measures/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"

namespace perp {
namespace {

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

namespace {

Matrix<double> over(Matrix<double> sum, std::size_t rows) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] /= static_cast<double>(rows);
  return sum;
}

}  // namespace

Matrix<double> mean_outer_product(View<float> table) {
  constexpr std::size_t tile = 2048;
  Matrix<double> sum = zeros<double>(table.cols, table.cols);
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<float> part = gram_columns(block(table, first, last, table.cols));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return over(std::move(sum), table.rows);
}

Matrix<double> mean_outer_product(View<double> table) { return over(gram_columns(table), table.rows); }

Matrix<double> covariance(View<float> table) { return mean_outer_product(centred(table)); }
Matrix<double> covariance(View<double> table) { return mean_outer_product(centred(table)); }

Matrix<double> whitening(const Matrix<double>& covariance) {
  const Matrix<double> lower = cholesky(covariance);
  if (lower.size() == 0 || !(diagonal_ratio(lower) < 1e7)) return {};
  Matrix<double> identity = zeros<double>(rows(lower), rows(lower));
  for (std::size_t j = 0; j < rows(lower); ++j) identity(j, j) = 1;
  return solve_lower(lower, identity);
}

double trace_of_product(const Matrix<double>& a, const Matrix<double>& b) {
  double trace = 0;
  for (std::size_t i = 0; i < rows(a); ++i) {
    double part = 0;
    for (std::size_t j = 0; j < cols(a); ++j) part += a(i, j) * b(i, j);
    trace += part;
  }
  return trace;
}

double trace_of_square(const Matrix<double>& a) {
  const double square = trace(a) * trace(a);
  return std::clamp(trace_of_product(a, a), square / static_cast<double>(rows(a)), square);
}

}  // namespace perp
