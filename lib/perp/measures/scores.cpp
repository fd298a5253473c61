#include "perp/measures/scores.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"

namespace perp {
namespace {

void check_form(const TableMoments& x, const TableMoments& y, const Matrix<double>& m, const char* where) {
  const std::size_t d = rows(m);
  expect(d > 0 && cols(m) == d && x.mean.size() == d && y.mean.size() == d,
         "{}: vectors of {} and {} dimensions and a {} x {} matrix between them; one size was expected",
         where, x.mean.size(), y.mean.size(), rows(m), cols(m));
}

std::vector<double> times(const Matrix<double>& m, const std::vector<double>& x) {
  std::vector<double> out(rows(m));
  for (std::size_t i = 0; i < rows(m); ++i) out[i] = dot(row(m, i), x);
  return out;
}

/// Independent rows added: the moments of x + y.
TableMoments added(const TableMoments& x, const TableMoments& y) {
  TableMoments out = x;
  for (std::size_t i = 0; i < out.mean.size(); ++i) out.mean[i] += y.mean[i];
  for (std::size_t i = 0; i < out.covariance.size(); ++i) out.covariance.data()[i] += y.covariance.data()[i];
  return out;
}

}  // namespace

double TableMoments::square_mean() const { return dot(mean, mean); }

double TableMoments::mean_square() const {
  double sum = square_mean();
  for (std::size_t i = 0; i < perp::rows(covariance); ++i) sum += covariance(i, i);
  return sum;
}

TableMoments table_moments(View<double> table) {
  require(table.rows > 0 && table.cols > 0, "table_moments: an empty table, {} x {}", table.rows, table.cols);
  const std::size_t d = table.cols;
  TableMoments out{column_means(table), zeros<double>(d, d), table.rows};
  const double n = static_cast<double>(table.rows);
  for (std::size_t j = 0; j < d; ++j)
    require(std::isfinite(out.mean[j]), "table_moments: column {} of the {} x {} table has a mean of {}", j,
            table.rows, d, out.mean[j]);
  constexpr std::size_t tile = 1024;
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> part = gram_columns(less_row(block(table, first, last, d), out.mean));
    for (std::size_t i = 0; i < part.size(); ++i) out.covariance.data()[i] += part.data()[i] / n;
  }
  return out;
}

double score_variance(const TableMoments& x, const TableMoments& y, const Matrix<double>& m) {
  check_form(x, y, m, "score_variance");
  // With x = x̄ + x̃ and y likewise the score is x̄ᵀMȳ + x̄ᵀMỹ + x̃ᵀMȳ + x̃ᵀMỹ, the last three uncorrelated.
  const Matrix<double> spread = product(m, product_nt(y.covariance, m));  // M C_y Mᵀ
  double both = 0;
  for (std::size_t i = 0; i < spread.size(); ++i) both += x.covariance.data()[i] * spread.data()[i];
  const std::vector<double> seen = times(m, y.mean);
  return both + dot(x.mean, times(spread, x.mean)) + dot(seen, times(x.covariance, seen));
}

FourTerms four_terms(const TableMoments& words, View<double> positions, const Matrix<double>& m,
                     std::size_t threads) {
  expect(words.mean.size() == positions.cols,
         "four_terms: words of {} dimensions and positions of {}; one size was expected", words.mean.size(),
         positions.cols);
  const TableMoments places = table_moments(positions);
  FourTerms out;
  out.word_word = score_variance(words, words, m);
  out.word_position = score_variance(words, places, m);
  out.position_word = score_variance(places, words, m);
  const TableMoments sums = added(words, places);
  out.score = score_variance(sums, sums, m);
  // Of the positions' own scores the lag takes its share; both from the same sums, so that it is no more than
  // all.
  const Matrix<double> queries = product(positions, m);
  const LagSquares squares = lag_squares(lag_statistics(queries, positions, threads));
  out.position_position = (squares.within + squares.between) / squares.entries;
  out.distance_only = squares.between / squares.entries;
  return out;
}

FourTerms four_terms(View<double> words, View<double> positions, const Matrix<double>& m,
                     std::size_t threads) {
  return four_terms(table_moments(words), positions, m, threads);
}

double score_r2(const Matrix<double>& left, const Matrix<double>& right, std::size_t threads) {
  return toeplitz_r2(lag_statistics(left, right, threads));
}

}  // namespace perp
