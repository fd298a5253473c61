// A2: "the first dimensions are unusable, the last hardly touched": one dimension at a time.

#include "studies/capacity/a2_dimensions.hpp"

#include <algorithm>
#include <cmath>

#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

struct Shape {
  std::size_t d, length;
};

std::vector<Cell> cells(const Options& options) {
  std::vector<Cell> cells;
  const std::vector<Shape> shapes = pick<std::vector<Shape>>(
      options.preset, {{32, 64}, {512, 512}},
      {{32, 64}, {512, 64}, {512, 512}, {512, 2048}, {512, 8192}, {768, 1024}},
      {{32, 64}, {512, 64}, {512, 512}, {512, 2048}, {512, 8192}, {768, 1024}, {1024, 32768}});
  for (const Shape& shape : shapes)
    cells.push_back({{{"what", std::string("columns")}, {"d", whole(shape.d)}, {"l", whole(shape.length)}},
                     2e-8 * static_cast<double>(shape.d * shape.length)});
  // Many codebooks with few trials each: a slow quarter shifts all sums of a codebook alike, so that its
  // trials are not independent.
  const std::size_t codebooks = pick<std::size_t>(options.preset, 8, 16, 64);
  const std::size_t trials = pick<std::size_t>(options.preset, 50, 150, 500);
  const std::size_t words = pick<std::size_t>(options.preset, 1000, 5000, 5000);
  const std::size_t factors = pick<std::size_t>(options.preset, 2, 5, 5);
  for (std::size_t c = 0; c < codebooks; ++c)
    cells.push_back({{{"what", std::string("bands")},
                      {"codebook", whole(c)},
                      {"words", whole(words)},
                      {"trials", whole(trials)},
                      {"factors", whole(factors)}},
                     1e-7 * static_cast<double>(trials * words * factors)});
  return cells;
}

Records run(const Cell& cell, const Streams& streams) {
  if (text_at(cell.at, "what") == "bands") return run_bands(cell, streams);
  return run_columns(size_at(cell.at, "d"), size_at(cell.at, "l"));
}

}  // namespace

Records run_columns(std::size_t d, std::size_t length) {
  const Matrix<double> table = sinusoidal<double>(length, d);
  const double positions = static_cast<double>(length);
  std::vector<double> mean(d, 0.0), variance(d, 0.0);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < d; ++j) mean[j] += table(t, j) / positions;
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < d; ++j) variance[j] += std::pow(table(t, j) - mean[j], 2) / positions;

  Records records;
  double departure = 0, constant = 0;
  std::vector<double> varying(quarters, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    const theory::ColumnMoments line = theory::sinusoid_column(length, d, j, usual_base);
    departure = std::max({departure, std::abs(mean[j] - line.mean), std::abs(variance[j] - line.variance)});
    constant += mean[j] * mean[j];
    varying[quarters * j / d] += variance[j];
    if (d == band_width && length == band_positions)
      records.push_back({"column",
                         {{"j", whole(j)},
                          {"mean", mean[j]},
                          {"variance", variance[j]},
                          {"line_mean", line.mean},
                          {"line_variance", line.variance}}});
  }
  const double width = static_cast<double>(d), power = width / 2;
  Record shares{"shares",
                {{"constant", constant / power},
                 {"line", theory::constant_share(length, d, 0, d, usual_base)},
                 {"departure", departure},
                 {"last_cosine", mean[d - 1]}}};
  for (std::size_t q = 0; q < quarters; ++q)
    shares.values.emplace_back(bands[q], varying[q] / (power / static_cast<double>(quarters)));
  for (std::size_t q = 0; q < quarters; ++q)
    shares.values.emplace_back(
        std::string(bands[q]) + "_line",
        1 - theory::constant_share(length, d, q * d / quarters, (q + 1) * d / quarters, usual_base));
  records.push_back(std::move(shares));
  return records;
}

Experiment dimension_by_dimension(const Options& options) {
  return {"A2",
          "The first dimensions are unusable for the word, the last hardly touched.",
          "[e]",
          {},
          cells(options),
          run,
          summarise_dimensions};
}

}  // namespace perp::capacity
