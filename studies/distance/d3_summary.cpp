// D3: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "studies/distance/d3_shift.hpp"

namespace perp::distance {
namespace {

Table construction_table(const std::vector<CellRecords>& cells) {
  Table table{"d3_construction.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"lag", "positions", Kind::exact, "k"},
               {"first", "positions", Kind::exact, "first of 256 neighbouring positions t"},
               {"worst", "1", Kind::rounded, "largest entry of |R(k) p_t - p_{t+k}|"},
               {"bound", "1", Kind::exact, "what float64's rounding of the angles and sines may make of it"},
               {"composition", "1", Kind::rounded, "|R(first) R(k) - R(first + k)|_F/sqrt(d)"},
               {"composition_bound", "1", Kind::exact, "what rounding may make of it"},
               {"orthogonality", "1", Kind::rounded, "|R R^T - 1|_F/sqrt(d)"},
               {"mixing", "1", Kind::exact, "share of |R|^2 outside the sine-cosine pairs"}},
              {}};
  for (const Coordinates& r : records_of(cells, "construction"))
    table.add({at(r, "d"), at(r, "lag"), at(r, "first"), at(r, "worst"), at(r, "bound"), at(r, "composition"),
               at(r, "composition_bound"), at(r, "orthogonality"), at(r, "mixing")});
  return table;
}

Table recovery_table(const std::vector<CellRecords>& cells) {
  Table table{
      "d3_recovery.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"positions", "positions", Kind::exact, "L: the map of lag 1 is fitted to t = 0 … L-1"},
       {"cutoff", "1", Kind::exact, "singular values up to this share of the largest are left out"},
       {"rank", "1", Kind::count, "singular values kept, of d"},
       {"smallest", "1", Kind::rounded, "smallest singular value over the largest; 0 where L < d"},
       {"inside", "1", Kind::rounded, "relative error of the fitted map over t = 0 … L-1"},
       {"inside_built", "1", Kind::rounded, "relative error of R(1) itself over t = 0 … L-1: rounding"},
       {"next", "1", Kind::rounded, "relative error over up to 1024 positions spread over L … 2L-1"},
       {"far", "1", Kind::rounded, "relative error over 1024 positions spread over 10^5 … 10^6"},
       {"far_line", "1", Kind::rounded, "sqrt(1 - rank/d)"},
       {"distance", "1", Kind::rounded, "|fitted map - R(1)|_F/|R(1)|_F"},
       {"mixing", "1", Kind::rounded, "share of the fitted map's square outside the sine-cosine pairs"}},
      {}};
  for (const Coordinates& r : records_of(cells, "recovery"))
    table.add({at(r, "d"), at(r, "l"), at(r, "cutoff"), at(r, "rank"), at(r, "smallest"), at(r, "inside"),
               at(r, "inside_built"), at(r, "next"), at(r, "far"),
               far_error(size_at(r, "d"), number_at(r, "rank")), at(r, "distance"), at(r, "mixing")});
  return table;
}

Finding number(std::string measure, Coordinates at, double value, std::optional<double> theory,
               std::string unit, std::uint64_t n, Kind kind, std::string meaning) {
  const std::string id = finding_id("D3", measure, at);
  return {id, std::move(at), value, {}, {}, {}, theory, std::move(unit), n, kind, std::move(meaning)};
}

void add_construction(const Table& table, std::vector<Finding>& findings) {
  double excess = 0, composition = 0, orthogonality = 0, mixing = 0;
  std::map<std::int64_t, std::pair<double, double>> worst;  // first position -> error and bound
  std::map<std::int64_t, double> by_length;                 // first position -> a row's error in 4u(t + k)
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    excess = std::max(excess, table.number(i, "worst") / table.number(i, "bound"));
    composition =
        std::max(composition, table.number(i, "composition") / table.number(i, "composition_bound"));
    orthogonality = std::max(orthogonality, table.number(i, "orthogonality"));
    mixing = std::max(mixing, table.number(i, "mixing"));
    const double first = table.number(i, "first"), reach = first + table.number(i, "lag");
    // Entries are below `worst`, and |p_t| is sqrt(d/2): a row is off by at most sqrt(2) of it.
    double& relative = by_length[static_cast<std::int64_t>(first)];
    relative =
        std::max(relative, std::numbers::sqrt2 * table.number(i, "worst") / std::ldexp(4 * reach, -53));
    auto& [error, bound] = worst[static_cast<std::int64_t>(table.number(i, "first"))];
    error = std::max(error, table.number(i, "worst"));
    bound = std::max(bound, table.number(i, "bound"));
  }
  const std::uint64_t n = 256 * table.rows.size();
  for (const auto& [first, pair] : worst)
    findings.push_back(number("worst", {{"t", first}}, pair.first, pair.second, "1", n / worst.size(),
                              Kind::rounded,
                              "Largest entry of |R(k) p_t - p_{t+k}| over 256 positions from t on, lags up "
                              "to a thousand, all d; theory: the bound of float64's rounding."));
  for (const auto& [first, error] : by_length)
    if (first > 0)
      findings.push_back(
          number("row_error", {{"t", first}}, error, {}, "1", n / worst.size(), Kind::rounded,
                 "Bound on |R(k) p_t - p_{t+k}| over 4u(t + k)|p_t| for 256 rows from t on, lags up to a "
                 "thousand, all d: the square root of 2 times the row's largest entry, k and t the first."));
  findings.push_back(number("excess", {}, excess, {}, "1", n, Kind::rounded,
                            "Largest error of the construction over its rounding bound."));
  findings.push_back(number("composition", {}, composition, {}, "1", table.rows.size(), Kind::rounded,
                            "Largest |R(j)R(k) - R(j+k)|_F/sqrt(d) over its rounding bound."));
  findings.push_back(number("orthogonality", {}, orthogonality, 0.0, "1", table.rows.size(), Kind::rounded,
                            "Largest |R Rᵀ - 1|_F/sqrt(d) over lags and d."));
  findings.push_back(number("mixing", {{"map", std::string("built")}}, mixing, 0.0, "1", table.rows.size(),
                            Kind::exact, "Share of |R|² outside the sine-cosine pairs."));
}

/// The same five numbers of the two tables that the verdict rests on.
void add_recovered(const Table& table, std::size_t i, std::vector<Finding>& findings) {
  const Coordinates at{{"d", table.at(i, "d")}, {"l", table.at(i, "positions")}};
  const double d = table.number(i, "d");
  const std::uint64_t n = static_cast<std::uint64_t>(table.number(i, "positions"));
  const auto add = [&](const char* name, const char* column, std::optional<double> theory,
                       std::uint64_t count, const char* meaning) {
    findings.push_back(number(name, at, table.number(i, column), theory, "1", count, Kind::rounded, meaning));
  };
  findings.push_back(number("rank", at, table.number(i, "rank"), d, "dimensions", n, Kind::count,
                            "Directions of the table above the cutoff; theory: those there are."));
  add("inside", "inside", table.number(i, "inside_built"), n,
      "Relative error of the map fitted to L positions, on these; theory: that of the construction.");
  add("next", "next", {}, std::min<std::uint64_t>(n, 1024), "The same map on the next L positions.");
  add("far", "far", table.number(i, "far_line"), 1024,
      "The same map on positions between 10⁵ and 10⁶; theory: sqrt(1 - rank/d).");
  add("distance", "distance", {}, n, "Distance of the fitted map from R(1), relative.");
  add("mixing", "mixing", {}, n, "Share of the fitted map's square outside the sine-cosine pairs.");
}

void add_recovery(const Table& table, std::vector<Finding>& findings) {
  std::map<std::int64_t, double> first;  // d -> shortest range that determines the map
  double departure = 0, inside = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double d = table.number(i, "d"), length = table.number(i, "positions");
    if (table.number(i, "cutoff") != shift_cutoff) continue;
    if ((d == 512 && length == 512) || (d == 64 && (length == 512 || length == 65536)))
      add_recovered(table, i, findings);
    inside = std::max(inside, table.number(i, "inside"));
    departure = std::max(departure, std::abs(table.number(i, "far") - table.number(i, "far_line")));
    if (table.number(i, "next") >= recovered || table.number(i, "far") >= recovered) continue;
    const auto at = first.try_emplace(static_cast<std::int64_t>(d), length).first;
    at->second = std::min(at->second, length);
  }
  for (const auto& [d, length] : first)
    findings.push_back(
        number("first_length", {{"d", d}}, length, certain_length(static_cast<std::size_t>(d)), "positions",
               1, Kind::exact,
               "Fewest positions, of those tried, whose map also holds elsewhere; theory: from "
               "where on the smallest gap of the frequencies is resolved."));
  findings.push_back(number("cutoff", {}, shift_cutoff, {}, "1", 1, Kind::exact,
                            "Singular values of the table up to this share of the largest are left out."));
  findings.push_back(number("inside_largest", {}, inside, {}, "1", table.rows.size(), Kind::rounded,
                            "Largest relative error of a fitted map on the positions of its fit."));
  findings.push_back(number("far_departure", {}, departure, 0.0, "1", table.rows.size(), Kind::rounded,
                            "Largest departure of the error far away from sqrt(1 - rank/d)."));
}

Condition row_condition(const char* rows, const char* finding, const char* needs = "") {
  return {.finding = finding,
          .is = Is::below,
          .bound = 1.0,
          .evidence = Evidence::theorem,
          .levels = {{"rows", rows}},
          .says = fmt::format("largest |R(k) p_t - p_(t+k)| over 4u(t + k)|p_t|, rows {}, lags 1 to 1,000, "
                              "d = 16, 64, 512",
                              rows),
          .needs = needs};
}

Rule rule() {
  return {row_condition("1,000 to 1,255", "D3.row_error.t1000"),
          row_condition("0 to 65,535", "D3.row_error.l65536", "the construction row by row over 65,536 rows"),
          {.finding = "D3.next.d512.l512",
           .is = Is::below,
           .bound = recovered,
           .role = Role::limit,
           .evidence = Evidence::theorem,
           .levels = {{"map", "least squares"}},
           .says = "relative error, on the next 512 positions, of the map fitted to 512, d = 512"}};
}

}  // namespace

Outcome summarise_shift(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {construction_table(cells), recovery_table(cells)};
  add_construction(outcome.tables[0], outcome.findings);
  add_recovery(outcome.tables[1], outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "the rotation of every pair moves rows from 1,000 and from a million on to within {:.2f} and {:.2f} of "
      "the bound 4u(t + k); the map fitted to 512 positions of 512 dimensions errs by {:.0f} % on the next "
      "512",
      value("D3.row_error.t1000"), value("D3.row_error.t1000000"), 100 * value("D3.next.d512.l512"));
  outcome.matters = fmt::format(
      "the map exists at every width and lag; positions show it only on what they span, and 512 of width "
      "512 span {:.0f} directions",
      value("D3.rank.d512.l512"));
  return outcome;
}

}  // namespace perp::distance
