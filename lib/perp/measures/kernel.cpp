#include "perp/measures/kernel.hpp"

#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/kernel_band.hpp"

namespace perp {
namespace {

template <class T>
void check_finite(View<T> table, const char* name) {
  for (std::size_t i = 0; i < table.rows; ++i) {
    const std::span<const T> values = table.row(i);
    bool finite = true;  // no early exit: this loop is vectorised
    for (const T x : values) finite = finite & (std::abs(x) <= std::numeric_limits<T>::max());
    require(finite, "lag_statistics: row {} of the {} x {} table {} holds a value that is not finite", i,
            table.rows, table.cols, name);
  }
}

/// Bands in ascending order, so that the sums do not depend on who finished first.
LagStatistics merged(const LagBands& bands, const std::vector<LagSums>& parts, bool symmetric) {
  LagStatistics out;
  out.length = bands.length;
  out.max_lag = bands.max_lag;
  out.symmetric = symmetric;
  const std::int64_t most = static_cast<std::int64_t>(bands.max_lag), least = symmetric ? 0 : -most;
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
  expect(size <= max_lag, "lag_statistics: lag {} was asked for; lags up to {} of {} positions are held", lag,
         max_lag, length);
  if (symmetric) return size;
  return lag < 0 ? max_lag - size : max_lag + size;
}

std::int64_t LagStatistics::lag(std::size_t i) const {
  return static_cast<std::int64_t>(i) - (symmetric ? 0 : static_cast<std::int64_t>(max_lag));
}

double LagStatistics::weight(std::size_t i) const {
  return static_cast<double>(count[i]) * (symmetric && i > 0 ? 2 : 1);
}

template <class T>
LagStatistics lag_statistics_of(std::size_t length, bool symmetric, const ScoreTile<T>& tile,
                                std::size_t threads, std::size_t max_lag) {
  require(length > 0, "lag_statistics: no positions");
  if (max_lag == all_lags) max_lag = length - 1;
  require(max_lag < length, "lag_statistics: a lag of {} between {} positions; at most {} was expected",
          max_lag, length, length - 1);
  const LagBands bands(length, max_lag, symmetric);
  std::vector<LagSums> parts(bands.count());
  parallel_for(bands.count(), threads, [&](std::size_t band) { parts[band] = sum_band(bands, band, tile); });
  return merged(bands, parts, symmetric);
}

namespace {

template <class T>
LagStatistics of_products(View<T> a, View<T> b, bool symmetric, std::size_t threads, std::size_t max_lag) {
  expect(a.rows == b.rows && a.cols == b.cols,
         "lag_statistics: a is {} x {}, b is {} x {}; tables of one shape were expected", a.rows, a.cols,
         b.rows, b.cols);
  require(a.rows > 0 && a.cols > 0, "lag_statistics: an empty table, {} x {}", a.rows, a.cols);
  check_finite(a, "a");
  if (!symmetric) check_finite(b, "b");
  const ScoreTile<T> tile = [&](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1, T* out) {
    product_nt_into(block(a, r0, r1, a.cols), block(b, c0, c1, b.cols), out);
  };
  return lag_statistics_of(a.rows, symmetric, tile, threads, max_lag);
}

}  // namespace

template <class T>
LagStatistics lag_statistics(View<T> a, View<T> b, std::size_t threads, std::size_t max_lag) {
  return of_products(a, b, false, threads, max_lag);
}
template <class T>
LagStatistics lag_statistics(View<T> a, std::size_t threads, std::size_t max_lag) {
  return of_products(a, a, true, threads, max_lag);
}

#define PERP_INSTANTIATE(T)                                                                     \
  template LagStatistics lag_statistics_of(std::size_t, bool, const ScoreTile<T>&, std::size_t, \
                                           std::size_t);                                        \
  template LagStatistics lag_statistics(View<T>, View<T>, std::size_t, std::size_t);            \
  template LagStatistics lag_statistics(View<T>, std::size_t, std::size_t);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp
