// D1: p_t·p_{t+k} depends on k alone. Measured in the formats that tables and angles are held in. In words: d1.toml.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t dimension = 512;
constexpr std::size_t window = 128;  // consecutive positions at every place
constexpr std::uint64_t products_of_window = window * (window + 1) / 2;
/// Texts are read up to here: the last of the measured places from position 8,192 on.
constexpr std::size_t text_end = 10'127;

/// The table is stored in one format, the angles ω_i t are computed in another: the table short alone, the
/// angle short alone, and both as code has them. (bfloat16, bfloat16) is the rotary layer that holds
/// frequencies and positions in the model's own type; (bfloat16, float32) is its repair.
struct Storage {
  const char *table, *angle;
};
constexpr Storage storages[] = {{"float64", "float64"}, {"float32", "float64"},   {"bfloat16", "float64"},
                                {"float16", "float64"}, {"float64", "float32"},   {"float64", "bfloat16"},
                                {"float64", "float16"}, {"float32", "float32"},   {"bfloat16", "float32"},
                                {"float16", "float32"}, {"bfloat16", "bfloat16"}, {"float16", "float16"}};

/// The largest departure of a window's products from the exact sums, over g(0) = d/2, and its last position.
void measure_windows(const Storage& at, Out& out) {
  const Format table_format = format_from(at.table), angle = format_from(at.angle);
  const std::vector<double> kernel = kernel_of_format(dimension, angle, window);
  for (const std::size_t first : {0, 100, 300, 1000, 3000, 10'000, 30'000, 100'000, 300'000, 1'000'000}) {
    if (first + window >= largest_finite(angle)) continue;
    std::vector<std::uint64_t> positions(window);
    std::iota(positions.begin(), positions.end(), first);
    const Matrix<double> products =
        gram_rows(sinusoidal_in_format(positions, dimension, usual_base, table_format, angle));
    double worst = 0;
    for (std::size_t t = 0; t < window; ++t)
      for (std::size_t s = t; s < window; ++s)
        worst = std::max(worst, std::abs(products(t, s) - kernel[s - t]));
    out("window", {{"last", positions.back()}, {"share", worst / (dimension / 2.0)}});
  }
}

/// The source's example, at d = 16, and the same lags at other positions.
void measure_pairs(Out& out) {
  const std::uint64_t pairs[][2] = {
      {105, 106}, {5, 6}, {5, 10}, {1005, 1006}, {100'005, 100'006}, {1'000'005, 1'000'006}};
  for (const auto& [t, s] : pairs) {
    const auto dot = [both = std::array<std::uint64_t, 2>{t, s}](Format table_format, Format angle) {
      const Matrix<double> table = sinusoidal_in_format(both, 16, usual_base, table_format, angle);
      return std::inner_product(row(table, 0).begin(), row(table, 0).end(), row(table, 1).begin(), 0.0);
    };
    out("pairs", {{"t", t},
                  {"s", s},
                  {"stated", s - t == 1 ? 7.4852 : 6.1370},
                  {"float64", dot(Format::float64, Format::float64)},
                  {"float32", dot(Format::float32, Format::float32)},
                  {"bfloat16_table", dot(Format::bfloat16, Format::float32)},
                  {"bfloat16_angle", dot(Format::bfloat16, Format::bfloat16)}});
  }
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& windows : measured["window"].by("table angle")) {
    /// NaN where the format does not reach it.
    const auto ending_at = [&](std::int64_t last) {
      const Frame found = windows.where("last", last);
      return found.empty() ? NAN : found.front().number("share");
    };
    const Frame texts = windows.where([](const Row& at) { return at.whole("last") <= text_end; });
    out("formats", windows,
        {{"start", ending_at(127)}, {"at_10k", ending_at(10'127)}, {"at_1m", ending_at(1'000'127)}});
    out("texts", windows, {{"share", texts.most("share")}, {"products", products_of_window * texts.size()}});
  }
}

}  // namespace

Experiment lag_alone(const Options&) {
  Experiment claim("D1", toml_of("d1"));
  claim.cell({{"d", 16}}, 1e-3, [](const Streams&, Out& out) { measure_pairs(out); });
  for (const Storage& at : storages)
    claim.cell({{"table", at.table}, {"angle", at.angle}}, 0.3,
               [=](const Streams&, Out& out) { measure_windows(at, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
