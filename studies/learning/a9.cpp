// A9: a trained model keeps word and position apart. Their angles, what attention makes of them, and who can
// still read them, after training beside before.

#include "studies/learning/a9_terms.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/looks.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;
const auto as_in_terms = exact("task", "as in a9_terms.csv", &Run::task);

/// Share read from which on a probe reads.
constexpr double read_share = 0.9;

// ---- overlap of words and positions

/// Where positions are added; beside the same seed's before training, and beside its model without positions.
struct Turned : Geometry {
  double own;    ///< overlap with the positions of step 0, over what it was before training
  double alone;  ///< of the words of the model without positions with the same

  /// What training did to the overlap, less what it does where there is nothing to turn from.
  double ratio() const { return own / alone; }
};
using Turning = Group<Turned>;

std::vector<Turned> turned_of(const std::vector<Geometry>& rows) {
  const Looks looks(rows);
  std::vector<Turned> turned;
  for (const Geometry& row : rows) {
    if (row.arm != "add") continue;
    const Run alone = without_positions(row);
    turned.push_back(
        {row, first_overlap(row, row) / first_overlap(row, looks.at(row, 0)),
         first_overlap(row, looks.at(alone, row.step)) / first_overlap(row, looks.at(alone, 0))});
  }
  return turned;
}

constexpr const char* turned_meaning =
    "Overlap of words with the positions of step 0 over that before training, relative to the same seed's "
    "model without positions";

void add_overlaps(const std::vector<Turned>& turned, Summary& summary) {
  const auto column = seed_columns<Turned>;
  const auto ratio = column("ratio", "1", turned_meaning, &Turned::ratio).chance(1);
  summary.table(
      "a9_overlap.csv", group_by(turned, setting, &Turned::step),
      {as_in_terms, positions, width, step,
       exact("moment", "before, during or after training",
             [](const Turned& at) {
               return at.step == 0 ? "before" : at.step == at.steps ? "after" : "during";
             }),
       column("overlap", "1", "of words and positions, centred; chance 1", &Turned::overlap),
       column("own", "1", "overlap with the positions of step 0 over the same before training", &Turned::own),
       column("alone", "1", "the same of the words of the seed's model without positions", &Turned::alone),
       ratio, column("cosine", "1", "mean cosine of words and positions; chance 0", &Turned::cosine),
       rows_in<Turned>("seeds", "runs")});
  const std::vector<Turned> after = where(turned, [](const Turned& at) { return at.step == at.steps; });
  summary.table(
      "a9_overlap_seeds.csv", after,
      {as_in_terms, positions, width, seed, sampled("overlap", "of words and positions", &Turned::overlap),
       sampled("own", "as in a9_overlap.csv", &Turned::own), sampled("alone", "likewise", &Turned::alone),
       sampled("ratio", "likewise", &Turned::ratio)});
  const auto ends = group_by(after, setting);
  const auto finding = ratio.as("overlap_ratio", ratio.about().meaning);
  for (const Turning& seeds : ends) add_at(place(seeds.front()), seeds, "A9", {finding}, summary);
  for (const char* positions : judged_positions)
    add_over_tasks("overlap_ratio", all_tasks(positions), ends, &Turned::ratio, 1, turned_meaning, summary);
}

// ---- what a linear reader finds

using Probes = Group<Probe>;

void add_probes(const std::vector<Probes>& probes, Summary& summary) {
  const auto column = seed_columns<Probe>;
  const auto position =
      column("position", "share",
             "share of tokens whose position is read linearly (theory: by who knows the word alone)",
             &Probe::position)
          .theory([](const Probes& of) { return over_seeds(of, &Probe::position_chance).value; });
  summary.table(
      "a9_probes.csv", probes,
      {as_in_terms, arm, positions, p, width, exact("moment", "before or after training", &Probe::moment),
       exact("read_from", "input: what enters the first block; output: what leaves the last", &Probe::where),
       column("word", "share", "share of tokens whose word is read linearly", &Probe::word),
       column("word_chance", "share", "the same by who knows the token's position alone",
              &Probe::word_chance),
       position,
       column("position_chance", "share", "the same by who knows the token's word alone",
              &Probe::position_chance),
       rows_in<Probe>("seeds", "runs; 4,096 tokens to learn from and to test on each")});
  std::vector<Probe> rows;
  for (const Probes& seeds : probes) {
    rows.insert(rows.end(), seeds.begin(), seeds.end());
    const Probe& at = seeds.front();
    if (at.task != "copy2" || at.arm != "add" || at.moment != "after" || at.where != "output") continue;
    Coordinates of = place(at);
    of.emplace_back("moment", at.moment);
    of.emplace_back("where", at.where);
    add_at(of, seeds, "A9", {position.unit("1")}, summary);
  }
  summary.table(
      "a9_seeds.csv", rows,
      {as_in_terms, arm, positions, p, width, exact("moment", "before or after training", &Probe::moment),
       exact("read_from", "as in a9_probes.csv", &Probe::where), seed,
       sampled("word", "likewise", &Probe::word).unit("share"),
       sampled("position", "likewise", &Probe::position).unit("share")});
}

// ---- over all tasks, and the rule

/// "word.all.add.centred.width32.after.input"
Coordinates probe_place(std::string_view positions) {
  Coordinates at = place(all_tasks(positions));
  at.emplace_back("moment", "after");
  at.emplace_back("where", "input");
  return at;
}

/// What a linear reader finds at the input.
void add_pooled(const std::vector<Probes>& probes, std::string_view positions, Summary& summary) {
  const auto inputs = where(probes, [&](const Probes& seeds) {
    return seeds.front().where == "input" && seeds.front().moment == "after";
  });
  for (const auto& [what, share] : {std::pair{"word", &Probe::word}, {"position", &Probe::position}})
    add_over_tasks(what, probe_place(positions), over_tasks(inputs, all_tasks(positions), share), NAN,
                   fmt::format("Share of tokens whose {} is read linearly from the sum after training", what),
                   summary);
}

std::string said(std::string_view positions) {
  return positions == "centred" ? "centred sinusoidal" : "learned";
}

/// The overlap is O4's, with the arm's own positions before the first step, so that a table that turns with
/// the words does not hide what they do.
Condition apart(Role role, const Run& run) {
  Levels levels{{"measure", "overlap"}, {"positions", said(run.positions)}};
  if (run.task != "all") levels.emplace_back("task", run.task);
  return condition(role, finding_id("A9", "overlap_ratio", place(run)).substr(3), Is::below, 1.0,
                   Evidence::trained, levels, {}, eight_seeds);
}

Rule rule() {
  Rule rule;
  for (const char* positions : judged_positions)
    for (const char* what : {"word", "position"})
      rule.push_back(condition(Role::core, finding_id("A9", what, probe_place(positions)).substr(3),
                               Is::above, read_share, Evidence::trained,
                               {{"measure", fmt::format("{} probe", what)}, {"positions", said(positions)}},
                               {}, eight_seeds));
  for (const char* positions : judged_positions) rule.push_back(apart(Role::core, all_tasks(positions)));
  for (const char* positions : judged_positions)
    for (const std::string_view task : tasks) {
      Run run = all_tasks(positions);
      run.task = task;
      rule.push_back(apart(Role::limit, run));
    }
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto probes = group_by(in_order<Probe>(cells), setting, &Probe::moment, &Probe::where);
  add_overlaps(turned_of(in_order<Geometry>(cells)), summary);
  add_score_terms(cells, summary);
  add_probes(probes, summary);
  for (const char* positions : judged_positions) add_pooled(probes, positions, summary);
  summary.rule = rule();
}

}  // namespace

Experiment kept_apart(const Options& options) {
  Experiment claim = claim_on_runs("A9", "A trained model keeps word and position apart.", "[b, a]",
                                   {looked_at_runs(options)}, {});
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::learning
