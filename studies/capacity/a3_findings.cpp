// A3: findings, rule and condition.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/theory/bilinear.hpp"
#include "studies/capacity/a3_groups.hpp"
#include "studies/capacity/a3_jobs.hpp"

namespace perp::capacity {
namespace {

using Findings = std::vector<Finding>;

/// Loads and ratios whose residuals are findings; all presets have those up to load 2.
bool reported(const Coordinates& r) {
  const double load = number_at(r, "load");
  return ((load == .5 && integer_at(r, "ratio") == 1) || load == 1 || load == 2 || load == 4) &&
         number_at(r, "cutoff") == usual_cutoff;
}

void add_load_findings(const std::vector<Group>& groups, Findings& findings) {
  for (const Group& g : groups) {
    const Coordinates& r = g.first();
    if (!reported(r)) continue;
    const Coordinates place{{"positions", at(r, "positions")},
                            {"table", at(r, "table")},
                            {"load", at(r, "load")},
                            {"ratio", at(r, "ratio")}};
    findings.push_back(
        finding("A3", "residual", place, mean_of(g.values("residual")),
                {.theory = g.mean("expected"),
                 .n = g.rows.size(),
                 .kind = Kind::sampled,
                 .meaning = "Share of the scores' energy that no matrix fits, d = 64, cutoff 1e-6; "
                            "theory: mean over targets, given the tables."}));
    if (text_at(r, "table") != "adding" || number_at(r, "load") > 1) continue;
    findings.push_back(
        finding("A3", "gain", place, mean_of(g.values("gain")),
                {.theory = 1.0,
                 .n = g.rows.size(),
                 .kind = Kind::sampled,
                 .meaning = "Relative error of the fitted scores over that of the sums; theory: "
                            "orthonormal sums."}));
  }
}

/// Sinusoids are of full rank and fit exactly, in exact arithmetic: what is left depends on the cutoff.
void add_fine_cutoff(const std::vector<Group>& groups, Findings& findings) {
  for (const Group& g : groups) {
    const Coordinates& r = g.first();
    if (number_at(r, "cutoff") != fine_cutoff || number_at(r, "load") != 1 || integer_at(r, "ratio") != 1)
      continue;
    findings.push_back(
        finding("A3", "residual_fine", {{"positions", at(r, "positions")}}, mean_of(g.values("residual")),
                {.theory = g.mean("expected"),
                 .n = g.rows.size(),
                 .kind = Kind::sampled,
                 .meaning = "Share of the scores' energy that no matrix fits, 32 words and 32 positions "
                            "added in 64 dimensions, cutoff 1e-9; theory: mean over targets, given the "
                            "tables."}));
  }
}

/// Adding less the best split, pair by pair of one draw.
void add_excess(const std::vector<CellRecords>& cells, Findings& findings) {
  for (const Group& g : groups_of(cells, "load", "residual", {"positions", "load", "ratio", "cutoff"})) {
    const Coordinates& r = g.first();
    if (!reported(r)) continue;
    std::vector<double> adding, split;
    for (const Coordinates& row : g.rows)
      (text_at(row, "table") == "adding" ? adding : split).push_back(number_at(row, "residual"));
    std::vector<double> excess;
    for (std::size_t i = 0; i < std::min(adding.size(), split.size()); ++i)
      excess.push_back(adding[i] - split[i]);
    const std::size_t v = size_at(r, "v"), l = size_at(r, "l");
    std::optional<double> line;
    if (text_at(r, "positions") == "random") {
      const std::size_t width = theory::best_split(v, l, drawn_width);
      line = theory::added_residual(v, l, drawn_width, sinusoid_power) -
             theory::split_residual(v, l, drawn_width - width, width);
    }
    findings.push_back(finding(
        "A3", "excess",
        {{"positions", at(r, "positions")}, {"load", at(r, "load")}, {"ratio", at(r, "ratio")}},
        mean_of(excess),
        {.theory = line,
         .n = excess.size(),
         .kind = Kind::sampled,
         .meaning = "Residual of adding less that of the best split; above 0 concatenating scores better."}));
  }
}

void add_known(const std::vector<Group>& groups, Findings& findings) {
  for (const Group& g : groups) {
    const Coordinates& r = g.first();
    const std::string cutoff = number_at(r, "cutoff") == usual_cutoff ? "cutoff6" : "cutoff9";
    findings.push_back(finding(
        "A3", "known", {{"positions", at(r, "positions")}, {"table", at(r, "table")}, {"cutoff", cutoff}},
        mean_of(g.values("residual")),
        {.theory = g.mean("expected"),
         .n = g.rows.size(),
         .kind = Kind::sampled,
         .meaning = "Residual for 300 words and 32 positions in 64 dimensions, singular values below 1e-6 "
                    "(or 1e-9) of the largest counted as 0; theory: mean over targets."}));
  }
}

/// Fits that must be exact are, and those that must not be are not.
void add_exactness(const std::vector<CellRecords>& cells, const std::vector<Group>& load,
                   Findings& findings) {
  double worst = 0;
  std::uint64_t fits = 0, rows_of = 0, wrong = 0;
  for (const Coordinates& r : records_of(cells, "boundary")) {
    const bool needs = size_at(r, "needs") <= size_at(r, "d"), exact = number_at(r, "error") < exact_error;
    ++rows_of;
    wrong += needs != exact;
    if (text_at(r, "match") != "sums" || !needs) continue;
    worst = std::max(worst, number_at(r, "error"));
    ++fits;
  }
  for (const Group& g : load)
    for (const Coordinates& r : g.rows)
      if (text_at(r, "positions") == "random" && text_at(r, "table") == "adding" &&
          number_at(r, "load") <= 1) {
        worst = std::max(worst, number_at(r, "error"));
        ++fits;
      }
  findings.push_back(
      finding("A3", "exact_error", {}, {worst},
              {.theory = 0.0,
               .n = fits,
               .kind = Kind::sampled,
               .meaning = "Largest relative error of the fitted scores, random positions added, "
                          "V + L - 1 at most d."}));
  findings.push_back(
      finding("A3", "boundary", {}, {static_cast<double>(wrong)},
              {.theory = 0.0,
               .n = rows_of,
               .meaning = "Fits around V + L = d that are exact where they should not be, or not "
                          "where they should: V+L-1 for sums, V+L for four blocks, V+L-2 centred."}));
}

void add_gain(const Table& gain, Findings& findings) {
  double departure = 0;
  for (std::size_t i = 0; i < gain.rows.size(); ++i) {
    departure = std::max(departure, gain.number(i, "departure"));
    std::optional<double> low, high;
    if (!std::isnan(gain.number(i, "low"))) low = gain.number(i, "low"), high = gain.number(i, "high");
    findings.push_back(finding(
        "A3", "worst_gain", {{"load", gain.at(i, "load")}}, {gain.number(i, "worst"), low, high, shown_level},
        {.theory = gain.number(i, "line"),
         .n = static_cast<std::uint64_t>(gain.number(i, "replicates")),
         .kind = Kind::sampled,
         .meaning = "One over the least singular value of orthonormal words and positions in "
                    "random subspaces, three to one; theory: from the expected largest "
                    "cosine. In separate dimensions it is 1."}));
  }
  findings.push_back(
      finding("A3", "gain_departure", {}, {departure},
              {.theory = 0.0,
               .n = gain.rows.size(),
               .kind = Kind::rounded,
               .meaning = "Largest departure of that singular value from the root of one less the "
                          "measured largest cosine."}));
}

void add_heads(const Table& heads, Findings& findings) {
  for (std::size_t i = 0; i < heads.rows.size(); ++i) {
    if (heads.number(i, "load") != 1) continue;
    std::optional<double> low, high;
    if (!std::isnan(heads.number(i, "low"))) low = heads.number(i, "low"), high = heads.number(i, "high");
    findings.push_back(
        finding("A3", "head", {{"positions", heads.at(i, "positions")}, {"rank", heads.at(i, "head")}},
                {heads.number(i, "residual"), low, high, shown_level},
                {.theory = heads.number(i, "line"),
                 .n = static_cast<std::uint64_t>(heads.number(i, "replicates")),
                 .kind = Kind::sampled,
                 .meaning = "Residual of the best matrix of this rank, 32 words and 32 positions in "
                            "64 dimensions; theory: quarter-circle law."}));
  }
}

/// Expected residual that no tables in d dimensions go below: they keep the d largest of the incidence's
/// squared singular values (theory/bilinear.hpp). More words than positions, d at most their number.
double least_residual(std::size_t words, std::size_t positions, std::size_t d) {
  const auto v = static_cast<double>(words), l = static_cast<double>(positions);
  const double kept = v + l + static_cast<double>(d - 1) * v;
  return theory::expected_residual(kept, 2 * v * l);
}

/// A model's own sizes, by the closed form alone.
void add_model(Findings& findings) {
  constexpr std::size_t words = 50257, positions = 1024, d = 768;
  findings.push_back(
      finding("A3", "model_least", {}, {least_residual(words, positions, d)},
              {.kind = Kind::rounded,
               .meaning = "Expected residual that no words and positions in 768 dimensions go below, 50,257 "
                          "words and 1,024 positions, by the count of dimensions."}));
  findings.push_back(finding("A3", "model_load", {}, {static_cast<double>(words + positions) / double{d}},
                             {.kind = Kind::rounded, .meaning = "Words and positions there per dimension."}));
  const std::size_t width = theory::best_split(words, positions, d);
  const auto add = [&](const char* table, double value) {
    findings.push_back(
        finding("A3", "model", {{"table", std::string(table)}}, {value},
                {.kind = Kind::rounded,
                 .meaning = "Expected residual for 50,257 words and 1,024 random positions in 768 "
                            "dimensions, closed form, nothing measured."}));
  };
  add("adding", theory::added_residual(words, positions, d, sinusoid_power));
  add("split", theory::split_residual(words, positions, d - width, width));
}

double value_of(const Findings& findings, const char* id) {
  const Finding* found = find(findings, id);
  return found ? found->value : std::nan("");
}

std::string condition_of(const Findings& findings) {
  return fmt::format(
      "with 50,257 words and 1,024 positions in 768 dimensions random positions leave {:.0f} % of the "
      "scores' energy unfitted, no choice of positions less than {:.0f} %; up to V + L − 1 = d the fit errs "
      "by {:.0e}",
      100 * value_of(findings, "A3.model.adding"), 100 * value_of(findings, "A3.model_least"),
      value_of(findings, "A3.exact_error"));
}

std::string matters_of(const Findings& findings) {
  return fmt::format(
      "a model has {:.0f} words and positions per dimension, but its scores are smooth and not independent "
      "targets, the hardest case",
      value_of(findings, "A3.model_load"));
}

}  // namespace

void add_job_findings(const std::vector<CellRecords>& cells, Outcome& outcome) {
  const std::vector<Group> load =
      groups_of(cells, "load", "residual", {"load", "ratio", "positions", "table", "cutoff"});
  add_exactness(cells, load, outcome.findings);
  add_load_findings(load, outcome.findings);
  add_fine_cutoff(load, outcome.findings);
  add_excess(cells, outcome.findings);
  add_known(groups_of(cells, "known", "residual", {"positions", "table", "cutoff"}), outcome.findings);
  for (const Table& table : outcome.tables) {
    if (table.file == "a3_gain.csv") add_gain(table, outcome.findings);
    if (table.file == "a3_heads.csv") add_heads(table, outcome.findings);
  }
  add_model(outcome.findings);

  // No trade-off, at a model's own size; where there is room for everything, there is none.
  outcome.rule = {{.finding = "A3.model.adding",
                   .is = Is::below,
                   .bound = traded_off,
                   .evidence = Evidence::closed_form,
                   .says = "share of the scores' energy that no matrix fits: V = 50,257, L = 1,024, d = 768, "
                           "random positions, independent targets"},
                  {.finding = "A3.exact_error",
                   .is = Is::below,
                   .bound = exact_error,
                   .role = Role::limit,
                   .evidence = Evidence::theorem,
                   .says = "largest relative error of the fitted scores while V + L - 1 is at most d"}};
  outcome.condition = condition_of(outcome.findings);
  outcome.matters = matters_of(outcome.findings);
}

}  // namespace perp::capacity
