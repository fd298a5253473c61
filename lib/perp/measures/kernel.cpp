#include "perp/measures/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/theory/distance.hpp"

namespace perp {
namespace {

// How L x L scores are cut into bands of diagonals and tiles, and the sums of one band.
//
// Band b holds, for every strip of `strip` rows from r0 on, the columns r0 + kC … r0 + (k+1)C - 1 (k = b +
// first band, C = `width`), so its tiles slide along the diagonal and meet the same strip + C - 1 lags: the
// sums of a whole band fit into the first-level cache. Every entry of S lies in one tile of one band.

struct LagBands {
  // 256 x 512: a tile stays in the second-level cache between the product and the pass over it, and is large
  // enough for the product to run at nearly full speed.
  static constexpr std::size_t strip = 256, width = 512;

  std::size_t length;
  std::int64_t first_band, last_band;

  LagBands(std::size_t length, bool symmetric);

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

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Sums over one tile, about `origin`, the first value met on each diagonal: values that hardly differ lose
/// no digits, and as the origin is one of at most `strip` values the sum of squares loses a factor of that at
/// worst.
template <class T>
struct TileSums {
  std::vector<T> origin, least, most;
  std::vector<double> sum, square;

  explicit TileSums(std::size_t slots)
      : origin(slots), least(slots), most(slots), sum(slots), square(slots) {}

  void begin(std::size_t slot, const T* values, std::size_t n) {
    std::copy(values, values + n, origin.data() + slot);
    std::copy(values, values + n, least.data() + slot);
    std::copy(values, values + n, most.data() + slot);
    std::fill(sum.data() + slot, sum.data() + slot + n, 0.0);
    std::fill(square.data() + slot, square.data() + slot + n, 0.0);
  }

  void add(std::size_t slot, const T* __restrict values, std::size_t n) {
    const T* __restrict from = origin.data() + slot;
    T* __restrict low = least.data() + slot, * __restrict high = most.data() + slot;
    double* __restrict s = sum.data() + slot, * __restrict q = square.data() + slot;
    for (std::size_t j = 0; j < n; ++j) {
      const double off = static_cast<double>(values[j]) - static_cast<double>(from[j]);
      s[j] += off;
      q[j] += off * off;
      low[j] = values[j] < low[j] ? values[j] : low[j];
      high[j] = values[j] > high[j] ? values[j] : high[j];
    }
  }

  /// `n` values lie behind the slot.
  void flush(std::size_t slot, double n, LagSums& into) const {
    const double shift = sum[slot] / n;
    into.add(slot, n, static_cast<double>(origin[slot]), shift,
             std::max(0.0, square[slot] - sum[slot] * shift), static_cast<double>(least[slot]),
             static_cast<double>(most[slot]));
  }
};

/// A tile of `rows` rows and columns first … last-1, counted from the band's own first column.
template <class T>
void sum_tile(const T* values, std::size_t rows, std::size_t first, std::size_t last, TileSums<T>& sums,
              LagSums& into) {
  constexpr std::size_t top = LagBands::strip - 1;  // slot of row i, column j: top - i + j
  const std::size_t n = last - first;
  sums.begin(top + first, values, n);
  for (std::size_t i = 1; i < rows; ++i) {
    const T* const line = values + i * n;
    const std::size_t slot = top - i + first;
    sums.begin(slot, line, 1);  // a diagonal that the rows above do not reach
    sums.add(slot + 1, line + 1, n - 1);
  }
  for (std::size_t slot = top + first + 1 - rows; slot < top + last; ++slot) {
    const std::size_t below = top + first > slot ? top + first - slot : 0;  // first row on this diagonal
    const std::size_t above = std::min(rows, top + last - slot);            // and one past its last
    sums.flush(slot, static_cast<double>(above - below), into);
  }
}

LagBands::LagBands(std::size_t length_, bool symmetric) : length(length_) {
  const std::int64_t most = static_cast<std::int64_t>(length) - 1, w = static_cast<std::int64_t>(width);
  // Column minus first row of the strip is the lag plus 0 … strip-1.
  first_band = symmetric ? 0 : floor_div(-most, w);
  last_band = (most + static_cast<std::int64_t>(std::min(strip, length)) - 1) / w;
}

LagSums::LagSums(std::size_t slots)
    : count(slots),
      origin(slots),
      mean(slots),
      square(slots),
      least(slots, std::numeric_limits<double>::infinity()),
      most(slots, -std::numeric_limits<double>::infinity()) {}

void LagSums::add(std::size_t slot, double n, double their_origin, double their_mean, double their_square,
                  double their_least, double their_most) {
  if (!(n > 0)) return;
  const double before = count[slot], together = before + n;
  if (before == 0) origin[slot] = their_origin;
  const double off = (their_origin - origin[slot]) + their_mean - mean[slot];
  count[slot] = together;
  mean[slot] += off * (n / together);
  square[slot] += their_square + off * off * (before * n / together);
  least[slot] = std::min(least[slot], their_least);
  most[slot] = std::max(most[slot], their_most);
}

/// All tiles of one band, from the first strip to the last.
template <class T>
LagSums sum_band(const LagBands& bands, std::size_t band, const ScoreTile<T>& tile) {
  constexpr std::size_t slots = LagBands::strip + LagBands::width - 1;
  LagSums result(slots);
  TileSums<T> sums(slots);
  std::vector<T> values(std::min(LagBands::strip, bands.length) * std::min(LagBands::width, bands.length));
  const std::int64_t length = static_cast<std::int64_t>(bands.length);
  for (std::size_t r0 = 0; r0 < bands.length; r0 += LagBands::strip) {
    const std::size_t r1 = std::min(bands.length, r0 + LagBands::strip);
    const std::int64_t begin = static_cast<std::int64_t>(r0) + bands.offset(band);
    const std::int64_t c0 = std::max<std::int64_t>(begin, 0);
    const std::int64_t c1 = std::min(begin + static_cast<std::int64_t>(LagBands::width), length);
    if (c0 >= c1) continue;
    tile(r0, r1, static_cast<std::size_t>(c0), static_cast<std::size_t>(c1), values.data());
    sum_tile(values.data(), r1 - r0, static_cast<std::size_t>(c0 - begin),
             static_cast<std::size_t>(c1 - begin), sums, result);
  }
  return result;
}

/// Bands in ascending order, so that the sums do not depend on who finished first.
LagStatistics merged(const LagBands& bands, const std::vector<LagSums>& parts, bool symmetric) {
  LagStatistics out;
  out.length = bands.length;
  out.symmetric = symmetric;
  const std::int64_t most = static_cast<std::int64_t>(bands.length) - 1, least = symmetric ? 0 : -most;
  LagSums all(static_cast<std::size_t>(most - least + 1));
  for (std::size_t band = 0; band < parts.size(); ++band) {
    const std::int64_t first = bands.first_lag(band);
    for (std::size_t slot = 0; slot < parts[band].size(); ++slot) {
      const std::int64_t lag = first + static_cast<std::int64_t>(slot);
      if (lag >= least && lag <= most) all.merge(static_cast<std::size_t>(lag - least), parts[band], slot);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    require(std::isfinite(all.square[i]),
            "lag_statistics: scores at lag {} are not finite or too large to be squared (mean {})",
            static_cast<std::int64_t>(i) + least, all.origin[i] + all.mean[i]);
    out.mean.push_back(all.origin[i] + all.mean[i]);
    out.worst_deviation.push_back(all.worst_deviation(i));
    out.count.push_back(static_cast<std::uint64_t>(all.count[i]));
  }
  out.square_deviation = std::move(all.square);
  return out;
}

}  // namespace

std::size_t LagStatistics::at(std::int64_t lag) const {
  const std::uint64_t size = lag < 0 ? 0 - static_cast<std::uint64_t>(lag) : static_cast<std::uint64_t>(lag);
  if (symmetric) return size;
  return lag < 0 ? length - 1 - size : length - 1 + size;
}

std::int64_t LagStatistics::lag(std::size_t i) const {
  return static_cast<std::int64_t>(i) - (symmetric ? 0 : static_cast<std::int64_t>(length) - 1);
}

double LagStatistics::weight(std::size_t i) const {
  return static_cast<double>(count[i]) * (symmetric && i > 0 ? 2 : 1);
}

template <class T>
LagStatistics lag_statistics_of(std::size_t length, bool symmetric, const ScoreTile<T>& tile,
                                std::size_t threads) {
  const LagBands bands(length, symmetric);
  std::vector<LagSums> parts(bands.count());
  parallel_for(bands.count(), threads, [&](std::size_t band) { parts[band] = sum_band(bands, band, tile); });
  return merged(bands, parts, symmetric);
}

namespace {

template <class T>
LagStatistics of_products(View<T> a, View<T> b, bool symmetric, std::size_t threads) {
  const ScoreTile<T> tile = [&](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1, T* out) {
    product_nt_into(block(a, r0, r1, a.cols), block(b, c0, c1, b.cols), out);
  };
  return lag_statistics_of(a.rows, symmetric, tile, threads);
}

}  // namespace

#define PERP_INSTANTIATE(T)                                                                      \
  template LagStatistics lag_statistics_of(std::size_t, bool, const ScoreTile<T>&, std::size_t); \
  LagStatistics lag_statistics(View<T> a, View<T> b, std::size_t threads) {                      \
    return of_products(a, b, false, threads);                                                    \
  }                                                                                              \
  LagStatistics lag_statistics(View<T> a, std::size_t threads) { return of_products(a, a, true, threads); }
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

// What is read from the sums of a kernel's lags.

LagSquares lag_squares(const LagStatistics& lags) {
  LagSquares out;
  double sum = 0;
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    const double n = lags.weight(i);
    out.entries += n;
    sum += n * lags.mean[i];
    out.within += lags.square_deviation[i] * (n / static_cast<double>(lags.count[i]));
    out.total += n * lags.mean[i] * lags.mean[i];
  }
  out.total += out.within;
  out.mean = sum / out.entries;
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    const double off = lags.mean[i] - out.mean;
    out.between += lags.weight(i) * off * off;
  }
  return out;
}

double toeplitz_defect(const LagStatistics& lags) {
  const LagSquares squares = lag_squares(lags);
  require(squares.total > 0, "toeplitz_defect: all scores of {} positions are 0", lags.length);
  return std::sqrt(squares.within / squares.total);
}

double toeplitz_r2(const LagStatistics& lags) {
  const LagSquares squares = lag_squares(lags);
  const double variation = squares.within + squares.between;
  require(variation > 0, "toeplitz_r2: all scores of {} positions are {}", lags.length, squares.mean);
  return squares.between / variation;
}

double worst_deviation(const LagStatistics& lags) {
  return *std::max_element(lags.worst_deviation.begin(), lags.worst_deviation.end());
}

double sine_alone_defect(std::size_t length, double base) {
  std::vector<double> kernel;
  for (std::size_t lag = 0; lag + 1 < 2 * length; ++lag)
    kernel.push_back(theory::kernel_limit(base, static_cast<double>(lag)));
  return sine_alone_defect(length, kernel);
}

double sine_alone_defect(std::size_t length, std::span<const double> kernel) {
  const ScoreTile<double> tile = [&](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                     double* out) {
    for (std::size_t t = r0; t < r1; ++t)
      for (std::size_t s = c0; s < c1; ++s) *out++ = kernel[t < s ? s - t : t - s] - kernel[t + s];
  };
  return toeplitz_defect(lag_statistics_of<double>(length, true, tile, 1));
}

}  // namespace perp
