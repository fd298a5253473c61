#include "perp/measures/cosines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <span>
#include <vector>

#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/rows.hpp"

namespace perp {
namespace {

// A tile of products is 512 KiB: it stays in the second-level cache between the product and the pass over it,
// and is large enough for the product to run at full speed.
constexpr std::size_t tile_a = 256, tile_b = 512;

struct Sums {
  double sum = 0, sum_square = 0, max_abs = 0;
};

/// One pass over a piece of a tile's row (at most tile_b values): clamps in place, adds to `sums`.
/// Independent lanes, because a float sum in its written order cannot be vectorised.
void take(std::span<float> values, Sums& sums) {
  constexpr std::size_t lanes = 32;
  std::array<float, lanes> sum{}, square{}, most{};
  const auto step = [&](float& value, std::size_t lane) {
    const float low = value > -1.0F ? value : -1.0F;
    const float x = low < 1.0F ? low : 1.0F;
    const float size = std::abs(x);
    most[lane] = size > most[lane] ? size : most[lane];
    sum[lane] += x;
    square[lane] += x * x;
    value = x;
  };
  std::size_t j = 0;
  for (; j + lanes <= values.size(); j += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) step(values[j + lane], lane);
  for (; j < values.size(); ++j) step(values[j], 0);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sums.sum += sum[lane];
    sums.sum_square += square[lane];
    sums.max_abs = std::max(sums.max_abs, static_cast<double>(most[lane]));
  }
}

/// Rows first … last-1 of `a` against those of `b`.
Sums sweep(View<float> a, View<float> b, std::size_t first, std::size_t last, Histogram& histogram) {
  Sums sums;
  std::vector<float> tile(tile_a * std::min(tile_b, b.rows));
  const View<float> strip = block(a, first, last, a.cols);
  for (std::size_t j0 = 0; j0 < b.rows; j0 += tile_b) {
    const std::size_t j1 = std::min(b.rows, j0 + tile_b);
    product_nt_into(strip, block(b, j0, j1, b.cols), tile.data());
    for (std::size_t i = first; i < last; ++i) {
      const std::span<float> values(tile.data() + (i - first) * (j1 - j0), j1 - j0);
      take(values, sums);
      histogram.add(values);
    }
  }
  return sums;
}

}  // namespace

UnitRows unit_rows(View<float> table) {
  std::vector<double> lengths(table.rows);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.rows; ++i) {
    lengths[i] = std::sqrt(sum_of_squares(table.row(i)));
    require(std::isfinite(lengths[i]),
            "unit_rows: row {} of the {} x {} table holds a value that is not finite", i, table.rows,
            table.cols);
    if (lengths[i] > 0) kept.push_back(i);
  }
  Matrix<float> unit = matrix<float>(kept.size(), table.cols);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::span<const float> from = table.row(kept[i]);
    const std::span<float> out = row(unit, i);
    for (std::size_t j = 0; j < table.cols; ++j) out[j] = static_cast<float>(from[j] / lengths[kept[i]]);
  }
  return {std::move(unit), std::move(kept)};
}

CosineSummary cosines_between(View<float> a, View<float> b, std::size_t bins, std::size_t threads) {
  CosineSummary result{Histogram(bins), std::uint64_t{a.rows} * b.rows, 0, 0, 0};
  const std::size_t strips = (a.rows + tile_a - 1) / tile_a;
  std::vector<Sums> parts(strips);
  std::mutex mutex;
  parallel_for(strips, threads, [&](std::size_t strip) {
    const std::size_t first = strip * tile_a, last = std::min(a.rows, first + tile_a);
    Histogram own(bins);
    parts[strip] = sweep(a, b, first, last, own);
    const std::lock_guard lock(mutex);  // counts are whole numbers: their order does not matter
    result.histogram.merge(own);
  });
  for (const Sums& part : parts) {  // in their order
    result.sum += part.sum;
    result.sum_square += part.sum_square;
    result.max_abs = std::max(result.max_abs, part.max_abs);
  }
  return result;
}

}  // namespace perp
