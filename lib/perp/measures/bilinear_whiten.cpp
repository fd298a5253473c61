// R, the square root of the structure of sums: what is left of (VL)² pairs.

#include <algorithm>
#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"

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

double square_of(const Matrix<double>& m, std::size_t row0, std::size_t row1, std::size_t col0,
                 std::size_t col1) {
  double sum = 0;
  for (std::size_t i = row0; i < row1; ++i)
    for (std::size_t j = col0; j < col1; ++j) sum += m(i, j) * m(i, j);
  return sum;
}

}  // namespace

Matrix<double> whitened_rows(const Matrix<double>& table, std::size_t words, ScoreOf of) {
  const std::size_t n = rows(table), positions = n - std::min(words, n);
  check_counts("whitened_rows", n, words, positions);
  if (of == ScoreOf::parts) return table;
  const double v = static_cast<double>(words), l = static_cast<double>(positions);
  Matrix<double> out = matrix<double>(n + 1, cols(table));
  const std::vector<double> word = contrasts(table, 0, words, std::sqrt(l), out);
  const std::vector<double> position = contrasts(table, words, n, std::sqrt(v), out);
  for (std::size_t j = 0; j < cols(table); ++j) out(n, j) = std::sqrt(v * l) * (word[j] + position[j]);
  return out;
}

Matrix<double> whitened_rows_transposed(const Matrix<double>& g, std::size_t words, std::size_t positions,
                                        ScoreOf of) {
  const std::size_t n = words + positions;
  check_counts("whitened_rows_transposed", rows(g) - (of == ScoreOf::sums && rows(g) > 0 ? 1 : 0), words,
               positions);
  if (of == ScoreOf::parts) return g;
  const double v = static_cast<double>(words), l = static_cast<double>(positions);
  Matrix<double> out = matrix<double>(n, cols(g));
  contrasts(g, 0, words, std::sqrt(l), out);
  contrasts(g, words, n, std::sqrt(v), out);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < cols(g); ++j)
      out(i, j) += (i < words ? std::sqrt(l / v) : std::sqrt(v / l)) * g(n, j);
  return out;
}

BilinearTargets bilinear_targets(const Matrix<double>& targets, std::size_t words, ScoreOf of) {
  const std::size_t n = rows(targets), positions = n - std::min(words, n);
  expect(cols(targets) == n, "bilinear_targets: {} x {} targets, expected a square table", n, cols(targets));
  check_counts("bilinear_targets", n, words, positions);
  for (std::size_t i = 0; i < targets.size(); ++i)
    require(std::isfinite(targets.data()[i]), "bilinear_targets: entry ({}, {}) is {}", i / n, i % n,
            targets.data()[i]);
  BilinearTargets result;
  result.whitened = transposed(whitened_rows(transposed(whitened_rows(targets, words, of)), words, of));
  result.words = words;
  result.positions = positions;
  result.of = of;
  const Matrix<double>& t = result.whitened;
  result.energy = square_of(t, 0, rows(t), 0, cols(t));
  result.energies = {square_of(t, 0, words, 0, words), square_of(t, 0, words, words, n),
                     square_of(t, words, n, 0, words), square_of(t, words, n, words, n)};
  require(result.energy > 0, "bilinear_targets: the scores of all sums are 0");
  return result;
}

}  // namespace perp
