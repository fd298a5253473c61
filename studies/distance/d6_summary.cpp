#include "studies/distance/d6_summary.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_tables.hpp"

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
    const bool spread = kind == Kind::sampled && column != "sd" && !std::isnan(number(column + "_low"));
    out_->push_back({finding_id("D6", measure, at_), at_, number(column),
                     spread ? Number(number(column + "_low")) : Number(),
                     spread ? Number(number(column + "_high")) : Number(),
                     spread ? Number(decisive) : Number(), theory, "1",
                     static_cast<std::uint64_t>(number("draws")), kind, meaning});
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

std::string condition(const std::vector<Finding>& findings) {
  const auto value = [&](const char* id) { return find(findings, id)->value; };
  return fmt::format(
      "with no weights, weights that commute with the shift, or rotary turns of one and the same content; "
      "through "
      "a random head of rank 64 the lag explains {:.0f} % of the scores' variance at d = 512, and of rotary "
      "scores "
      "with a content per position {:.1f} %, against {:.1f} % by chance",
      100 * value("D6.r2.sinusoidal.heads.rank64.d512"), 100 * value("D6.r2.none.rotary_own.d512"),
      100 * theory::toeplitz_null(512));
}

}  // namespace

Outcome summarise_projection(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {r2_table(cells), nullity_table(cells), panel_table(cells)};
  const Table& r2 = outcome.tables[0];
  for (std::size_t i = 0; i < r2.rows.size(); ++i)
    if (const double d = r2.number(i, "d"); d == 512 || d == 768) add_row(r2, i, outcome.findings);
  add_nulls(outcome.tables[1], outcome.findings);
  add_panels(cells, outcome.findings);
  for (const char* id : {"sinusoidal.identity", "sinusoidal.commutant", "none.rotary_same",
                         "sinusoidal.gaussian", "sinusoidal.heads.rank64", "none.rotary_own"})
    outcome.rule.push_back({fmt::format("D6.r2.{}.d512", id), Is::above, mostly_lag});
  if (judge(outcome.findings, outcome.rule) == Verdict::conditional)
    outcome.condition = condition(outcome.findings);
  return outcome;
}

}  // namespace perp::distance
