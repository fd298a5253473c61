#include "perp/measures/bilinear.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"

namespace perp {
namespace {

/// out = scale (rows first … last-1 of m, less their mean); returns the mean.
std::vector<double> contrasts(const Matrix<double>& m, std::size_t first, std::size_t last, double scale,
                              Matrix<double>& out) {
  const std::size_t width = cols(m);
  std::vector<double> mean(width, 0.0);
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < width; ++j) mean[j] += m(i, j);
  for (double& x : mean) x /= static_cast<double>(last - first);
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < width; ++j) out(i, j) = scale * (m(i, j) - mean[j]);
  return mean;
}

double sum_of_squares(const Matrix<double>& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.size(); ++i) sum += m.data()[i] * m.data()[i];
  return sum;
}

}  // namespace

Matrix<double> whitened_rows(const Matrix<double>& table, std::size_t words) {
  const std::size_t n = rows(table);
  const double v = static_cast<double>(words), l = static_cast<double>(n - words);
  Matrix<double> out = matrix<double>(n + 1, cols(table));
  const std::vector<double> word = contrasts(table, 0, words, std::sqrt(l), out);
  const std::vector<double> position = contrasts(table, words, n, std::sqrt(v), out);
  for (std::size_t j = 0; j < cols(table); ++j) out(n, j) = std::sqrt(v * l) * (word[j] + position[j]);
  return out;
}

BilinearTargets bilinear_targets(const Matrix<double>& targets, std::size_t words) {
  BilinearTargets result{transposed(whitened_rows(transposed(whitened_rows(targets, words)), words)), words,
                         rows(targets) - words};
  result.energy = sum_of_squares(result.whitened);
  return result;
}

BilinearFit bilinear_fit(const Matrix<double>& table, const BilinearTargets& targets) {
  const Singular<double> sums = singular_decomposition(whitened_rows(table, targets.words));
  std::size_t rank = 0;
  while (rank < sums.values.size() && sums.values[rank] > usual_cutoff * sums.values[0]) ++rank;
  const View<double> u = block(sums.left, 0, rows(sums.left), rank);
  const Matrix<double> inside = product_tn(u, product(targets.whitened, u));
  Matrix<double> scaled = matrix<double>(rank, rank);
  for (std::size_t i = 0; i < rank; ++i)
    for (std::size_t j = 0; j < rank; ++j) scaled(i, j) = inside(i, j) / sums.values[i] / sums.values[j];
  const View<double> q = block(sums.right, 0, rank);
  return {rank, std::max(0.0, 1 - sum_of_squares(inside) / targets.energy),
          product(product_tn(q, scaled), q)};
}

}  // namespace perp
