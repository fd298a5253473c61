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
        finding("A3", "residual", place, mean_of(g.values("residual"), decisive),
                {.theory = g.mean("expected"),
                 .n = g.rows.size(),
                 .kind = Kind::sampled,
                 .meaning = "Share of the scores' energy that no matrix fits, d = 64, cutoff 1e-6; "
                            "theory: mean over targets, given the tables."}));
    if (text_at(r, "table") != "adding" || number_at(r, "load") > 1) continue;
    findings.push_back(
        finding("A3", "gain", place, mean_of(g.values("gain"), decisive),
                {.theory = 1.0,
                 .n = g.rows.size(),
                 .kind = Kind::sampled,
                 .meaning = "Relative error of the fitted scores over that of the sums; theory: "
                            "orthonormal sums."}));
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
        mean_of(excess, decisive),
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
        mean_of(g.values("residual"), level),
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
        "A3", "worst_gain", {{"load", gain.at(i, "load")}}, {gain.number(i, "worst"), low, high, level},
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
                {heads.number(i, "residual"), low, high, level},
                {.theory = heads.number(i, "line"),
                 .n = static_cast<std::uint64_t>(heads.number(i, "replicates")),
                 .kind = Kind::sampled,
                 .meaning = "Residual of the best matrix of this rank, 32 words and 32 positions in "
                            "64 dimensions; theory: quarter-circle law."}));
  }
}

/// A model's own sizes, by the closed form alone.
void add_model(Findings& findings) {
  constexpr std::size_t words = 50257, positions = 1024, d = 768;
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

std::string condition_of(const Findings& findings) {
  const auto value = [&](const char* id) {
    const Finding* found = find(findings, id);
    return found ? found->value : std::nan("");
  };
  return fmt::format(
      "for random positions up to V + L - 1 = d, where the largest relative error is {:.0e}; at V + L = 2d "
      "{:.0f} % of "
      "the scores' energy is left, and sinusoids leave {:.0f} % at V + L = d already, because their rank "
      "falls short",
      value("A3.exact_error"), 100 * value("A3.residual.random.adding.load2.ratio1"),
      100 * value("A3.residual.sinusoidal.adding.load1.ratio1"));
}

}  // namespace

void add_job_findings(const std::vector<CellRecords>& cells, Outcome& outcome) {
  const std::vector<Group> load =
      groups_of(cells, "load", "residual", {"load", "ratio", "positions", "table", "cutoff"});
  add_exactness(cells, load, outcome.findings);
  add_load_findings(load, outcome.findings);
  add_excess(cells, outcome.findings);
  add_known(groups_of(cells, "known", "residual", {"positions", "table", "cutoff"}), outcome.findings);
  for (const Table& table : outcome.tables) {
    if (table.file == "a3_gain.csv") add_gain(table, outcome.findings);
    if (table.file == "a3_heads.csv") add_heads(table, outcome.findings);
  }
  add_model(outcome.findings);

  // No trade-off would be: exact, calm, whatever the positions are, and beyond V + L = d as well.
  outcome.rule = {{"A3.exact_error", Is::below, exact_error},
                  {"A3.gain.random.adding.load0p5.ratio1", Is::below, calm_gain},
                  {"A3.residual.sinusoidal.adding.load1.ratio1", Is::below, exact_share},
                  {"A3.residual.random.adding.load2.ratio1", Is::below, exact_share}};
  if (judge(outcome.findings, outcome.rule) != Verdict::supported)
    outcome.condition = condition_of(outcome.findings);
}

}  // namespace perp::capacity
