// V1: the heat map. What stands still towards its right end does so because the picture is short.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/matrix.hpp"

namespace perp::anatomy {
namespace {

/// A dimension "is 0" or "is 1" if it stays this near to it at every position.
constexpr double nearness = 0.1;

std::vector<Cell> cells(const Options& options) {
  std::vector<Cell> cells;
  const auto add = [&](std::size_t d, std::size_t l) {
    cells.push_back({{{"d", whole(d)}, {"l", whole(l)}}, 1e-8 * static_cast<double>(d * l)});
  };
  add(small_width, small_length);
  for (const std::size_t l : {length, text_length, std::size_t{8192}}) add(width, l);
  if (options.preset == Preset::long_) add(width, 65536);
  return cells;
}

/// Dimensions at the right end that stay within `nearness` of 0 (sines) or 1 (cosines), counted from the end.
std::size_t still_columns(const Matrix<double>& table) {
  std::size_t still = 0;
  for (std::size_t j = cols(table); j-- > 0; ++still) {
    const double rest = j % 2 ? 1 : 0;
    for (std::size_t t = 0; t < rows(table); ++t)
      if (std::abs(table(t, j) - rest) > nearness) return still;
  }
  return still;
}

/// The same from the angles: sines leave 0 first, at asin(nearness), a whole pair before their cosines leave
/// 1. Where a pair's sine has left and its cosine not, the cosine still counts.
std::size_t still_line(std::size_t d, std::size_t l) {
  const std::vector<double> omega = frequencies(d);
  const double last = static_cast<double>(l - 1);
  std::size_t still = 0;
  for (std::size_t i = omega.size(); i-- > 0; still += 2) {
    if (omega[i] * last > std::acos(1 - nearness)) return still;
    if (omega[i] * last > std::asin(nearness)) return still + 1;
  }
  return still;
}

Records run(const Cell& cell, const Streams&) {
  const std::size_t d = size_at(cell.at, "d"), l = size_at(cell.at, "l");
  const Matrix<double> table = sinusoidal<double>(l, d);
  double sine = 0, cosine = 1;
  for (std::size_t t = 0; t < l; ++t) {
    sine = std::max(sine, std::abs(table(t, d - 2)));
    cosine = std::min(cosine, table(t, d - 1));
  }
  Records records{{"still",
                   {{"still", whole(still_columns(table))},
                    {"line", whole(still_line(d, l))},
                    {"sine", sine},
                    {"cosine", cosine}}}};
  if (d == small_width)
    for (std::size_t t = 0; t < l; ++t)
      for (std::size_t j = 0; j < d; ++j)
        records.push_back(
            {"value", {{"position", whole(t)}, {"dimension", whole(j)}, {"value", table(t, j)}}});
  if (d == width && l == length) {
    Matrix<double> turned = matrix<double>(d, l);
    for (std::size_t t = 0; t < l; ++t)
      for (std::size_t j = 0; j < d; ++j) turned(j, t) = table(t, j);
    for (Record& record : matrix_records("row", "dimension", turned)) records.push_back(std::move(record));
  }
  return records;
}

Table still_table(const std::vector<CellRecords>& cells) {
  Table table{"v1_still.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"positions", "positions", Kind::exact, "L"},
               {"still", "1", Kind::count,
                "dimensions at the right end that stay within 0.1 of 0 (sines) or 1 (cosines)"},
               {"line", "1", Kind::exact, "the same from the angles at the last position"},
               {"sine", "1", Kind::rounded, "largest value of the slowest sine"},
               {"cosine", "1", Kind::rounded, "smallest value of the slowest cosine"}},
              {}};
  for (const Coordinates& r : records_of(cells, "still"))
    table.add({at(r, "d"), at(r, "l"), at(r, "still"), at(r, "line"), at(r, "sine"), at(r, "cosine")});
  return table;
}

Table value_table(const std::vector<CellRecords>& cells) {
  Table table{"v1_heatmap16.csv",
              {{"position", "positions", Kind::exact, "row of the picture"},
               {"dimension", "1", Kind::exact, "column: even a sine, odd a cosine"},
               {"value", "1", Kind::rounded, "entry of the table of 32 dimensions, to four decimals"}},
              {}};
  for (const Coordinates& r : records_of(cells, "value"))
    table.add({at(r, "position"), at(r, "dimension"), std::round(number_at(r, "value") * 1e4) / 1e4 + 0.0});
  return table;
}

Condition still_condition(std::size_t d, std::size_t l, Role role) {
  return {
      .finding = fmt::format("V1.still.d{}.l{}", d, l),
      .is = Is::above,
      .bound = 0.0,
      .role = role,
      .evidence = Evidence::closed_form,
      .levels = {{"positions", fmt::format("{}", l)}},
      .says = fmt::format("dimensions at the right end within 0.1 of 0 or 1, d = {}, {} positions", d, l)};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {
      still_table(cells), value_table(cells),
      matrix_table(cells, "row", "v1_heatmap.csv",
                   {"dimension", "1", Kind::exact, "row: even a sine, odd a cosine"}, "entry at position")};
  for (const Coordinates& r : records_of(cells, "still")) {
    const Coordinates place{{"d", at(r, "d")}, {"l", at(r, "l")}};
    const std::uint64_t entries = size_at(r, "l");
    outcome.findings.push_back(
        finding("V1", "still", place, {number_at(r, "still")},
                {.theory = number_at(r, "line"),
                 .unit = "dimensions",
                 .n = entries * size_at(r, "d"),
                 .kind = Kind::count,
                 .meaning = "Dimensions at the right end that stay within 0.1 of 0 or 1 at every position; "
                            "theory: from the angles."}));
    outcome.findings.push_back(finding("V1", "slowest_sine", place, {number_at(r, "sine")},
                                       {.theory = 0.0,
                                        .n = entries,
                                        .kind = Kind::rounded,
                                        .meaning = "Largest value of the slowest sine; theory: the 0 that "
                                                   "people see."}));
  }
  // Both pictures, and a table that is long beside the base.
  outcome.rule = {still_condition(small_width, small_length, Role::core),
                  still_condition(width, length, Role::core), still_condition(width, 8192, Role::limit)};
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "{:.0f} of 32 dimensions at the right end stay within 0.1 of 0 or 1 over 16 positions, {:.0f} of 512 "
      "over "
      "128, {:.0f} over 512 and {:.0f} over 8,192, where the slowest sine reaches {:.2f}",
      value("V1.still.d32.l16"), value("V1.still.d512.l128"), value("V1.still.d512.l512"),
      value("V1.still.d512.l8192"), value("V1.slowest_sine.d512.l8192"));
  outcome.matters =
      fmt::format("in a text of 512 positions {:.0f} % of 512 dimensions stay so, in one of 8,192 {:.0f} %",
                  100 * value("V1.still.d512.l512") / width, 100 * value("V1.still.d512.l8192") / width);
  return outcome;
}

}  // namespace

Experiment heat_map(const Options& options) {
  return beside_the_claims(
      Experiment{"V1",
                 "Towards the right end of the heat map the values alternate between 0 and 1.",
                 "[b]",
                 {},
                 cells(options),
                 run,
                 summarise});
}

}  // namespace perp::anatomy
