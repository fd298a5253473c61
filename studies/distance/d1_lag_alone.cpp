// D1: p_t·p_{t+k} depends on k alone. Measured in the formats that tables and angles are held in.

#include "studies/distance/d1_lag_alone.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t block_rows = 128;  // consecutive positions at every place

Cell storage_cell(const char* measure, const Storage& storage, std::size_t d, std::size_t length,
                  double cost) {
  return {{{"measure", std::string(measure)},
           {"table", std::string(to_text(storage.table))},
           {"angle", std::string(to_text(storage.angle))},
           {"d", whole(d)},
           {"l", whole(length)}},
          cost};
}

std::vector<Cell> cells(const Options& options) {
  const std::size_t whole_length = pick<std::size_t>(options.preset, 512, 2048, 4096);
  const std::size_t band_length = pick<std::size_t>(options.preset, 4096, 65'536, 262'144);
  std::vector<Cell> cells{{{{"measure", std::string("pairs")}, {"d", whole(16)}}, 1e-3}};
  for (const Storage& s : storages) {
    cells.push_back(storage_cell("blocks", s, 512, 1'000'000, 0.3));
    cells.push_back(
        storage_cell("whole", s, 512, whole_length, 4e-8 * static_cast<double>(whole_length * whole_length)));
    // Long sequences: the longest format, the shortest, and the mistake beside its repair.
    if (s.table == s.angle ? s.angle != Format::float16
                           : s.table == Format::bfloat16 && s.angle == Format::float32)
      cells.push_back(storage_cell("band", s, 64, band_length, 1e-5 * static_cast<double>(band_length)));
  }
  return cells;
}

Storage storage_of(const Cell& cell) {
  return {format_from(text_at(cell.at, "table")), format_from(text_at(cell.at, "angle"))};
}

/// Rows that differ from the row before, and the first.
std::size_t distinct_rows(const Matrix<double>& table) {
  std::size_t distinct = 1;
  for (std::size_t t = 1; t < rows(table); ++t)
    distinct += !std::ranges::equal(row(table, t), row(table, t - 1));
  return distinct;
}

Record measure_block(const Storage& storage, std::size_t d, std::size_t first,
                     const std::vector<double>& kernel) {
  std::vector<std::uint64_t> positions(block_rows);
  std::iota(positions.begin(), positions.end(), first);
  const Matrix<double> table = sinusoidal_in_format(positions, d, usual_base, storage.table, storage.angle);
  const Matrix<double> products = gram_rows(View<double>(table));
  double worst = 0, squares = 0, worst_lag = 0;
  for (std::size_t t = 0; t < block_rows; ++t)
    for (std::size_t s = t; s < block_rows; ++s) {
      const double deviation = std::abs(products(t, s) - kernel[s - t]);
      squares += deviation * deviation;
      if (deviation > worst) worst = deviation, worst_lag = static_cast<double>(s - t);
    }
  const double last = static_cast<double>(first + block_rows - 1);
  return {"block",
          {{"position", whole(first + block_rows - 1)},
           {"worst", worst},
           {"worst_lag", whole(static_cast<std::size_t>(worst_lag))},
           {"rms", std::sqrt(squares / (block_rows * (block_rows + 1) / 2))},
           {"bound", rounding_bound(storage, d, usual_base, last)},
           {"distinct", whole(distinct_rows(table))}}};
}

Records run_blocks(const Cell& cell) {
  const Storage storage = storage_of(cell);
  const std::size_t d = size_at(cell.at, "d");
  const std::vector<double> kernel = kernel_of_format(d, storage.angle, block_rows);
  Records records;
  for (const std::size_t first : {0, 100, 300, 1000, 3000, 10'000, 30'000, 100'000, 300'000, 1'000'000})
    if (first + block_rows < largest_finite(storage.angle))
      records.push_back(measure_block(storage, d, first, kernel));
  return records;
}

/// All L x L products, or the band of lags up to 255 that a long sequence is read in.
Records run_lags(const Cell& cell) {
  const Storage storage = storage_of(cell);
  const std::size_t d = size_at(cell.at, "d"), length = size_at(cell.at, "l");
  const bool band = text_at(cell.at, "measure") == "band";
  const std::size_t max_lag = band ? 255 : length - 1;
  const Matrix<double> table = sinusoidal_in_format(length, d, usual_base, storage.table, storage.angle);
  const LagStatistics lags = lag_statistics(View<double>(table), 1, max_lag);
  Records records{{"lags",
                   {{"max_lag", whole(max_lag)},
                    {"defect", toeplitz_defect(lags)},
                    {"r2", toeplitz_r2(lags)},
                    {"worst", worst_deviation(lags)}}}};
  if (!band) return records;
  // A product is off by at most the bound, a mean too.
  const double bound = 2 * rounding_bound(storage, d, usual_base, static_cast<double>(length - 1));
  for (std::size_t k = 0; k <= max_lag; k = k == 0 ? 1 : 2 * k)
    records.push_back({"lag",
                       {{"lag", whole(k)},
                        {"mean", lags.mean[k]},
                        {"exact", theory::kernel_exact(d, usual_base, static_cast<double>(k))},
                        {"worst", lags.worst_deviation[k]},
                        {"bound", bound},
                        {"pairs", whole(lags.count[k])}}});
  return records;
}

double dot(std::uint64_t t, std::uint64_t s, std::size_t d, const Storage& storage) {
  const std::array<std::uint64_t, 2> both{t, s};
  const Matrix<double> table = sinusoidal_in_format(both, d, usual_base, storage.table, storage.angle);
  return std::inner_product(row(table, 0).begin(), row(table, 0).end(), row(table, 1).begin(), 0.0);
}

Records run_pairs(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d");
  Records records;
  for (const auto& [t, s] : {std::pair<std::uint64_t, std::uint64_t>{105, 106},
                             {5, 6},
                             {5, 10},
                             {1005, 1006},
                             {100'005, 100'006},
                             {1'000'005, 1'000'006}})
    records.push_back({"pair",
                       {{"t", whole(t)},
                        {"s", whole(s)},
                        {"float64", dot(t, s, d, {Format::float64, Format::float64})},
                        {"float32", dot(t, s, d, {Format::float32, Format::float32})},
                        {"short_table", dot(t, s, d, {Format::bfloat16, Format::float32})},
                        {"short_angle", dot(t, s, d, {Format::bfloat16, Format::bfloat16})}}});
  return records;
}

Records run(const Cell& cell) {
  const std::string& measure = text_at(cell.at, "measure");
  return measure == "pairs" ? run_pairs(cell) : measure == "blocks" ? run_blocks(cell) : run_lags(cell);
}

}  // namespace

std::vector<double> kernel_of_format(std::size_t d, Format angle, std::size_t lags) {
  std::vector<double> kernel(lags);
  const std::vector<double> omega = frequencies(d);
  for (std::size_t k = 0; k < lags; ++k) {
    long double sum = 0;
    for (const double w : omega)
      sum += std::cos(static_cast<long double>(round_to(angle, w)) * static_cast<long double>(k));
    kernel[k] = static_cast<double>(sum);
  }
  return kernel;
}

double rounding_bound(const Storage& storage, std::size_t d, double base, double last) {
  const double roundings = last > largest_exact_integer(storage.angle) ? 2 : 1;
  return theory::table_rounding_bound(d, unit_roundoff(storage.table)) +
         theory::angle_rounding_bound(d, base, unit_roundoff(storage.angle), last, last, roundings);
}

Experiment lag_alone(const Options& options) {
  return {"D1",
          "The dot product of two positions depends on their distance alone: p_t·p_{t+k} is a function of k.",
          "[c]",
          {},
          cells(options),
          [](const Cell& cell, const Streams&) { return run(cell); },
          summarise_lag_alone};
}

}  // namespace perp::distance
