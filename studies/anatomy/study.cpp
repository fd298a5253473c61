#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {

double radius_bound() { return 8 * roundoff; }

Hand read_hand(const Matrix<double>& table, std::size_t across, std::size_t up) {
  Hand hand;
  for (std::size_t t = 0; t < rows(table); ++t) {
    const double x = table(t, across), y = table(t, up);
    hand.radius_error = std::max(hand.radius_error, std::abs(std::hypot(x, y) - 1));
    if (t == 0) continue;
    const double x0 = table(t - 1, across), y0 = table(t - 1, up);
    const double counter_clockwise = std::atan2(x0 * y - y0 * x, x0 * x + y0 * y);
    hand.clockwise += counter_clockwise < 0;
    hand.turned -= counter_clockwise;
  }
  return hand;
}

namespace {

Table matrix_table(const char* file, const Column& index, const char* meaning, const Matrix<double>& values) {
  Table table{file, {index}};
  for (std::size_t j = 0; j < cols(values); ++j)
    table.columns.push_back(
        {fmt::format("t{}", j), "1", Kind::rounded, fmt::format("{} {}, to four decimals", meaning, j)});
  for (std::size_t i = 0; i < rows(values); ++i) {
    std::vector<Value> row{whole(i)};
    for (std::size_t j = 0; j < cols(values); ++j) row.emplace_back(four_decimals(values(i, j)));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

double four_decimals(double value) { return std::round(value * 1e4) / 1e4 + 0.0; }

void add_matrix(Experiment& claim, const char* file, const Column& index, const char* meaning,
                std::function<Matrix<double>()> values) {
  claim.also(
      [=](Outcome& outcome) { outcome.tables.push_back(matrix_table(file, index, meaning, values())); });
}

namespace {

Prepared prepare(const Options& options) {
  return {{heat_map(options), clock_hands(options), circle_of_sums(options), wavelengths(options),
           similarity(options), distortion(options)},
          {},
          {}};
}

}  // namespace

Study study() {
  return {"anatomy",
          "What do the usual pictures of the sinusoidal encoding show, and what do people read into them?",
          {"V1", "V2", "V3", "V4", "V5", "V6"},
          {},
          prepare};
}

}  // namespace perp::anatomy
