#include "perp/measures/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"

namespace perp {
namespace {

/// Rows first … last-1 less `origin`, in float64.
template <class T>
Matrix<double> rows_about(View<T> table, std::size_t first, std::size_t last,
                          const std::vector<double>& origin) {
  Matrix<double> out = matrix<double>(last - first, table.cols);
  for (std::size_t i = first; i < last; ++i) {
    const std::span<const T> from = table.row(i);
    const std::span<double> to = row(out, i - first);
    for (std::size_t j = 0; j < table.cols; ++j) {
      to[j] = from[j] - origin[j];
      require(std::isfinite(to[j]),
              "spectrum: entry ({}, {}) of the {} x {} table is {}; finite values were expected", i, j,
              table.rows, table.cols, from[j]);
    }
  }
  return out;
}

/// The Gram matrix with the nonzero eigenvalues of the covariance, times n.
template <class T>
Matrix<double> smaller_gram(View<T> table, const std::vector<double>& origin) {
  if (table.rows < table.cols) return gram_rows(rows_about(table, 0, table.rows, origin));
  constexpr std::size_t tile = 2048;
  Matrix<double> sum = zeros<double>(table.cols, table.cols);
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> part = gram_columns(rows_about(table, first, last, origin));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return sum;
}

}  // namespace

template <class T>
std::vector<double> spectrum(View<T> table, Centring centring) {
  require(table.rows > 0 && table.cols > 0, "spectrum: an empty table, {} x {}", table.rows, table.cols);
  std::vector<double> origin(table.cols, 0.0);
  if (centring == Centring::centred) {
    origin = column_means(table);
    for (std::size_t j = 0; j < table.cols; ++j)
      require(std::isfinite(origin[j]),
              "spectrum: column {} of the {} x {} table holds values that are not finite", j, table.rows,
              table.cols);
  }
  std::vector<double> values = symmetric_eigenvalues(smaller_gram(table, origin));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = std::max(0.0, value / static_cast<double>(table.rows));
  return values;
}
template std::vector<double> spectrum(View<float>, Centring);
template std::vector<double> spectrum(View<double>, Centring);

EffectiveDimension effective_dimension(std::span<const double> eigenvalues) {
  double sum = 0, sum_square = 0;
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    const double value = eigenvalues[i];
    require(
        std::isfinite(value) && value >= 0 && (i == 0 || value <= eigenvalues[i - 1]),
        "effective_dimension: eigenvalue {} of {} is {} after {}; descending ones from 0 up were expected", i,
        eigenvalues.size(), value, i == 0 ? value : eigenvalues[i - 1]);
    sum += value;
    sum_square += value * value;
  }
  require(sum > 0, "effective_dimension: all {} eigenvalues are 0", eigenvalues.size());
  const auto fewest = [&](double share) {
    double partial = 0;
    for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
      partial += eigenvalues[i];
      if (partial >= share * sum) return i + 1;
    }
    return eigenvalues.size();
  };
  return {sum / eigenvalues[0], sum * sum / sum_square, fewest(0.9), fewest(0.99), fewest(0.999)};
}

std::size_t numerical_rank(std::span<const double> eigenvalues, double determined) {
  const double largest = eigenvalues.empty() ? 0 : std::ranges::max(eigenvalues);
  return static_cast<std::size_t>(
      std::ranges::count_if(eigenvalues, [=](double value) { return value > determined * largest; }));
}

std::size_t numerical_rank(const Matrix<double>& covariance, double determined) {
  return numerical_rank(symmetric_eigenvalues(covariance), determined);
}

}  // namespace perp
