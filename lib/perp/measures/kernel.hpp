#pragma once
// What a matrix of scores S (L x L, S_ts: query position t, key position s) keeps of the lag s - t alone:
// mean, worst deviation and spread along each diagonal (claims D1, D2, D4 to D6).
//
// S is never held: tile by tile it is made, summed along its diagonals and forgotten. Memory is O(L + tiles),
// whatever L. A task is a band of neighbouring diagonals, and bands are merged in their order, so that the
// bytes of a result do not depend on the number of threads. Each diagonal's sums are taken in float64 about a
// value of that diagonal, tile by tile, and merged by the update of Chan, Golub & LeVeque (1983, Amer.
// Statist. 37, 242), which only adds squares. A mean is right to 1e-16 of itself and 1e-14 of the spread
// along its lag, a sum of squared deviations to 1e-11 of itself. On top comes the rounding of the scores
// themselves, which is T's: at most d u |a_t||b_s|, u = 2^-24 or 2^-53.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// One entry per signed lag, from -(L-1) to L-1; where S is symmetric only those from 0 on are held, and every sum below
/// counts those above 0 twice.
struct LagStatistics {
  std::size_t length = 0;  ///< L
  bool symmetric = false;
  std::vector<double> mean;              ///< along the diagonal
  std::vector<double> worst_deviation;   ///< max |S_ts - mean|
  std::vector<double> square_deviation;  ///< Σ (S_ts - mean)²
  std::vector<std::uint64_t> count;      ///< L - |lag|

  /// Index of a lag; for a symmetric S, -k is k.
  std::size_t at(std::int64_t lag) const;
  /// The lag of entry i.
  std::int64_t lag(std::size_t i) const;
  /// How many entries of S stand behind entry i: its count, or twice that.
  double weight(std::size_t i) const;
};

/// S = a bᵀ; a, b: L x d. Queries on the left: for p_tᵀMp_s, a = P M and b = P. Throws Error where a score is not
/// finite. Cost L (2L - 1) d products. T: float, double.
LagStatistics lag_statistics(View<float> a, View<float> b, std::size_t threads);
LagStatistics lag_statistics(View<double> a, View<double> b, std::size_t threads);

/// S = a aᵀ, symmetric; half the cost.
LagStatistics lag_statistics(View<float> a, std::size_t threads);
LagStatistics lag_statistics(View<double> a, std::size_t threads);

/// Scores for rows first_row … last_row-1 and columns first_column … last_column-1, row-major without gaps.
/// Called from several threads at once, and not in order.
template <class T>
using ScoreTile = std::function<void(std::size_t first_row, std::size_t last_row, std::size_t first_column,
                                     std::size_t last_column, T* out)>;

/// Any S that can be made in tiles: biases of the score, products with something added. Of a symmetric S only
/// the entries s >= t count.
template <class T>
LagStatistics lag_statistics_of(std::size_t length, bool symmetric, const ScoreTile<T>& tile,
                                std::size_t threads);

// ---- summaries

/// Toep(S): every entry replaced by the mean of its lag. All are sums over entries of S.
struct LagSquares {
  double total = 0;    ///< ‖S‖²_F = within + Σ mean²
  double within = 0;   ///< ‖S - Toep(S)‖²_F
  double between = 0;  ///< ‖Toep(S) - m‖²_F, m the mean over all entries
  double mean = 0;     ///< m
  double entries = 0;
};
LagSquares lag_squares(const LagStatistics& lags);

/// ‖S - Toep(S)‖_F/‖S‖_F. Throws Error if S is 0.
double toeplitz_defect(const LagStatistics& lags);

/// 1 - ‖S - Toep(S)‖²_F/‖S - m‖²_F, the share of the scores' variance that the lag explains. Its null for iid
/// scores is 2/(L+1) (theory::toeplitz_null). Throws Error if the scores do not vary.
double toeplitz_r2(const LagStatistics& lags);

/// The largest worst_deviation over all lags.
double worst_deviation(const LagStatistics& lags);

/// The Toeplitz defect of L sine-only positions for d -> infinity: p_t·p_s = (d/2)(κ(t-s) - κ(t+s)), κ the
/// kernel's limit (theory::kernel_limit); the second term is what a sine's product has besides the lag.
double sine_alone_defect(std::size_t length, double base);
/// The same from the sums of cosines of the sines' own frequencies, lags 0 … 2L-2 or more, at any scale: of
/// any number of dimensions.
double sine_alone_defect(std::size_t length, std::span<const double> kernel);

}  // namespace perp
