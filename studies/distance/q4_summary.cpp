#include "studies/distance/q4_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "perp/base/error.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr std::array<const char*, 3> tables{"given", "sinusoidal", "gaussian"};

/// A record's number for each of the three tables, side by side.
struct Row {
  Value name;  ///< measure, lag or number of dimensions
  double given = 0, sinusoidal = 0, gaussian = 0, low = 0, high = 0;
};

/// Records called `kind`, one row per value of `key`, in the order of the given table's.
std::vector<Row> side_by_side(const std::vector<CellRecords>& cells, const char* kind, const char* key) {
  std::vector<Row> out;
  std::map<std::string, std::size_t> place;
  for (const Coordinates& r : records_of(cells, kind)) {
    const std::string name = to_text(at(r, key)), &table = text_at(r, "table");
    if (place.try_emplace(name, out.size()).second) out.push_back({at(r, key)});
    Row& row = out[place[name]];
    const double value = number_at(r, "value");
    if (table == "given") row.given = value;
    if (table == "sinusoidal") row.sinusoidal = value;
    if (table == "gaussian")
      row.gaussian = value, row.low = number_at(r, "value_low"), row.high = number_at(r, "value_high");
  }
  return out;
}

std::size_t of_cells(const std::vector<CellRecords>& cells, const char* name) {
  return size_at(cells.back().cell.at, name);
}

Table side_table(const std::vector<CellRecords>& cells, const char* file, const char* kind, const char* key,
                 const char* key_unit, const char* key_meaning, const char* meaning) {
  Table table{file,
              {{key, key_unit, Kind::exact, key_meaning},
               {"given", "1", Kind::rounded, fmt::format("{}, of the given table", meaning)},
               {"sinusoidal", "1", Kind::rounded, "of the sinusoid of its shape, T = 10000"},
               {"gaussian", "1", Kind::sampled, "of independent normal entries, mean over draws",
                "gaussian_low", "gaussian_high"},
               {"gaussian_low", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"gaussian_high", "1", Kind::sampled, "its 99 % interval by Student's t"}},
              {}};
  for (const Row& row : side_by_side(cells, kind, key))
    table.add({row.name, row.given, row.sinusoidal, row.gaussian, row.low, row.high});
  return table;
}

void add_measures(const Table& table, std::size_t draws, std::size_t length, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const PortraitMeasure& measure = portrait_measures()[i];
    for (const char* which : tables) {
      const bool drawn = which == std::string("gaussian"), own = which == std::string("given");
      Estimate estimate{table.number(i, which)};
      if (drawn)
        estimate = from_interval(estimate.value, table.number(i, "gaussian_low"),
                                 table.number(i, "gaussian_high"), shown_level, draws);
      out.push_back(
          finding("Q4", measure.name, {{"table", std::string(which)}}, estimate,
                  {.theory = own ? std::optional(table.number(i, "gaussian")) : std::nullopt,
                   .unit = measure.unit,
                   .n = drawn ? draws : length,
                   .kind = drawn ? Kind::sampled : Kind::rounded,
                   .meaning = fmt::format("{}{}.", measure.meaning,
                                          own     ? "; the given table, beside it independent normal entries"
                                          : drawn ? "; independent normal entries, mean over draws"
                                                  : "; the sinusoid of the given table's shape")}));
    }
  }
}

/// How far apart two sizes are, as a factor of at least 1.
double factor(double a, double b) { return std::max(a / b, b / a); }

void add_comparisons(const Table& kernel, std::size_t length, std::vector<Finding>& out) {
  const auto of = [&](const char* measure, const char* which) {
    return find(out, fmt::format("Q4.{}.{}", measure, which))->value;
  };
  double largest = 0, lag = 0;
  for (std::size_t k = 1; k < kernel.rows.size() && 2 * k <= length; ++k) {
    const double off = std::abs(kernel.number(k, "given") - kernel.number(k, "sinusoidal"));
    if (off > largest) largest = off, lag = static_cast<double>(k);
  }
  const auto add = [&](const char* measure, double value, std::uint64_t n, const char* unit,
                       const char* meaning) {
    out.push_back(finding("Q4", measure, {}, {value},
                          {.unit = unit, .n = n, .kind = Kind::rounded, .meaning = meaning}));
  };
  add("r99_factor", factor(of("r99", "given"), of("r99", "sinusoidal")), length, "1",
      "Ratio, larger over smaller, of the dimensions that hold 99 % of the variance of the given rows and of "
      "the sinusoid's.");
  add("kernel_departure", largest, length / 2, "1",
      "Largest difference between the mean products at one lag of the given table and of the sinusoid, each "
      "over its lag 0; lags up to half the positions.");
  add("kernel_departure_lag", lag, length / 2, "positions", "The lag of that largest difference.");
}

/// One respect in which a learned table may be like the sinusoid.
struct Respect {
  const char *measure, *rows;  ///< finding "Q4.measure" followed by ".rows"
  Is is;
  double bound;
  const char *name, *says;
};
constexpr Respect respects[] = {
    {"r2_apart", ".given", Is::above, most, "lag",
     "share of the variance of different rows' products that the lag explains"},
    {"neighbours", ".given", Is::above, most, "neighbours", "share of rows most like a row beside them"},
    {"r99_factor", "", Is::below, alike_factor, "dimensions",
     "dimensions with 99 % of the variance, factor between the table and the sinusoid of its shape"},
    {"kernel_departure", "", Is::below, alike_share, "mean products",
     "largest difference of mean products at one lag from the sinusoid's, over lag 0"}};

Condition condition_on(const Respect& respect, const std::string& file, bool trained_rows) {
  return {.finding = fmt::format("Q4.{}{}", respect.measure, trained_rows ? ".trained_rows" : respect.rows),
          .is = respect.is,
          .bound = respect.bound,
          .role = trained_rows ? Role::limit : Role::core,
          .evidence = Evidence::released,
          .levels = {{"evidence", "released"}, {"file", file}, {"measure", respect.name}},
          .says = fmt::format("{}{}", respect.says, trained_rows ? ", without never-trained rows" : ""),
          .needs = trained_rows ? "the table without the rows that training never reached" : ""};
}

/// What a table that was given is judged by; a place for those of other studies where there is none.
Rule rule(const std::string& file) {
  if (file.empty())
    return {{.finding = "",
             .evidence = Evidence::released,
             .levels = {{"evidence", "released"}},
             .says = "lag, neighbours, dimensions and mean products of learned positions",
             .needs = needs_model}};
  Rule rule;
  for (const bool trained_rows : {false, true})
    for (const Respect& respect : respects) rule.push_back(condition_on(respect, file, trained_rows));
  return rule;
}

std::string condition(const std::vector<Finding>& findings) {
  const auto value = [&](const char* id) { return find(findings, id)->value; };
  return fmt::format(
      "the lag explains {:.0f} % of the products of different rows, {:.0f} % of the rows are most like a "
      "neighbour, {:.0f} dimensions hold 99 % of the variance (sinusoid {:.0f}), and mean products differ by "
      "up "
      "to {:.2f} of lag 0",
      100 * value("Q4.r2_apart.given"), 100 * value("Q4.neighbours.given"), value("Q4.r99.given"),
      value("Q4.r99.sinusoidal"), value("Q4.kernel_departure"));
}

}  // namespace

std::span<const PortraitMeasure> portrait_measures() {
  static constexpr std::array<PortraitMeasure, 14> measures{{
      {"stable_rank", "stable rank", "Sum of the spectrum of the centred rows over its largest value", "1",
       [](const Portrait& p) { return p.centred.stable_rank; }},
      {"participation_ratio", "participation ratio", "Squared sum of that spectrum over its sum of squares",
       "1", [](const Portrait& p) { return p.centred.participation_ratio; }},
      {"r90", "r₉₀", "Dimensions that hold 90 % of the variance", "dimensions",
       [](const Portrait& p) { return static_cast<double>(p.centred.r90); }},
      {"r99", "r₉₉", "Dimensions that hold 99 % of the variance", "dimensions",
       [](const Portrait& p) { return static_cast<double>(p.centred.r99); }},
      {"stable_rank_as_is", "stable rank, as is", "Stable rank of the rows as they are, about the origin",
       "1", [](const Portrait& p) { return p.as_is.stable_rank; }},
      {"participation_ratio_as_is", "participation ratio, as is",
       "Participation ratio of the rows as they are", "1",
       [](const Portrait& p) { return p.as_is.participation_ratio; }},
      {"r99_as_is", "r₉₉, as is", "Dimensions that hold 99 % of the energy of the rows as they are",
       "dimensions", [](const Portrait& p) { return static_cast<double>(p.as_is.r99); }},
      {"toeplitz_defect", "Toeplitz defect",
       "Norm of what the lag does not explain of all products, over the norm of all", "1",
       [](const Portrait& p) { return p.toeplitz_defect; }},
      {"r2", "R² of the lag",
       "Share of the variance of all products that the lag explains, every row with itself included", "1",
       [](const Portrait& p) { return p.r2; }},
      {"r2_apart", "R² of the lag, different rows",
       "Share of the variance of the products of different rows that the lag explains", "1",
       [](const Portrait& p) { return p.r2_apart; }},
      {"neighbours", "nearest is a neighbour",
       "Share of the rows whose largest cosine with another row is with a row beside it", "1",
       [](const Portrait& p) { return p.neighbours; }},
      {"norm_spread", "spread of lengths", "Standard deviation of the rows' lengths over their mean", "1",
       [](const Portrait& p) { return p.norm_spread; }},
      {"norm_smallest", "shortest row", "Shortest row over the mean length", "1",
       [](const Portrait& p) { return *std::ranges::min_element(p.norms) / p.norm; }},
      {"norm_largest", "longest row", "Longest row over the mean length", "1",
       [](const Portrait& p) { return *std::ranges::max_element(p.norms) / p.norm; }},
  }};
  return measures;
}

Outcome summarise_learned(const std::vector<CellRecords>& cells, const std::string& missing,
                          const std::string& file) {
  Outcome outcome;
  outcome.rule = rule(file);
  outcome.condition = missing;
  if (!missing.empty()) return outcome;
  outcome.tables = {
      side_table(cells, "q4_measures.csv", "measure", "measure", "", "what is measured; see the findings",
                 "its value"),
      side_table(cells, "q4_kernel.csv", "kernel", "lag", "1", "k, in positions",
                 "mean of p_t p_{t+k} over t, over that of lag 0"),
      side_table(cells, "q4_spectrum.csv", "spectrum", "dimensions", "1",
                 "r leading dimensions of the centred rows", "share of the variance outside them")};
  const std::size_t length = of_cells(cells, "l");
  add_measures(outcome.tables[0], of_cells(cells, "draws"), length, outcome.findings);
  add_comparisons(outcome.tables[1], length, outcome.findings);
  outcome.condition = condition(outcome.findings);
  outcome.matters = fmt::format(
      "{} positions of {} dimensions were given; independent entries would give the lag {:.1f} % and need "
      "{:.0f} "
      "dimensions",
      length, of_cells(cells, "d"), 100 * find(outcome.findings, "Q4.r2_apart.given")->theory.value_or(0),
      find(outcome.findings, "Q4.r99.gaussian")->value);
  return outcome;
}

}  // namespace perp::distance
