// Q2: tables, findings and rule.

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q2_layernorm.hpp"
#include "studies/distance/q2_sums.hpp"
#include "studies/distance/scores.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

std::string kind_of(const Coordinates& r) {
  return text_at(r, "positions") == "sinusoidal" ? "sinusoidal" : "given";
}

std::string label_of(const std::string& measure) {
  for (const NormMeasure& m : norm_measures())
    if (measure == m.name) return m.label;
  fail("no measure '{}'", measure);
}

/// A record's mean over draws with its interval.
Estimate mean_of(const Coordinates& r, const std::string& name) {
  return from_interval(number_at(r, name), number_at(r, name + "_low"), number_at(r, name + "_high"),
                       recorded_level, size_at(r, "draws"));
}

/// The same from a row of a table.
Estimate mean_of(const Table& t, std::size_t i, const std::string& name) {
  return from_interval(t.number(i, name), t.number(i, name + "_low"), t.number(i, name + "_high"),
                       shown_level, static_cast<std::size_t>(t.number(i, "draws")));
}

Table sums_table(const std::vector<CellRecords>& cells) {
  const char* interval = "its 99 % interval by Student's t";
  Table table{
      "q2_sums.csv",
      {{"positions", "", Kind::exact, "sinusoidal, T = 10000, or the given table"},
       {"words", "", Kind::exact,
        "gaussian; anisotropic, their common mean along (1, …, 1); turned: these, rotated at random"},
       {"d", "1", Kind::exact, "dimension"},
       {"length", "1", Kind::exact, "L, number of positions"},
       {"ratio", "1", Kind::exact, "rho = length of a position over that of a word, root mean squares"},
       {"draws", "1", Kind::exact, "of words and places"},
       {"measure", "", Kind::exact, "what is measured; see the findings"},
       {"label", "", Kind::exact, "the same in words"}},
      {}};
  for (const char* name : {"before", "after", "change"}) {
    table.columns.push_back({name, "1", Kind::sampled,
                             name == std::string("change")
                                 ? "after less before, of the same sums"
                                 : fmt::format("{} LayerNorm, mean over draws", name),
                             fmt::format("{}_low", name), fmt::format("{}_high", name)});
    for (const char* end : {"low", "high"})
      table.columns.push_back({fmt::format("{}_{}", name, end), "1", Kind::sampled, interval});
  }
  table.columns.push_back({"before_line", "1", Kind::exact, "to expect of isotropic words"});
  table.columns.push_back({"after_line", "1", Kind::exact, "the same, lengths taken as constant"});
  for (const Coordinates& r : records_of(cells, "sums")) {
    std::vector<Value> row{kind_of(r),     at(r, "words"), at(r, "d"),       at(r, "l"),
                           at(r, "ratio"), at(r, "draws"), at(r, "measure"), label_of(text_at(r, "measure"))};
    for (const char* name : {"before", "after", "change"}) {
      const Estimate mean = mean_of(r, name);
      row.insert(row.end(), {mean.value, end_or_nan(mean.low), end_or_nan(mean.high)});
    }
    row.insert(row.end(), {at(r, "before_line"), at(r, "after_line")});
    table.add(std::move(row));
  }
  return table;
}

Table lost_table(const std::vector<CellRecords>& cells) {
  Table table{"q2_lost.csv",
              {{"positions", "", Kind::exact, "sinusoidal, T = 10000, or the given table"},
               {"d", "1", Kind::exact, "dimension"},
               {"t", "positions", Kind::exact, "row of the table, from 0"},
               {"share", "1", Kind::rounded, "share of its energy that LayerNorm takes away"},
               {"line", "1", Kind::exact, "2 (sum of its entries)^2/d^2"}},
              {}};
  for (const Coordinates& r : records_of(cells, "lost"))
    table.add({kind_of(r), at(r, "d"), at(r, "t"), at(r, "share"), at(r, "line")});
  return table;
}

Table cosine_table(const std::vector<CellRecords>& cells) {
  Table table{"q2_cosines.csv",
              {{"words", "", Kind::exact, "as in q2_sums.csv"},
               {"d", "1", Kind::exact, "dimension"},
               {"pairs", "1", Kind::exact, "pairs of words in a draw"},
               {"draws", "1", Kind::exact, "draws"},
               {"change", "1", Kind::sampled, "change of a cosine by LayerNorm, root mean square",
                "change_low", "change_high"},
               {"change_low", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"change_high", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"line", "1", Kind::exact, "independent uniform directions: 1/d to leading order"}},
              {}};
  for (const Coordinates& r : records_of(cells, "cosines")) {
    const Estimate change = mean_of(r, "change");
    table.add({at(r, "words"), at(r, "d"), at(r, "pairs"), at(r, "draws"), change.value,
               end_or_nan(change.low), end_or_nan(change.high), at(r, "line")});
  }
  return table;
}

// ---- findings ------------------------------------------------------------------------------------------

bool decides(const std::string& measure) {
  return measure == "lag_r2" || measure == "readout" || measure == "nearest";
}

const char* meaning_of(const std::string& measure) {
  for (const NormMeasure& m : norm_measures())
    if (measure == m.name) return m.meaning;
  fail("no measure '{}'", measure);
}

/// At the natural ratio: each measure before, after and its change.
void add_sums(const Table& t, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < t.rows.size(); ++i) {
    if (t.number(i, "ratio") != natural_ratio) continue;
    const std::string measure = std::get<std::string>(t.at(i, "measure"));
    const Coordinates where{
        {"positions", t.at(i, "positions")}, {"words", t.at(i, "words")}, {"d", t.at(i, "d")}};
    const auto n = static_cast<std::uint64_t>(t.number(i, "draws"));
    const auto add = [&](const std::string& column, const std::string& suffix, double line,
                         std::string said) {
      out.push_back(finding("Q2", measure + suffix, where, mean_of(t, i, column),
                            {.theory = std::isnan(line) ? std::nullopt : std::optional(line),
                             .n = n,
                             .kind = Kind::sampled,
                             .meaning = std::move(said)}));
    };
    add("before", "_before", t.number(i, "before_line"),
        fmt::format("{}, before LayerNorm, mean over draws; positions and words as long as at a sinusoid and "
                    "words with entries of variance 1.",
                    meaning_of(measure)));
    add("after", "_after", t.number(i, "after_line"),
        fmt::format("{}, after LayerNorm.", meaning_of(measure)));
    if (decides(measure))
      add("change", "_change", 0,
          fmt::format("{}: after LayerNorm less before, of the same sums; theory: nothing is lost.",
                      meaning_of(measure)));
  }
}

void add_cosines(const Table& t, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < t.rows.size(); ++i)
    out.push_back(finding("Q2", "cosine_change", {{"words", t.at(i, "words")}, {"d", t.at(i, "d")}},
                          mean_of(t, i, "change"),
                          {.theory = t.number(i, "line"),
                           .n = static_cast<std::uint64_t>(t.number(i, "draws")),
                           .kind = Kind::sampled,
                           .meaning = "Change of the cosine of two words by LayerNorm, root mean square; "
                                      "theory: uniform directions, about 1/d."}));
}

void add_positions(const std::vector<CellRecords>& cells, std::vector<Finding>& out) {
  double departure = 0, length_off = 0;
  std::uint64_t n = 0;
  for (const Coordinates& r : records_of(cells, "positions")) {
    const Coordinates where{{"positions", kind_of(r)}, {"d", at(r, "d")}};
    const auto add = [&](const char* measure, const char* name, std::optional<double> line,
                         const char* meaning) {
      out.push_back(
          finding("Q2", measure, where, {number_at(r, name)},
                  {.theory = line, .n = size_at(r, "l"), .kind = Kind::rounded, .meaning = meaning}));
    };
    const double chance = 1 / number_at(r, "d");
    add("lost_mean", "lost_mean", chance,
        "Share of a position's energy that LayerNorm takes away, mean over positions; theory: random "
        "directions.");
    add("lost_most", "lost_most", chance, "The same, the largest of all positions.");
    add("lost_constant", "lost_constant", std::nullopt,
        "Share of the energy lost that is the same at every position, and so carries none.");
    add("alone_before", "r2_before", 1.0,
        "Share of the variance of the products of positions that their lag explains; theory: of sinusoids.");
    add("alone_after", "r2_after", 1.0, "The same after LayerNorm of every position by itself.");
    add("defect_after", "defect_after", 0.0,
        "Toeplitz defect of the products of positions after LayerNorm; theory: before.");
    departure = std::max(departure, number_at(r, "departure"));
    length_off = std::max(length_off, number_at(r, "length_off"));
    n += size_at(r, "l");
  }
  out.push_back(finding("Q2", "lost_departure", {}, {departure},
                        {.theory = 0,
                         .n = n,
                         .kind = Kind::rounded,
                         .meaning = "Largest departure of the share lost from its closed form, sinusoids."}));
  out.push_back(
      finding("Q2", "length_departure", {}, {length_off},
              {.theory = 0,
               .n = n,
               .kind = Kind::rounded,
               .meaning = "Largest relative departure of a length after LayerNorm from √(d v/(v+ε)), "
                          "v the variance of the entries before."}));
}

struct Readout {
  const char *measure, *said;
};
constexpr Readout readouts[] = {{"readout", "R² of a linear read-out of the position"},
                                {"nearest", "share of positions that are found as the nearest"},
                                {"lag_r2", "share of the score variance that the lag explains"}};

/// "gaussian words".
std::string words_said(const std::string& words) {
  return words == "turned" ? "anisotropic words turned by a random rotation" : words + " words";
}

Condition kept(const Readout& read, const char* words, std::size_t d) {
  return {.finding = fmt::format("Q2.{}_change.sinusoidal.{}.d{}", read.measure, words, d),
          .is = Is::above,
          .bound = -kept_within,
          .evidence = Evidence::simulation,
          .levels = {{"evidence", "simulation"},
                     {"read-out", read.measure},
                     {"words", words},
                     {"d", fmt::format("{}", d)}},
          .says = fmt::format("change by LayerNorm of the {}, {}, d = {}", read.said, words_said(words), d),
          .needs = "preset full"};
}

Condition alone(std::size_t d) {
  return {
      .finding = fmt::format("Q2.alone_after.sinusoidal.d{}", d),
      .is = Is::above,
      .bound = lag_decides,
      .role = Role::limit,
      .evidence = Evidence::closed_form,
      .levels = {{"read-out", "products of positions alone"}, {"d", fmt::format("{}", d)}},
      .says = fmt::format("share of the variance of products of positions alone that the lag explains after "
                          "LayerNorm, d = {}",
                          d),
      .needs = "preset full"};
}

Rule rule() {
  Rule rule;
  for (const Readout& read : readouts)
    for (const std::size_t d : {512, 64})
      for (const char* words : {"gaussian", "anisotropic", "turned"}) rule.push_back(kept(read, words, d));
  rule.push_back({.finding = "",
                  .evidence = Evidence::released,
                  .levels = {{"evidence", "released"}},
                  .says = "mean cosine and energy ratio of words and positions after LayerNorm over before",
                  .needs = needs_model});
  for (const std::size_t d : {64, 512}) rule.push_back(alone(d));
  return rule;
}

std::string condition(const std::vector<Finding>& findings, const Rule& rule) {
  double worst = INFINITY, least = INFINITY;
  std::size_t readings = 0, kept = 0;
  for (const Condition& c : rule) {
    const Finding* finding = find(findings, c.finding);
    if (!finding) continue;
    double& extreme = c.role == Role::core ? worst : least;
    extreme = std::min(extreme, finding->value);
    readings += c.role == Role::core;
    kept += c.role == Role::core && finding->value > -kept_within;
  }
  return fmt::format(
      "{} of {} read-outs of sums lose less than {:.0f} points of 100 by LayerNorm, and the worst changes by "
      "{:+.1f}; of the products of positions alone the lag explains {:.1f} % afterwards",
      kept, readings, 100 * kept_within, 100 * worst, 100 * least);
}

}  // namespace

Outcome summarise_layer_norm(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {sums_table(cells), lost_table(cells), cosine_table(cells)};
  add_sums(outcome.tables[0], outcome.findings);
  add_cosines(outcome.tables[2], outcome.findings);
  add_positions(cells, outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition(outcome.findings, outcome.rule);
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.matters = fmt::format(
      "LayerNorm removes one direction: 1/d of a word, of a sinusoid at d = 64 {:.0f} % of its energy, "
      "{:.0f} % of which is the same at every position",
      100 * value("Q2.lost_mean.sinusoidal.d64"), 100 * value("Q2.lost_constant.sinusoidal.d64"));
  return outcome;
}

}  // namespace perp::distance
