// V4: wavelengths of all pairs, read from the table. "From 2π to 10000·2π": is the end reached?

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/v2_clock.hpp"

namespace perp::anatomy {
namespace {

constexpr double circle = 2 * std::numbers::pi;
/// A wavelength from one step of the table: the slowest turn of about 1e-4 with an error of 4 u, relative,
/// and twice that for the ratio of two.
constexpr double wavelength_error = 1e-11;

std::vector<Cell> cells(const Options&) {
  std::vector<Cell> cells;
  for (const std::size_t d : {std::size_t{16}, std::size_t{64}, width, std::size_t{4096}})
    cells.push_back({{{"d", whole(d)}}, 1e-7 * static_cast<double>(d)});
  return cells;
}

/// Positions to a full turn, from the turn between positions 0 and 1.
Records run(const Cell& cell, const Streams&) {
  const std::size_t d = size_at(cell.at, "d");
  const Matrix<double> table = sinusoidal<double>(2, d);
  const std::vector<double> omega = frequencies(d);
  const double ratio = std::pow(usual_base, 2 / static_cast<double>(d));
  Records records;
  double first = 0, last = 0, departure = 0, longer = 0;
  for (std::size_t i = 0; i < d / 2; ++i) {
    const double wavelength = circle / read_hand(table, 2 * i, 2 * i + 1).turned;
    if (i == 0) first = wavelength;
    if (i > 0) departure = std::max(departure, std::abs(wavelength / last / ratio - 1));
    last = wavelength;
    longer += wavelength > static_cast<double>(text_length);
    if (d <= width)
      records.push_back(
          {"pair", {{"pair", whole(i)}, {"wavelength", wavelength}, {"line", circle / omega[i]}}});
  }
  records.push_back({"ends",
                     {{"first", first},
                      {"last", last},
                      {"departure", departure},
                      {"longer", longer / static_cast<double>(d / 2)}}});
  return records;
}

Table pair_table(const std::vector<CellRecords>& cells) {
  Table table{"v4_wavelengths.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"pair", "1", Kind::exact, "i"},
               {"place", "1", Kind::exact, "2i/d: 1 would be the end that the progression does not reach"},
               {"wavelength", "positions", Kind::rounded, "positions to a full turn, from the table"},
               {"line", "positions", Kind::exact, "2 pi T^(2i/d)"}},
              {}};
  for (const Coordinates& r : records_of(cells, "pair"))
    table.add({at(r, "d"), at(r, "pair"), 2 * number_at(r, "pair") / number_at(r, "d"), at(r, "wavelength"),
               at(r, "line")});
  return table;
}

Table end_table(const std::vector<CellRecords>& cells) {
  Table table{
      "v4_ends.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"first", "positions", Kind::rounded, "wavelength of the first pair"},
       {"last", "positions", Kind::rounded, "wavelength of the last pair"},
       {"theory", "positions", Kind::exact, "2 pi T^(1 - 2/d)"},
       {"belief", "positions", Kind::exact, "2 pi T"},
       {"share", "1", Kind::rounded, "last over 2 pi T"},
       {"departure", "1", Kind::rounded, "largest relative departure of a ratio of neighbours from T^(2/d)"},
       {"longer", "1", Kind::rounded, "share of the pairs with a wavelength above 512 positions"}},
      {}};
  for (const Coordinates& r : records_of(cells, "ends"))
    table.add({at(r, "d"), at(r, "first"), at(r, "last"),
               theory::last_wavelength(size_at(r, "d"), usual_base), circle * usual_base,
               number_at(r, "last") / (circle * usual_base), at(r, "departure"), at(r, "longer")});
  return table;
}

/// Share of the pairs with ω < 2π/512.
double longer_line(std::size_t d) {
  const std::vector<double> omega = frequencies(d);
  const auto slow = std::ranges::count_if(omega, [](double w) { return w < circle / text_length; });
  return static_cast<double>(slow) / static_cast<double>(omega.size());
}

/// For D7: the progression and where it begins; where it ends D7 says itself.
Rule rule() {
  return {
      {.finding = "V4.first_departure",
       .is = Is::below,
       .bound = wavelength_error,
       .evidence = Evidence::closed_form,
       .levels = {{"part", "wavelengths"}, {"of them", "the first"}},
       .says = "largest relative departure of the first wavelength from 2π, d = 16 to 4,096"},
      {.finding = "V4.ratio_departure",
       .is = Is::below,
       .bound = 2 * wavelength_error,
       .evidence = Evidence::closed_form,
       .levels = {{"part", "wavelengths"}, {"of them", "neighbours"}},
       .says = "largest relative departure of a ratio of neighbouring wavelengths from T^(2/d), d = 16 to "
               "4,096"}};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {end_table(cells), pair_table(cells)};
  const Table& ends = outcome.tables[0];
  double first = 0, departure = 0;
  std::uint64_t pairs = 0;
  for (std::size_t row = 0; row < ends.rows.size(); ++row) {
    const Coordinates place{{"d", ends.at(row, "d")}};
    const auto d = static_cast<std::size_t>(ends.number(row, "d"));
    const auto add = [&](const char* measure, double value, double theory, const char* unit,
                         const char* meaning) {
      outcome.findings.push_back(
          finding("V4", measure, place, {value},
                  {.theory = theory, .unit = unit, .n = d / 2, .kind = Kind::rounded, .meaning = meaning}));
    };
    add("last", ends.number(row, "last"), ends.number(row, "theory"), "positions",
        "Longest wavelength in the table; theory: 2 pi T^(1 - 2/d).");
    add("share", ends.number(row, "share"), ends.number(row, "theory") / ends.number(row, "belief"), "1",
        "Longest wavelength over 2 pi T; theory: T^(-2/d).");
    if (d == width)
      add("longer", ends.number(row, "longer"), longer_line(d), "1",
          "Share of the pairs with a wavelength above 512 positions; theory: counted from the frequencies.");
    first = std::max(first, std::abs(ends.number(row, "first") / circle - 1));
    departure = std::max(departure, ends.number(row, "departure"));
    pairs += d / 2;
  }
  const auto add = [&](const char* measure, double value, const char* meaning) {
    outcome.findings.push_back(finding(
        "V4", measure, {}, {value}, {.theory = 0.0, .n = pairs, .kind = Kind::rounded, .meaning = meaning}));
  };
  add("first_departure", first, "Largest relative departure of a first wavelength from 2 pi, over widths.");
  add("ratio_departure", departure,
      "Largest relative departure of a ratio of neighbouring wavelengths from T^(2/d), over widths.");
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "a geometric progression from 2π to within {:.0e}, whose last wavelength is {:.0f} positions at d = "
      "512, "
      "{:.1f} % of 10000·2π ({:.1f} % at d = 64, {:.1f} % at d = 16), since i ends at d/2 − 1",
      std::max(first, departure), value("V4.last.d512"), 100 * value("V4.share.d512"),
      100 * value("V4.share.d64"), 100 * value("V4.share.d16"));
  outcome.matters =
      fmt::format("{:.0f} % of the wavelengths at d = 512 are longer than a text of 512 positions",
                  100 * value("V4.longer.d512"));
  return outcome;
}

}  // namespace

Experiment wavelengths(const Options& options) {
  return evidence_for("D7", Experiment{"V4",
                                       "The wavelengths form a geometric progression from 2π to 10000·2π.",
                                       "[b]",
                                       {},
                                       cells(options),
                                       run,
                                       summarise});
}

}  // namespace perp::anatomy
