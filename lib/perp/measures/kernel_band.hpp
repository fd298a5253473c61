#pragma once
// For kernel.cpp: how L x L scores are cut into bands of diagonals and tiles, and the sums of one band.
//
// Band b holds, for every strip of `strip` rows from r0 on, the columns r0 + kC … r0 + (k+1)C - 1 (k = b +
// first band, C = `width`), so its tiles slide along the diagonal and meet the same strip + C - 1 lags: the
// sums of a whole band fit into the first-level cache. Every entry of S lies in one tile of one band.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perp/measures/kernel.hpp"

namespace perp {

struct LagBands {
  // 256 x 512: a tile stays in the second-level cache between the product and the pass over it, and is large
  // enough for the product to run at nearly full speed.
  static constexpr std::size_t strip = 256, width = 512;

  std::size_t length, max_lag;
  std::int64_t first_band, last_band;

  LagBands(std::size_t length, std::size_t max_lag, bool symmetric);

  std::size_t count() const { return static_cast<std::size_t>(last_band - first_band + 1); }
  /// Where band `band` begins, relative to a strip's first row.
  std::int64_t offset(std::size_t band) const {
    return (first_band + static_cast<std::int64_t>(band)) * static_cast<std::int64_t>(width);
  }
  /// The lag of slot 0 of the band; slot i is that of first_lag + i.
  std::int64_t first_lag(std::size_t band) const {
    return offset(band) - static_cast<std::int64_t>(strip) + 1;
  }
};

/// Sums along diagonals, one slot for each. Means are held as a distance from `origin`, a value of the
/// diagonal: where scores hardly differ, the last digits of their mean are more than its float64 holds.
struct LagSums {
  std::vector<double> count, origin, mean, square, least, most;

  explicit LagSums(std::size_t slots = 0);
  std::size_t size() const { return count.size(); }
  /// Adds n values of mean their_origin + their_mean, that sum of squared deviations from it, least and
  /// greatest.
  void add(std::size_t slot, double n, double their_origin, double their_mean, double their_square,
           double their_least, double their_most);
  /// Adds the values that slot `other_slot` of `other` stands for to `slot`.
  void merge(std::size_t slot, const LagSums& other, std::size_t other_slot) {
    add(slot, other.count[other_slot], other.origin[other_slot], other.mean[other_slot],
        other.square[other_slot], other.least[other_slot], other.most[other_slot]);
  }
  double worst_deviation(std::size_t slot) const {
    return std::max((most[slot] - origin[slot]) - mean[slot], mean[slot] - (least[slot] - origin[slot]));
  }
};

/// All tiles of one band, from the first strip to the last.
template <class T>
LagSums sum_band(const LagBands& bands, std::size_t band, const ScoreTile<T>& tile);

}  // namespace perp
