#include "perp/measures/scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"

namespace perp {
namespace {

/// First and second moments of a table's rows.
struct TableMoments {
  std::vector<double> mean;   ///< d
  Matrix<double> covariance;  ///< Σ (x-x̄)(x-x̄)ᵀ/n, d x d
};

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

TableMoments table_moments(View<double> table) {
  const std::size_t d = table.cols;
  TableMoments out{column_means(table), zeros<double>(d, d)};
  const double n = static_cast<double>(table.rows);
  constexpr std::size_t tile = 1024;
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> part = gram_columns(less_row(block(table, first, last, d), out.mean));
    for (std::size_t i = 0; i < part.size(); ++i) out.covariance.data()[i] += part.data()[i] / n;
  }
  return out;
}

/// Variance of xᵀMy over all pairs (x, y): tr(C_x M C_y Mᵀ) + x̄ᵀM C_y Mᵀx̄ + ȳᵀMᵀC_x M ȳ, no pair formed and
/// nothing subtracted.
double score_variance(const TableMoments& x, const TableMoments& y, const Matrix<double>& m) {
  // With x = x̄ + x̃ and y likewise the score is x̄ᵀMȳ + x̄ᵀMỹ + x̃ᵀMȳ + x̃ᵀMỹ, the last three uncorrelated.
  const Matrix<double> spread = product(m, product_nt(y.covariance, m));  // M C_y Mᵀ
  double both = 0;
  for (std::size_t i = 0; i < spread.size(); ++i) both += x.covariance.data()[i] * spread.data()[i];
  const std::vector<double> seen = times(m, y.mean);
  return both + dot(x.mean, times(spread, x.mean)) + dot(seen, times(x.covariance, seen));
}

}  // namespace

FourTerms four_terms(View<double> words, View<double> positions, const Matrix<double>& m) {
  const TableMoments spoken = table_moments(words), places = table_moments(positions);
  FourTerms out;
  out.word_word = score_variance(spoken, spoken, m);
  out.word_position = score_variance(spoken, places, m);
  out.position_word = score_variance(places, spoken, m);
  const TableMoments sums = added(spoken, places);
  out.score = score_variance(sums, sums, m);
  // Of the positions' own scores the lag takes its share; both from the same sums, so that it is no more than
  // all.
  const Matrix<double> queries = product(positions, m);
  const LagSquares squares = lag_squares(lag_statistics(queries, positions, 1));
  out.position_position = (squares.within + squares.between) / squares.entries;
  out.distance_only = squares.between / squares.entries;
  return out;
}

template <class T>
double score_r2(View<T> left, View<T> right) {
  constexpr double rounding = 16 * std::numeric_limits<T>::epsilon();
  const LagStatistics lags = lag_statistics(left, right, 1);
  const LagSquares squares = lag_squares(lags);
  return squares.within + squares.between > rounding * rounding * squares.total ? toeplitz_r2(lags) : NAN;
}
double score_r2(View<float> left, View<float> right) { return score_r2<float>(left, right); }
double score_r2(View<double> left, View<double> right) { return score_r2<double>(left, right); }

namespace {

/// Pairs of pairs whose distances are `farther` apart, from how many pairs have each distance.
std::uint64_t comparable(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer) {
  std::vector<std::uint64_t> at_least;  // pairs of the longer text by least distance
  for (const ScoredPair& pair : longer) {
    const std::size_t lag = pair.s - pair.t;
    if (at_least.size() <= lag) at_least.resize(lag + 1, 0);
    ++at_least[lag];
  }
  for (std::size_t lag = at_least.size(); lag-- > 1;) at_least[lag - 1] += at_least[lag];
  std::uint64_t count = 0;
  for (const ScoredPair& pair : shorter) {
    const std::size_t lag = farther * (pair.s - pair.t);
    if (lag < at_least.size()) count += at_least[lag];
  }
  return count;
}

}  // namespace

std::vector<ScoredPair> scored_pairs(std::size_t length,
                                     const std::function<double(std::size_t, std::size_t)>& score) {
  std::vector<ScoredPair> pairs;
  for (std::size_t t = 1; t < length; ++t)
    for (std::size_t s = t + 1; s < length; ++s)
      pairs.push_back({score(t, s), static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(s)});
  std::ranges::stable_sort(pairs, {}, &ScoredPair::score);
  return pairs;
}

Collisions collisions(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer) {
  Collisions found;
  found.compared = comparable(shorter, longer);
  std::size_t first = 0;
  for (const ScoredPair& near : shorter) {
    // The window is twice as wide as equality allows; the comparison itself decides.
    const double reach = 2 * equal_scores * std::abs(near.score);
    while (first < longer.size() && longer[first].score < near.score - reach) ++first;
    for (std::size_t i = first; i < longer.size() && longer[i].score <= near.score + reach; ++i) {
      const ScoredPair& far = longer[i];
      if (far.s - far.t < farther * (near.s - near.t)) continue;
      if (std::abs(far.score - near.score) >
          equal_scores * std::max(std::abs(far.score), std::abs(near.score)))
        continue;
      ++found.equal;
      if (!found.example) found.example = std::pair{near, far};
    }
  }
  return found;
}

KernelOrder kernel_order(std::span<const double> kernel) {
  const auto lag = [&](auto place) { return static_cast<std::size_t>(place - kernel.begin()); };
  KernelOrder n;
  n.first_rise = lag(std::min(std::ranges::adjacent_find(kernel, std::ranges::less{}), kernel.end() - 1));
  n.best = lag(std::ranges::max_element(kernel.subspan(1)));
  n.best_beyond =
      n.best + 1 < kernel.size() ? lag(std::ranges::max_element(kernel.subspan(n.best + 1))) : n.best;
  double least = kernel[1];
  for (std::size_t k = 2; k < kernel.size(); ++k) {
    n.largest_rise = std::max(n.largest_rise, kernel[k] - least);
    least = std::min(least, kernel[k]);
  }
  return n;
}

double ordered_share(std::span<const double> kernel, std::size_t lags) {
  std::size_t ordered = 0;
  for (std::size_t k = 1; k < lags; ++k)
    for (std::size_t m = k + 1; m < lags; ++m) ordered += kernel[k] > kernel[m];
  return static_cast<double>(ordered) / (static_cast<double>((lags - 1) * (lags - 2)) / 2);
}

}  // namespace perp
