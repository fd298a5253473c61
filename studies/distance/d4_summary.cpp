// D4: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d4_sine_alone.hpp"

namespace perp::distance {
namespace {

/// Defects and errors above this are no rounding and no detail.
constexpr double clear = 0.1;
/// A range is long, for the shift, from this many positions on.
constexpr double long_range = 4096;

Table defect_table(const std::vector<CellRecords>& cells) {
  Table table{"d4_defect.csv",
              {{"encoding", "", Kind::exact, "sine_only: d sines; sinusoidal: d/2 sines and their cosines"},
               {"d", "1", Kind::exact, "dimension"},
               {"positions", "positions", Kind::exact, "L"},
               {"defect", "1", Kind::rounded, "|G - Toep(G)|_F/|G|_F, G the products of all positions"},
               {"line", "1", Kind::rounded, "its limit for many dimensions; 0 for the sinusoid"},
               {"worst", "1", Kind::rounded, "largest deviation of a product from the mean of its lag"},
               {"bound", "1", Kind::exact, "what rounding may make of it; sinusoid only"},
               {"start", "1", Kind::rounded, "length of p_0"}},
              {}};
  for (const Coordinates& r : records_of(cells, "defect"))
    table.add({at(r, "encoding"), at(r, "d"), at(r, "l"), at(r, "defect"), at(r, "line"), at(r, "worst"),
               at(r, "bound"), at(r, "start")});
  return table;
}

Table shift_table(const std::vector<CellRecords>& cells) {
  Table table{"d4_shift.csv",
              {{"encoding", "", Kind::exact, "sine_only: d sines; sinusoidal: d/2 sines and their cosines"},
               {"d", "1", Kind::exact, "dimension"},
               {"positions", "positions", Kind::exact, "L: the best linear map over t = 0 … L-1"},
               {"lag", "positions", Kind::exact, "k"},
               {"rank", "1", Kind::count, "singular values of the table above 1e-12 of the largest"},
               {"error", "1", Kind::rounded, "relative error of the map over t = 0 … L-1"},
               {"start_error", "1", Kind::rounded, "relative error at t = 0"},
               {"rest_error", "1", Kind::rounded, "relative error over t = 1 … L-1"},
               {"line", "1", Kind::rounded, "its value for long ranges; 0 for the sinusoid"}},
              {}};
  for (const Coordinates& r : records_of(cells, "shift"))
    table.add({at(r, "encoding"), at(r, "d"), at(r, "l"), at(r, "lag"), at(r, "rank"), at(r, "error"),
               at(r, "start_error"), at(r, "rest_error"), at(r, "line")});
  return table;
}

/// Least and largest of a column over the rows of one encoding.
struct Extremes {
  double least = INFINITY, largest = 0;
  std::uint64_t n = 0;
  void add(double x) {
    least = std::min(least, x);
    largest = std::max(largest, x);
    ++n;
  }
};

template <class Wanted>
Extremes extremes(const Table& table, const char* encoding, const char* column, Wanted wanted) {
  Extremes out;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (std::get<std::string>(table.at(i, "encoding")) == encoding && wanted(i))
      out.add(table.number(i, column));
  return out;
}

Finding number(std::string measure, Coordinates at, double value, std::optional<double> theory,
               std::uint64_t n, Kind kind, std::string meaning, std::string unit = "1") {
  const std::string id = finding_id("D4", measure, at);
  return {id, std::move(at), value, {}, {}, {}, theory, std::move(unit), n, kind, std::move(meaning)};
}

void add_defects(const Table& table, std::vector<Finding>& findings) {
  const auto all = [](std::size_t) { return true; };
  const Extremes alone = extremes(table, "sine_only", "defect", all),
                 both = extremes(table, "sinusoidal", "defect", all);
  const std::string over = " over the widths and lengths tried.";
  findings.push_back(number("defect_least", {{"e", std::string("sine_only")}}, alone.least, {}, alone.n,
                            Kind::rounded, "Smallest Toeplitz defect of sines alone" + over));
  findings.push_back(number("defect_largest", {{"e", std::string("sine_only")}}, alone.largest, {}, alone.n,
                            Kind::rounded, "Largest Toeplitz defect of sines alone" + over));
  findings.push_back(number("defect_largest", {{"e", std::string("sinusoidal")}}, both.largest, 0.0, both.n,
                            Kind::rounded, "Largest Toeplitz defect of sine and cosine" + over));
  double excess = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string encoding = std::get<std::string>(table.at(i, "encoding"));
    if (encoding == "sinusoidal")
      excess = std::max(excess, table.number(i, "worst") / table.number(i, "bound"));
    if (table.number(i, "positions") != 512 || (table.number(i, "d") != 64 && table.number(i, "d") != 512))
      continue;
    findings.push_back(number("defect",
                              {{"e", encoding}, {"d", table.at(i, "d")}, {"l", table.at(i, "positions")}},
                              table.number(i, "defect"), table.number(i, "line"), 512 * 512, Kind::rounded,
                              "Toeplitz defect; theory: its limit for many dimensions."));
  }
  findings.push_back(
      number("excess", {}, excess, {}, both.n, Kind::rounded,
             "Sine and cosine: largest deviation of a product from the mean of its lag, over its "
             "rounding bound.",
             "rounding bounds"));
  findings.push_back(number("start", {{"e", std::string("sine_only")}},
                            extremes(table, "sine_only", "start", all).largest, 0.0, alone.n, Kind::exact,
                            "Length of p_0 of sines alone."));
}

void add_shifts(const Table& table, std::vector<Finding>& findings) {
  const auto all = [](std::size_t) { return true; };
  const auto far = [&](std::size_t i) { return table.number(i, "positions") >= long_range; };
  const Extremes start = extremes(table, "sine_only", "start_error", all),
                 rest = extremes(table, "sine_only", "rest_error", far),
                 brief = extremes(table, "sine_only", "rest_error", all),
                 both = extremes(table, "sinusoidal", "error", all);
  findings.push_back(number("start_error", {{"e", std::string("sine_only")}}, start.least, 1.0, start.n,
                            Kind::rounded,
                            "Smallest relative error at t = 0 of the best linear map of sines alone."));
  findings.push_back(number("shift_error_least", {{"e", std::string("sine_only")}}, rest.least, {}, rest.n,
                            Kind::rounded,
                            "Smallest relative error of that map elsewhere, for at least 4096 positions."));
  findings.push_back(number("shift_error_brief", {{"e", std::string("sine_only")}}, brief.least, {}, brief.n,
                            Kind::rounded, "The same over all lengths, short ones too."));
  findings.push_back(number("shift_error_largest", {{"e", std::string("sinusoidal")}}, both.largest, 0.0,
                            both.n, Kind::rounded,
                            "Largest relative error of the best map of sine and cosine."));
  findings.push_back(number("cutoff", {}, sine_cutoff, {}, 1, Kind::exact,
                            "Singular values of a table up to this share of the largest are left out."));
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.number(i, "d") == 64 && table.number(i, "positions") == 4096)
      findings.push_back(number("shift_error",
                                {{"e", table.at(i, "encoding")},
                                 {"d", table.at(i, "d")},
                                 {"l", table.at(i, "positions")},
                                 {"k", table.at(i, "lag")}},
                                table.number(i, "rest_error"), table.number(i, "line"), 4096, Kind::rounded,
                                "Relative error of the best linear map at t > 0; theory: long ranges."));
}

constexpr std::size_t law_widths[] = {32, 64, 128, 256, 512, 1024},
                      law_lengths[] = {64, 128, 256, 512, 1024, 2048};

std::string law_id(std::size_t d) { return fmt::format("D4.defect_law.d{}", d); }

void add_laws(std::vector<Finding>& findings) {
  for (const std::size_t d : law_widths) {
    std::vector<double> lags(2 * law_lengths[std::size(law_lengths) - 1]);
    std::iota(lags.begin(), lags.end(), 0.0);
    // d sines have the frequencies of a sinusoid of 2d dimensions.
    const std::vector<double> kernel = theory::kernel_exact(2 * d, usual_base, lags);
    double least = INFINITY;
    for (const std::size_t length : law_lengths) least = std::min(least, sine_alone_defect(length, kernel));
    findings.push_back(number("defect_law", {{"d", whole(d)}}, least, {}, std::size(law_lengths),
                              Kind::rounded,
                              "Smallest Toeplitz defect of sines alone over 64, 128, … 2,048 positions, from "
                              "the exact sums of cosines."));
  }
}

double least_law(const std::vector<Finding>& findings) {
  double least = INFINITY;
  for (const std::size_t d : law_widths) least = std::min(least, find(findings, law_id(d))->value);
  return least;
}

Rule rule() {
  Rule rule;
  for (const std::size_t d : {512, 1024, 256, 128, 64, 32})
    rule.push_back(
        {.finding = law_id(d),
         .is = Is::above,
         .bound = clear,
         .evidence = Evidence::closed_form,
         .levels = {{"d", fmt::format("{}", d)}},
         .says = fmt::format("least Toeplitz residual of sines alone, d = {}, 64 to 2,048 positions", d)});
  return rule;
}

}  // namespace

Outcome summarise_sine_alone(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {defect_table(cells), shift_table(cells)};
  add_defects(outcome.tables[0], outcome.findings);
  add_shifts(outcome.tables[1], outcome.findings);
  add_laws(outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "sines alone leave a Toeplitz residual of {:.2f} or more at d = 32 to 1,024 and 64 to 2,048 positions, "
      "sine and cosine one of {:.0e} at most",
      least_law(outcome.findings), value("D4.defect_largest.sinusoidal"));
  outcome.matters = fmt::format(
      "at d = 512 and 512 positions the residual of sines alone is {:.2f}, at a head's width of 64 {:.2f}, "
      "and "
      "no linear map moves their position 0, which is the zero vector",
      value("D4.defect.sine_only.d512.l512"), value("D4.defect.sine_only.d64.l512"));
  return outcome;
}

}  // namespace perp::distance
