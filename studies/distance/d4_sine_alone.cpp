// D4: why sine and cosine: what becomes of the products and of the shift with sines alone, at equal width.

#include "studies/distance/d4_sine_alone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/measures/kernel.hpp"
#include "perp/measures/shift.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

const char* const kinds[] = {"sine_only", "sinusoidal"};

// ---- cells
// ------------------------------------------------------------------------------------------------------

Cell defect_cell(const char* kind, std::size_t d, std::size_t length) {
  const double n = static_cast<double>(length);
  return {{{"measure", std::string("defect")},
           {"encoding", std::string(kind)},
           {"d", whole(d)},
           {"l", whole(length)}},
          1e-10 * n * n * static_cast<double>(d) + 1e-3};
}

Cell shift_cell(const char* kind, std::size_t d, std::size_t length, std::size_t lag) {
  const double n = static_cast<double>(d);
  return {{{"measure", std::string("shift")},
           {"encoding", std::string(kind)},
           {"d", whole(d)},
           {"l", whole(length)},
           {"lag", whole(lag)}},
          5e-9 * n * n * n + 4e-9 * n * n * static_cast<double>(length) + 1e-3};
}

std::vector<Cell> cells(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  std::vector<Cell> cells;
  for (const char* kind : kinds) {
    for (const std::size_t d :
         pick<Sizes>(options.preset, {64, 512}, {32, 64, 128, 256, 512}, {32, 64, 128, 256, 512, 1024}))
      for (const std::size_t length : pick<Sizes>(options.preset, {64, 512}, {64, 256, 512, 1024, 2048},
                                                  {64, 256, 512, 1024, 4096, 16384}))
        cells.push_back(defect_cell(kind, d, length));
    for (const std::size_t d : pick<Sizes>(options.preset, {64}, {16, 64, 256}, {16, 64, 256, 512}))
      for (const std::size_t length :
           pick<Sizes>(options.preset, {4096}, {64, 512, 4096}, {64, 512, 4096, 16384}))
        for (const std::size_t lag : {1, 10, 100}) cells.push_back(shift_cell(kind, d, length, lag));
  }
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

Matrix<double> table_of(const std::string& kind, std::size_t length, std::size_t d, const Stream& stream) {
  return encoding_named(kind)->vectors(length, d, stream);
}

/// A product's distance from the mean of its lag by float64's rounding of the table, the angles and the sums.
double deviation_bound(std::size_t d, std::size_t length) {
  const double u = std::ldexp(1.0, -53), last = static_cast<double>(length - 1), n = static_cast<double>(d);
  return 2 * (theory::table_rounding_bound(d, 5 * u) +
              theory::angle_rounding_bound(d, usual_base, u, last, last) + n * u * n / 2);
}

Records run_defect(const std::string& kind, std::size_t d, std::size_t length, const Stream& stream) {
  const Matrix<double> table = table_of(kind, length, d, stream);
  const LagStatistics lags = lag_statistics<double>(View<double>(table), 1);
  const bool alone = kind == "sine_only";
  double start = 0;
  for (const double x : row(table, 0)) start += x * x;
  return {{"defect",
           {{"defect", toeplitz_defect(lags)},
            {"line", alone ? sine_alone_defect(length, usual_base) : 0.0},
            {"worst", worst_deviation(lags)},
            {"bound", alone ? std::nan("") : deviation_bound(d, length)},
            {"start", std::sqrt(start)}}}};
}

Records run_shift(const std::string& kind, std::size_t d, std::size_t length, std::size_t lag,
                  const Stream& stream) {
  const Matrix<double> table = table_of(kind, length + lag, d, stream);
  const View<double> from = block(table, 0, length), to = block(table, lag, length + lag);
  const RecoveredMap found = recover_map(from, to, sine_cutoff);
  const View<double> rest_from = block(table, 1, length), rest_to = block(table, lag + 1, length + lag);
  return {{"shift",
           {{"rank", whole(found.rank)},
            {"error", map_error(from, to, found.map).relative},
            {"start_error", map_error(block(table, 0, 1), block(table, lag, lag + 1), found.map).relative},
            {"rest_error", map_error(rest_from, rest_to, found.map).relative},
            {"line",
             kind == "sine_only" ? sine_alone_shift_error(d, usual_base, static_cast<double>(lag)) : 0.0}}}};
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string kind = text_at(cell.at, "encoding");
  const std::size_t d = size_at(cell.at, "d"), length = size_at(cell.at, "l");
  return text_at(cell.at, "measure") == "defect"
             ? run_defect(kind, d, length, streams("nothing"))
             : run_shift(kind, d, length, size_at(cell.at, "lag"), streams("nothing"));
}

}  // namespace

double sine_alone_defect(std::size_t length, double base) {
  std::vector<double> kernel;
  for (std::size_t lag = 0; lag + 1 < 2 * length; ++lag)
    kernel.push_back(theory::kernel_limit(base, static_cast<double>(lag)));
  return sine_alone_defect(length, kernel);
}

double sine_alone_defect(std::size_t length, std::span<const double> kernel) {
  require(length > 0 && kernel.size() + 1 >= 2 * length,
          "sine_alone_defect: a kernel of {} lags for {} positions; expected {}", kernel.size(), length,
          2 * length - 1);
  const ScoreTile<double> tile = [&](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                     double* out) {
    for (std::size_t t = r0; t < r1; ++t)
      for (std::size_t s = c0; s < c1; ++s) *out++ = kernel[t < s ? s - t : t - s] - kernel[t + s];
  };
  return toeplitz_defect(lag_statistics_of<double>(length, true, tile, 1));
}

double sine_alone_shift_error(std::size_t d, double base, double lag) {
  double square = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double sine = std::sin(std::pow(base, -static_cast<double>(i) / static_cast<double>(d)) * lag);
    square += sine * sine;
  }
  return std::sqrt(square / static_cast<double>(d));
}

Experiment sine_alone(const Options& options) {
  return {"D4",
          "Sine and cosine are both needed: a sine alone does not do.",
          "[a]",
          {},
          cells(options),
          run,
          summarise_sine_alone};
}

}  // namespace perp::distance
