// A4: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/theory/bilinear.hpp"
#include "studies/capacity/a3_groups.hpp"
#include "studies/capacity/a4_contains.hpp"

namespace perp::capacity {
namespace {

using Findings = std::vector<Finding>;

Table start_table(const std::vector<Group>& groups) {
  Table table{"a4_starts.csv",
              {{"v", "1", Kind::exact, "words"},
               {"l", "1", Kind::exact, "positions"},
               {"d", "1", Kind::exact, "dimension"},
               {"power", "1", Kind::exact, "power of a position over a word's"},
               {"from", "", Kind::exact,
                "random, other: two draws; sinusoidal; centred; confined: in the split's own dimensions"},
               {"begin", "1", Kind::sampled, "residual at the start, mean"},
               {"end", "1", Kind::sampled, "residual at the end", "low", "high"},
               {"low", "1", Kind::sampled, "Student's t, 99 %"},
               {"high", "1", Kind::sampled, "Student's t, 99 %"},
               {"split", "1", Kind::sampled, "residual of the best split of the same draws, mean"},
               {"excess", "1", Kind::sampled, "end less best split", "excess_low", "excess_high"},
               {"excess_low", "1", Kind::sampled, "Student's t, 99 %"},
               {"excess_high", "1", Kind::sampled, "Student's t, 99 %"},
               {"gain", "1", Kind::sampled, "noise gain at the end, mean"},
               {"replicates", "1", Kind::exact, "draws of words and targets"}},
              {}};
  for (const Group& g : groups) {
    std::vector<double> excess;
    for (const Coordinates& r : g.rows) excess.push_back(number_at(r, "end") - number_at(r, "split"));
    const Estimate end = mean_of(g.values("end")), over = mean_of(excess);
    const Coordinates& r = g.first();
    table.add({at(r, "v"), at(r, "l"), at(r, "d"), at(r, "power"), at(r, "from"), g.mean("begin"), end.value,
               number_or_nan(end.low), number_or_nan(end.high), g.mean("split"), over.value,
               number_or_nan(over.low), number_or_nan(over.high), g.mean("gain"), whole(g.rows.size())});
  }
  return table;
}

Table path_table(const std::vector<CellRecords>& cells) {
  Table table{"a4_paths.csv",
              {{"v", "1", Kind::exact, "words"},
               {"from", "", Kind::exact, "start; joint: words too, from the split; within: in the split"},
               {"power", "1", Kind::exact, "power of a position over a word's"},
               {"step", "1", Kind::exact, "steps of the descent"},
               {"residual", "1", Kind::sampled, "share of the scores' energy left, first draw"}},
              {}};
  for (const Coordinates& r : records_of(cells, "path"))
    table.add({at(r, "v"), at(r, "from"), at(r, "of_power"), at(r, "step"), at(r, "residual")});
  return table;
}

Table joint_table(const std::vector<Group>& groups) {
  Table table{
      "a4_joint.csv",
      {{"v", "1", Kind::exact, "words"},
       {"l", "1", Kind::exact, "positions"},
       {"d", "1", Kind::exact, "dimension"},
       {"width", "1", Kind::sampled, "dimensions of positions in the best split, mean"},
       {"tables", "", Kind::exact,
        "split: as drawn; within: optimised in the split; joint: freed from the split; released: freed "
        "from `within`"},
       {"residual", "1", Kind::sampled, "share of the scores' energy left", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t, 99 %"},
       {"high", "1", Kind::sampled, "Student's t, 99 %"},
       {"line", "1", Kind::rounded, "expected, random tables; empty where they are optimised"},
       {"replicates", "1", Kind::exact, "draws"}},
      {}};
  for (const Group& g : groups)
    for (const char* tables : {"split", "within", "joint", "released"}) {
      const Coordinates& r = g.first();
      const std::size_t v = size_at(r, "v"), l = size_at(r, "l"), d = size_at(r, "d");
      const std::size_t width = theory::best_split(v, l, d);
      const Estimate residual = mean_of(g.values(tables));
      table.add(
          {at(r, "v"), at(r, "l"), at(r, "d"), g.mean("width"), std::string(tables), residual.value,
           number_or_nan(residual.low), number_or_nan(residual.high),
           std::string(tables) == "split" ? theory::split_residual(v, l, d - width, width) : std::nan(""),
           whole(g.rows.size())});
    }
  return table;
}

void add_containment(const std::vector<CellRecords>& cells, Findings& findings) {
  double worst = 0;
  std::uint64_t n = 0;
  for (const Coordinates& r : records_of(cells, "containment")) {
    worst = std::max({worst, number_at(r, "difference"), number_at(r, "residual_difference")});
    ++n;
  }
  findings.push_back(
      finding("A4", "containment", {}, {worst},
              {.theory = 0.0,
               .n = n,
               .kind = Kind::rounded,
               .meaning = "Largest relative difference between the fitted scores of a concatenation "
                          "and of sums of words and positions in orthogonal subspaces."}));
}

void add_joint(const std::vector<Group>& groups, Findings& findings) {
  double rise = 0;
  std::uint64_t paths = 0;
  for (const Group& g : groups) {
    const Coordinates& r = g.first();
    const Coordinates place{{"v", at(r, "v")}};
    const std::vector<double> split = g.values("split"), joint = g.values("joint"),
                              within = g.values("within"), released = g.values("released");
    std::vector<double> gain, released_gain;
    for (std::size_t i = 0; i < split.size(); ++i) {
      gain.push_back(split[i] - joint[i]);
      released_gain.push_back(within[i] - released[i]);
      rise = std::max(rise, number_at(g.rows[i], "rise"));
      paths += 3;
    }
    const auto add = [&](const char* name, const std::vector<double>& values, std::optional<double> line,
                         const char* meaning) {
      findings.push_back(
          finding("A4", name, place, mean_of(values),
                  {.theory = line, .n = values.size(), .kind = Kind::sampled, .meaning = meaning}));
    };
    const std::size_t v = size_at(r, "v"), l = size_at(r, "l"), d = size_at(r, "d"),
                      width = theory::best_split(v, l, d);
    add("split", split, theory::split_residual(v, l, d - width, width),
        "Residual of the best split of random tables; theory: leading order.");
    add("joint", joint, {}, "Residual once words and positions are optimised together, from the best split.");
    add("within", within, {}, "Residual once both are optimised, each in the split's own dimensions.");
    add("joint_gain", gain, 0.0, "Residual of the best split less that of the joint optimum from it.");
    add("released_gain", released_gain, 0.0,
        "Residual of the split with optimised tables less that of the joint optimum from it.");
  }
  findings.push_back(
      finding("A4", "worst_rise", {}, {rise},
              {.theory = 0.0,
               .n = paths,
               .kind = Kind::rounded,
               .meaning = "Largest rise of the residual in any step from the split: none, or adding "
                          "would end worse."}));
}

/// Best end over the starts, draw by draw, against the split of the same draw.
void add_alone(const std::vector<CellRecords>& cells, Findings& findings) {
  for (const Group& g : groups_of(cells, "alone", "start", {"v", "power"})) {
    const Coordinates& r = g.first();
    std::vector<double> begin, best, excess;
    double spread = 0;
    for (const Group& one : groups_of(cells, "alone", "start", {"v", "power", "replicate"})) {
      if (to_text(at(one.first(), "v")) != to_text(at(r, "v")) ||
          integer_at(one.first(), "power") != integer_at(r, "power"))
        continue;
      const std::vector<double> ends = one.values("end");
      best.push_back(*std::min_element(ends.begin(), ends.end()));
      excess.push_back(best.back() - number_at(one.first(), "split"));
      begin.push_back(number_at(one.first(), "begin"));
      spread = std::max(spread, *std::max_element(ends.begin(), ends.end()) - best.back());
    }
    const Coordinates place{{"v", at(r, "v")}, {"power", at(r, "power")}};
    const auto add = [&](const char* name, Estimate estimate, std::optional<double> line, std::uint64_t n,
                         const char* meaning) {
      findings.push_back(
          finding("A4", name, place, estimate,
                  {.theory = line, .unit = "share", .n = n, .kind = Kind::sampled, .meaning = meaning}));
    };
    add("begin", mean_of(begin),
        theory::added_residual(size_at(r, "v"), size_at(r, "l"), size_at(r, "d"), number_at(r, "power")),
        begin.size(), "Residual of words and random positions added; theory: closed form.");
    add("alone", mean_of(best), {}, best.size(),
        "Residual once positions of this power are optimised, words fixed at full width; best of five "
        "starts.");
    add("excess", mean_of(excess), 0.0, excess.size(),
        "That residual less the best split's; above 0 the split is not reached.");
    add("spread", {spread}, {}, g.rows.size(), "Largest difference between the ends of five starts.");
  }
}

/// Contained: equal scores in orthogonal subspaces. What an encoding can do about it, words being what they
/// are, is where that ends.
Rule rule() {
  const auto alone = [](const ContainSize& size) {
    return Condition{
        .finding = fmt::format("A4.excess.v{}.power1", size.words),
        .is = Is::below,
        .bound = 0.0,
        .role = Role::limit,
        .evidence = Evidence::simulation,
        .levels = {{"free", "positions alone"},
                   {"V : L", fmt::format("{} : {}", size.words, size.positions)}},
        .says = fmt::format("residual of optimised positions of the words' power, words fixed, less the best "
                            "split's, V : L = {} : {}",
                            size.words, size.positions),
        .needs = "at least 8 seeds"};
  };
  return {{.finding = "A4.containment",
           .is = Is::below,
           .bound = same_scores,
           .evidence = Evidence::theorem,
           .levels = {{"free", "words and positions"}},
           .says = "largest relative difference between a concatenation's scores and those of sums in "
                   "orthogonal subspaces"},
          alone(contain_sizes[2]),
          alone(contain_sizes[0])};
}

/// "above by 0.010": a residual against the best split's.
std::string against_split(double excess) {
  return fmt::format("{:.3f} {}", std::abs(excess), excess > 0 ? "above" : "below");
}

std::string condition_of(const Findings& findings) {
  std::string text =
      fmt::format("words and positions in orthogonal subspaces score like their concatenation, to {:.0e}",
                  find(findings, "A4.containment")->value);
  const Finding *few = find(findings, "A4.excess.v60.power1"),
                *many = find(findings, "A4.excess.v300.power1");
  if (few && many)
    text += fmt::format(
        "; positions alone, words fixed, end {} the best split's residual at V : L = 60 : 12, {} at 300 : 32",
        against_split(few->value), against_split(many->value));
  return text;
}

}  // namespace

Outcome summarise_contains(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  const std::vector<Group> joint = groups_of(cells, "joint", "joint", {"v"});
  outcome.tables = {start_table(groups_of(cells, "alone", "start", {"v", "power", "from"})),
                    path_table(cells), joint_table(joint)};
  add_containment(cells, outcome.findings);
  add_joint(joint, outcome.findings);
  add_alone(cells, outcome.findings);

  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings);
  outcome.matters =
      "where both tables are trained, nothing of a concatenation is out of reach of sums; a table of "
      "positions beside fixed words has less room";
  return outcome;
}

}  // namespace perp::capacity
