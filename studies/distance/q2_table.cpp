// Q2: what of a table of positions every draw needs.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/measures/spectrum.hpp"
#include "studies/distance/q2_sums.hpp"

namespace perp::distance {
namespace {

double real(std::size_t n) { return static_cast<double>(n); }

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

double mean_square_of(const Matrix<double>& table) {
  double sum = 0;
  for (std::size_t t = 0; t < rows(table); ++t) sum += dot(row(table, t), row(table, t));
  return sum / real(rows(table));
}

/// Covariance of rows about their mean, decomposed, and what of the position each direction tells.
struct Directions {
  Eigen<double> eigen;
  std::vector<double> target;
};

Directions directions(const Matrix<double>& table) {
  const std::size_t n = rows(table), d = cols(table);
  Matrix<double> centred = table;
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < n; ++t) mean += table(t, j) / real(n);
    for (std::size_t t = 0; t < n; ++t) centred(t, j) -= mean;
  }
  std::vector<double> slope(d, 0.0);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t j = 0; j < d; ++j) slope[j] += (real(t) - real(n - 1) / 2) * centred(t, j) / real(n);
  Matrix<double> covariance = gram_columns(View<double>(centred));
  for (std::size_t i = 0; i < covariance.size(); ++i) covariance.data()[i] /= real(n);
  Directions out{symmetric_eigen(std::move(covariance)), {}};
  for (std::size_t i = 0; i < d; ++i) {
    const double along = dot(row(out.eigen.vectors, i), slope);
    out.target.push_back(along * along);
  }
  return out;
}

/// The leading rows that hold 90 % of the variance.
Matrix<float> leading(const Eigen<double>& eigen) {
  std::vector<double> descending(eigen.values.rbegin(), eigen.values.rend());
  for (double& value : descending) value = std::max(value, 0.0);
  const std::size_t r = effective_dimension(descending).r90, d = descending.size();
  Matrix<float> basis = matrix<float>(r, d);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < d; ++j) basis(i, j) = static_cast<float>(eigen.vectors(d - 1 - i, j));
  return basis;
}

}  // namespace

Matrix<double> less_mean_entry(View<double> table) {
  Matrix<double> out = matrix<double>(table.rows, table.cols);
  for (std::size_t t = 0; t < table.rows; ++t) {
    double mean = 0;
    for (const double x : table.row(t)) mean += x / real(table.cols);
    for (std::size_t j = 0; j < table.cols; ++j) out(t, j) = table(t, j) - mean;
  }
  return out;
}

PlacedTable placed_table(Matrix<double> positions, std::vector<double> gain, std::vector<double> bias) {
  PlacedTable out;
  out.normalised = layer_norm(positions, gain, bias, usual_epsilon);
  const Matrix<double> after = less_mean_entry(View<double>(positions));
  const Directions as_is = directions(positions), left = directions(after);
  out.basis = leading(as_is.eigen);
  out.spectrum = as_is.eigen.values;
  out.target = as_is.target;
  out.spectrum_after = left.eigen.values;
  out.target_after = left.target;
  out.mean_square = mean_square_of(positions);
  out.mean_square_after = mean_square_of(after);
  const LagSquares squares = lag_squares(lag_statistics(View<double>(positions), 1)),
                   squares_after = lag_squares(lag_statistics(View<double>(after), 1));
  out.pairs = (squares.within + squares.between) / squares.entries;
  out.by_lag = squares.between / squares.entries;
  out.pairs_after = (squares_after.within + squares_after.between) / squares.entries;
  out.by_lag_after = squares_after.between / squares.entries;
  out.positions = std::move(positions);
  out.gain = std::move(gain);
  out.bias = std::move(bias);
  return out;
}

}  // namespace perp::distance
