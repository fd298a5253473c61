#include "perp/measures/bilinear.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"

namespace perp {
namespace {

void check_counts(const char* where, std::size_t rows, std::size_t words, std::size_t positions) {
  expect(words >= 1 && positions >= 1 && rows == words + positions,
         "{}: {} rows for {} words and {} positions, expected one per word and position, and one of each",
         where, rows, words, positions);
}

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

/// tr UᵀKU / tr K of K = RRᵀ restricted to the range of R: three groups of rows of A, each with one weight.
double share_of_random(View<double> u, const BilinearTargets& t) {
  const double v = static_cast<double>(t.words), l = static_cast<double>(t.positions);
  const std::size_t n = t.words + t.positions;
  struct Rows {
    std::size_t first, last;
    double weight, trace;
  };
  double kept = 0, whole = 0;
  for (const Rows& rows :
       {Rows{0, t.words, l, l * (v - 1)}, Rows{t.words, n, v, v * (l - 1)}, Rows{n, n + 1, v + l, v + l}}) {
    double length = 0;
    for (std::size_t i = rows.first; i < rows.last; ++i)
      for (const double x : u.row(i)) length += x * x;
    kept += rows.weight * length;
    whole += rows.trace;
  }
  return std::min(kept / whole, 1.0);
}

}  // namespace

Matrix<double> whitened_rows(const Matrix<double>& table, std::size_t words) {
  const std::size_t n = rows(table), positions = n - std::min(words, n);
  check_counts("whitened_rows", n, words, positions);
  const double v = static_cast<double>(words), l = static_cast<double>(positions);
  Matrix<double> out = matrix<double>(n + 1, cols(table));
  const std::vector<double> word = contrasts(table, 0, words, std::sqrt(l), out);
  const std::vector<double> position = contrasts(table, words, n, std::sqrt(v), out);
  for (std::size_t j = 0; j < cols(table); ++j) out(n, j) = std::sqrt(v * l) * (word[j] + position[j]);
  return out;
}

BilinearTargets bilinear_targets(const Matrix<double>& targets, std::size_t words) {
  const std::size_t n = rows(targets), positions = n - std::min(words, n);
  expect(cols(targets) == n, "bilinear_targets: {} x {} targets, expected a square table", n, cols(targets));
  check_counts("bilinear_targets", n, words, positions);
  for (std::size_t i = 0; i < targets.size(); ++i)
    require(std::isfinite(targets.data()[i]), "bilinear_targets: entry ({}, {}) is {}", i / n, i % n,
            targets.data()[i]);
  BilinearTargets result{transposed(whitened_rows(transposed(whitened_rows(targets, words)), words)), words,
                         positions};
  result.energy = sum_of_squares(result.whitened);
  require(result.energy > 0, "bilinear_targets: the scores of all sums are 0");
  return result;
}

BilinearFit bilinear_fit(const Matrix<double>& table, const BilinearTargets& targets) {
  require(rows(table) == targets.words + targets.positions && cols(table) > 0,
          "bilinear fit: a {} x {} table for {} words and {} positions", rows(table), cols(table),
          targets.words, targets.positions);
  const Singular<double> sums = singular_decomposition(whitened_rows(table, targets.words));
  require(sums.values[0] > 0, "bilinear fit: every sum is 0");
  std::size_t rank = 0;
  while (rank < sums.values.size() && sums.values[rank] > usual_cutoff * sums.values[0]) ++rank;
  const View<double> u = block(sums.left, 0, rows(sums.left), rank);
  const Matrix<double> inside = product_tn(u, product(targets.whitened, u));
  const double share = share_of_random(u, targets);
  BilinearFit fit{.rank = rank,
                  .residual = std::max(0.0, 1 - sum_of_squares(inside) / targets.energy),
                  .expected = (1 - share) * (1 + share),
                  .head = {}};
  Matrix<double> scaled = matrix<double>(rank, rank);
  for (std::size_t i = 0; i < rank; ++i)
    for (std::size_t j = 0; j < rank; ++j) scaled(i, j) = inside(i, j) / sums.values[i] / sums.values[j];
  const View<double> q = block(sums.right, 0, rank);
  fit.head = product(product_tn(q, scaled), q);
  return fit;
}

}  // namespace perp
