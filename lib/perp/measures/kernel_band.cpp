#include "perp/measures/kernel_band.hpp"

#include <algorithm>
#include <limits>

namespace perp {
namespace {

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

}  // namespace

LagBands::LagBands(std::size_t length_, std::size_t max_lag_, bool symmetric)
    : length(length_), max_lag(max_lag_) {
  const std::int64_t most = static_cast<std::int64_t>(max_lag), w = static_cast<std::int64_t>(width);
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
template LagSums sum_band(const LagBands&, std::size_t, const ScoreTile<float>&);
template LagSums sum_band(const LagBands&, std::size_t, const ScoreTile<double>&);

}  // namespace perp
