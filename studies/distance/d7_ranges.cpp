// D7: do many frequencies capture short and long range, and do wavelengths run from 2π to 2π·10000?

#include "studies/distance/d7_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

constexpr double pi = std::numbers::pi;

// ---- cells
// ------------------------------------------------------------------------------------------------------

std::vector<Cell> cells(const Options& options) {
  const bool quick = options.preset == Preset::quick;
  const std::size_t lags = pick<std::size_t>(options.preset, 8192, 65536, 1048576);
  std::vector<Cell> cells;
  const auto add = [&](const char* measure, std::size_t d, std::size_t base, const char* size,
                       std::size_t value, double cost) {
    cells.push_back(
        {{{"measure", std::string(measure)}, {"d", whole(d)}, {"base", whole(base)}, {size, whole(value)}},
         cost});
  };
  for (const std::size_t base : {100, 1000, 10000, 100000, 1000000}) {
    add("bands", range_dimension, base, "lags", lags, 0.1);
    add("noise", range_dimension, base, "lags", lags, 1e-5 * static_cast<double>(lags));
    for (const std::size_t d : {16, 64, 512, 4096})
      if (!quick || d <= 512) add("wavelength", d, base, "columns", d, 1e-3);
    for (const std::size_t length : {512, 2048, 8192})
      add("columns", range_dimension, base, "l", length, 2e-5 * static_cast<double>(length));
  }
  const std::size_t trials = pick<std::size_t>(options.preset, 1000, 10000, 100000);
  add("errors", range_dimension, 10000, "trials", trials, 5e-5 * static_cast<double>(trials));
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

/// The wavelength of the slowest pair from how far it turns, in steps short enough to be counted.
Records run_wavelength(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d");
  double turned = 0, last = 0;
  for (std::uint64_t lag = 1; lag < (std::uint64_t{1} << 40); lag *= 2) {
    const Matrix<double> table = rows_at({0, lag}, d, number_at(cell.at, "base"));
    const double angle = std::atan2(table(1, d - 2), table(1, d - 1));
    if (angle < turned) break;  // past half a turn
    turned = angle;
    last = static_cast<double>(lag);
    if (angle > pi / 2) break;
  }
  return {{"wavelength", {{"last", 2 * pi * last / turned}}}};
}

/// Whether a pair turns less than once from the first position to the last; no step turns it back.
bool less_than_once(std::span<const double> sine, std::span<const double> cosine) {
  double turned = 0;
  for (std::size_t t = 1; t < sine.size() && turned < 2 * pi; ++t)
    turned += std::atan2(sine[t] * cosine[t - 1] - cosine[t] * sine[t - 1],
                         cosine[t] * cosine[t - 1] + sine[t] * sine[t - 1]);
  return turned < 2 * pi;
}

Records run_columns(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d"), length = size_at(cell.at, "l");
  const Matrix<double> table = sinusoidal<double>(length, d, number_at(cell.at, "base"));
  std::uint64_t slow = 0, standing = 0;
  // Columns of a cache line together.
  constexpr std::size_t together = 8;
  std::vector<std::vector<double>> columns(together, std::vector<double>(length));
  for (std::size_t first = 0; first < d; first += together) {
    const std::size_t count = std::min(together, d - first);
    for (std::size_t t = 0; t < length; ++t)
      for (std::size_t j = 0; j < count; ++j) columns[j][t] = table(t, first + j);
    for (std::size_t j = 0; j < count; ++j) {
      MomentSums sums;
      sums.add(std::span<const double>(columns[j]));
      standing += sums.moments().variance < still * still;
      if (j % 2) slow += 2 * less_than_once(columns[j - 1], columns[j]);
    }
  }
  const double n = static_cast<double>(d);
  return {
      {"columns",
       {{"less_than_once", static_cast<double>(slow) / n}, {"standing", static_cast<double>(standing) / n}}}};
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string& measure = text_at(cell.at, "measure");
  if (measure == "bands") return measure_bands(cell);
  if (measure == "noise") return measure_noise(cell);
  if (measure == "errors") return measure_errors(cell, streams);
  return measure == "columns" ? run_columns(cell) : run_wavelength(cell);
}

}  // namespace

Experiment short_and_long(const Options& options) {
  return {"D7",
          "Many frequencies capture short and long range; wavelengths run from 2π to 2π·10000.",
          "[c, a, b]",
          {},
          cells(options),
          run,
          summarise_ranges};
}

}  // namespace perp::distance
