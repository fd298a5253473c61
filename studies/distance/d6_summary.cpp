#include "studies/distance/d6_summary.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_tables.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

using Number = std::optional<double>;

/// The findings about one row of the table of R².
class RowFindings {
 public:
  RowFindings(const Table& table, std::size_t row, std::vector<Finding>& out)
      : table_(&table), row_(row), out_(&out) {
    for (const char* name : {"encoding", "matrix", "rank", "d"})
      if (const Value& v = table.at(row, name); name != std::string("rank") || to_number(v) > 0)
        at_.emplace_back(name, v);
  }

  double number(const std::string& column) const { return table_->number(row_, column); }

  void add(const char* measure, const std::string& column, Number theory, Kind kind,
           const char* meaning) const {
    const auto draws = static_cast<std::size_t>(number("draws"));
    Estimate estimate{number(column)};
    if (kind == Kind::sampled && column != "sd")
      estimate = from_interval(number(column), number(column + "_low"), number(column + "_high"), shown_level,
                               draws);
    out_->push_back(finding("D6", measure, at_, estimate,
                            {.theory = theory, .n = draws, .kind = kind, .meaning = meaning}));
  }

 private:
  const Table* table_;
  std::size_t row_;
  std::vector<Finding>* out_;
  Coordinates at_;
};

void add_row(const Table& table, std::size_t row, std::vector<Finding>& out) {
  const RowFindings f(table, row, out);
  const std::string matrix = std::get<std::string>(table.at(row, "matrix"));
  const std::string encoding = std::get<std::string>(table.at(row, "encoding"));
  const bool sinusoidal = encoding == "sinusoidal";
  const bool exact =
      matrix == "commutant" || matrix == "rotary_same" || (matrix == "identity" && encoding != "random");
  const double null = f.number("null");
  if (exact)
    f.add("r2", "smallest", 1.0, Kind::rounded,
          "Share of the variance of all L x L scores that their lag explains, the smallest over the draws; "
          "theory: 1.");
  else
    f.add("r2", "r2", null, Kind::sampled,
          "Share of the variance of all L x L scores that their lag explains, mean over draws; beside it the "
          "chance level of independent scores, 2/(L+1).");
  if (!exact && f.number("draws") > 1)
    f.add("sd", "sd", {}, Kind::sampled, "Standard deviation over draws of that share.");
  if (!std::isnan(f.number("pooled_theory")))
    f.add("pooled", "pooled", f.number("pooled_theory"), Kind::sampled,
          "Variance of the scores' means per lag over the variance of the scores, both summed over draws; "
          "theory: the ratio of their expectations.");
  if (sinusoidal || matrix == "rotary_same")
    f.add(
        "odd", "odd", matrix == "tied" || matrix == "identity" ? Number(0.0) : Number(), Kind::sampled,
        "Share of what the lag explains that changes sign with it, and so tells before from after; mean over "
        "draws.");
}

void add_nulls(const Table& table, std::vector<Finding>& out) {
  double off_shift = 0, off_few = 0;
  std::uint64_t shifts = 0, few = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const bool shift = std::get<std::string>(table.at(i, "condition")) == "shift";
    double& off = shift ? off_shift : off_few;
    off = std::max(off, std::abs(table.number(i, "dimension") - table.number(i, "theory")));
    ++(shift ? shifts : few);
  }
  out.push_back({finding_id("D6", "nullity_departure", {{"of", std::string("shift")}}),
                 {},
                 off_shift,
                 {},
                 {},
                 {},
                 0.0,
                 "dimensions",
                 shifts,
                 Kind::count,
                 "Largest |nullity of M -> R'MR - M less d| over the dimensions d of the table."});
  out.push_back({finding_id("D6", "nullity_departure", {{"of", std::string("few")}}),
                 {},
                 off_few,
                 {},
                 {},
                 {},
                 0.0,
                 "dimensions",
                 few,
                 Kind::count,
                 "Largest departure of the dimension of the M whose scores depend on the lag alone over L "
                 "positions from d^2 - (L-1)^2 for L up to d and from d beyond."});
}

void add_panels(const std::vector<CellRecords>& cells, std::vector<Finding>& out) {
  for (const Coordinates& r : records_of(cells, "panel_r2"))
    out.push_back({finding_id("D6", "panel_r2", {{"matrix", at(r, "matrix")}}),
                   {{"matrix", at(r, "matrix")}},
                   number_at(r, "r2"),
                   {},
                   {},
                   {},
                   {},
                   "1",
                   64 * 64,
                   Kind::sampled,
                   "Share of the scores' variance that the lag explains in the matrix that is drawn."});
}

Condition random_heads(const char* matrix, const char* weights, std::size_t rank) {
  return {.finding = fmt::format("D6.r2.sinusoidal.{}.rank{}.d512", matrix, rank),
          .is = Is::above,
          .bound = mostly_lag,
          .evidence = Evidence::simulation,
          .levels = {{"evidence", "random weights"}, {"weights", weights}, {"rank", fmt::format("{}", rank)}},
          .says = fmt::format("share of the score variance that the lag explains, {}, rank {}, d = 512",
                              weights, rank),
          .needs = "8 draws or more: preset full"};
}

Rule rule() {
  Rule rule;
  for (const std::size_t rank : {64, 16, 512})
    rule.push_back(random_heads("heads", "Q and K drawn apart", rank));
  for (const std::size_t rank : {16, 64}) rule.push_back(random_heads("tied", "Q = K", rank));
  rule.push_back(trained_heads(""));
  return rule;
}

}  // namespace

Condition trained_heads(const std::string& file) {
  Condition condition{.finding = file.empty() ? "" : "D6.trained_median",
                      .is = Is::above,
                      .bound = mostly_lag,
                      .evidence = Evidence::released,
                      .levels = {{"evidence", "released"}},
                      .says =
                          "share of the score variance that the lag explains, median over a trained layer's "
                          "heads",
                      .needs = needs_model};
  if (!file.empty()) condition.levels.emplace_back("file", file);
  return condition;
}

Outcome summarise_projection(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {r2_table(cells), nullity_table(cells), panel_table(cells)};
  const Table& r2 = outcome.tables[0];
  for (std::size_t i = 0; i < r2.rows.size(); ++i)
    if (const double d = r2.number(i, "d"); d == 512 || d == 768) add_row(r2, i, outcome.findings);
  add_nulls(outcome.tables[1], outcome.findings);
  add_panels(cells, outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "the lag explains {:.0f} % of the score variance through random Q and K of rank 64, {:.0f} % and "
      "{:.0f} % "
      "through Q = K of rank 16 and 64 (d = 512)",
      100 * value("D6.r2.sinusoidal.heads.rank64.d512"), 100 * value("D6.r2.sinusoidal.tied.rank16.d512"),
      100 * value("D6.r2.sinusoidal.tied.rank64.d512"));
  outcome.matters = fmt::format(
      "in the shape of GPT-2's heads, rank 64 of d = 768, it is {:.0f} % through random Q and K; with a "
      "content "
      "per position rotary scores keep {:.1f} %, chance {:.1f} %",
      100 * value("D6.r2.sinusoidal.heads.rank64.d768"), 100 * value("D6.r2.none.rotary_own.d512"),
      100 * theory::toeplitz_null(512));
  return outcome;
}

}  // namespace perp::distance
