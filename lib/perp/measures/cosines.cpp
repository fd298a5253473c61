#include "perp/measures/cosines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>
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
template <bool moments>
void take(std::span<float> values, Sums& sums) {
  constexpr std::size_t lanes = 32;
  std::array<float, lanes> sum{}, square{}, most{};
  const auto step = [&](float& value, std::size_t lane) {
    const float low = value > -1.0F ? value : -1.0F;
    const float x = low < 1.0F ? low : 1.0F;
    const float size = std::abs(x);
    most[lane] = size > most[lane] ? size : most[lane];
    if constexpr (moments) {
      sum[lane] += x;
      square[lane] += x * x;
      value = x;
    }
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
template <bool moments>
Sums sweep(View<float> a, View<float> b, std::size_t first, std::size_t last, Histogram* histogram,
           std::vector<float>& tile) {
  Sums sums;
  const View<float> strip = block(a, first, last, a.cols);
  for (std::size_t j0 = 0; j0 < b.rows; j0 += tile_b) {
    const std::size_t j1 = std::min(b.rows, j0 + tile_b);
    product_nt_into(strip, block(b, j0, j1, b.cols), tile.data());
    for (std::size_t i = first; i < last; ++i) {
      const std::span<float> values(tile.data() + (i - first) * (j1 - j0), j1 - j0);
      take<moments>(values, sums);
      if constexpr (moments) histogram->add(values);
    }
  }
  return sums;
}

void check_rows_finite(View<float> a, const char* where) {
  for (std::size_t i = 0; i < a.rows; ++i)
    require(std::isfinite(sum_of_squares(a.row(i))),
            "{}: row {} of the {} x {} table holds a value that is not finite", where, i, a.rows, a.cols);
}

/// Every tile of the product, strip by strip; the strips' sums are added in their order.
template <bool moments>
Sums sweep_all(View<float> a, View<float> b, Histogram* total, std::size_t threads) {
  require(a.cols == b.cols,
          "cosines_between: a is {} x {}, b is {} x {}; both need the same number of columns", a.rows, a.cols,
          b.rows, b.cols);
  require(a.rows > 0 && b.rows > 0, "cosines_between: no pairs in tables of {} and {} rows", a.rows, b.rows);
  check_rows_finite(a, "cosines_between");
  check_rows_finite(b, "cosines_between");
  const std::size_t strips = (a.rows + tile_a - 1) / tile_a;
  std::vector<Sums> parts(strips);
  std::mutex mutex;
  parallel_for(strips, threads, [&](std::size_t strip) {
    const std::size_t first = strip * tile_a, last = std::min(a.rows, first + tile_a);
    std::vector<float> tile(tile_a * std::min(tile_b, b.rows));
    std::optional<Histogram> own;
    if (total != nullptr) own.emplace(total->bins());
    parts[strip] = sweep<moments>(a, b, first, last, own ? &*own : nullptr, tile);
    if (!own) return;
    const std::lock_guard lock(mutex);  // counts are whole numbers: their order does not matter
    total->merge(*own);
  });
  Sums sums;
  for (const Sums& part : parts) {
    sums.sum += part.sum;
    sums.sum_square += part.sum_square;
    sums.max_abs = std::max(sums.max_abs, part.max_abs);
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
  CosineSummary result{Histogram(bins), 0, 0, 0, 0};
  const Sums sums = sweep_all<true>(a, b, &result.histogram, threads);
  result.count = std::uint64_t{a.rows} * b.rows;
  result.sum = sums.sum;
  result.sum_square = sums.sum_square;
  result.max_abs = sums.max_abs;
  return result;
}
double max_abs_cosine_between(View<float> a, View<float> b, std::size_t threads) {
  return sweep_all<false>(a, b, nullptr, threads).max_abs;
}

}  // namespace perp
