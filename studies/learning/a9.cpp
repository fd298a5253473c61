// A9: a trained model keeps word and position apart. Their angles, what attention makes of them, and who can
// still read them, after training beside before.

#include "perp/study/display_name.hpp"
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

void add_overlaps(const std::vector<Turned>& turned, Summary& summary) {
  const auto column = seed_columns<Turned>;
  const auto ratio = column(
      "ratio", "1", "own over alone, seed by seed; below 1: words turn away from positions", &Turned::ratio);
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
  const auto finding =
      ratio.chance(1).as("overlap_ratio",
                         "Overlap of words with the positions of step 0, after training over before, "
                         "relative to the same seed's model "
                         "without positions, mean over seeds; below chance: words turn away from positions.");
  for (const Turning& seeds : ends) add_at(place(seeds.front()), seeds, "A9", {finding}, summary);
  for (const char* positions : {"centred", "learned"}) {
    const Run all = all_tasks(positions);
    add_over_tasks(
        "overlap_ratio", place(all), over_tasks(ends, all, &Turned::ratio), 1,
        "Overlap of words with the positions of step 0, after training over before, relative to the "
        "same seed's model without positions, mean over tasks and seeds.",
        summary);
  }
}

// ---- what a linear reader finds

using Probes = Group<Probe>;

void add_probes(const std::vector<Probes>& probes, Summary& summary) {
  const char *word_meaning = "tokens whose word is read right",
             *position_meaning = "tokens whose position is read right";
  const auto column = seed_columns<Probe>;
  const auto position = column("position", "share", position_meaning, &Probe::position);
  summary.table(
      "a9_probes.csv", probes,
      {as_in_terms, arm, positions, p, width, exact("moment", "before or after training", &Probe::moment),
       exact("read_from", "input: what enters the first block; output: what leaves the last", &Probe::where),
       column("word", "share", word_meaning, &Probe::word),
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
    add_at(of, seeds, "A9",
           {position.unit("1")
                .as("position",
                    "Share of tokens whose position is read linearly, mean over seeds; chance: by who knows "
                    "the word alone.")
                .theory([](const Probes& of) { return over_seeds(of, &Probe::position_chance).value; })},
           summary);
  }
  summary.table(
      "a9_seeds.csv", rows,
      {as_in_terms, arm, positions, p, width, exact("moment", "before or after training", &Probe::moment),
       exact("read_from", "as in a9_probes.csv", &Probe::where), seed,
       sampled("word", word_meaning, &Probe::word).unit("share"),
       sampled("position", position_meaning, &Probe::position).unit("share")});
}

// ---- over all tasks, and the rule

constexpr std::array<JudgedPositions, 2> judged{{{"centred", "centred sinusoidal"}, {"learned", "learned"}}};

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
                   fmt::format("Share of tokens whose {} is read linearly from the sum after training, mean "
                               "over tasks and seeds.",
                               what),
                   summary);
}

/// The overlap is O4's, with the arm's own positions before the first step, so that a table that turns with
/// the words does not hide what they do.
Condition apart(Role role, const Run& run, const JudgedPositions& positions) {
  Levels levels{{"measure", "overlap"}, {"positions", positions.says}};
  if (run.task != "all") levels.emplace_back("task", run.task);
  return condition(
      role, finding_id("A9", "overlap_ratio", place(run)).substr(3), Is::below, 1.0, Evidence::trained,
      levels,
      fmt::format(
          "overlap of words with {} positions, after training over before, relative to no positions, "
          "{}, d = {}",
          positions.says,
          run.task == "all" ? "mean over tasks" : fmt::format("task “{}”", display_name(run.task, "task")),
          judged_width),
      "eight seeds of every task: preset full");
}

Rule rule() {
  Rule rule;
  for (const JudgedPositions& positions : judged)
    for (const char* what : {"word", "position"})
      rule.push_back(condition(Role::core, finding_id("A9", what, probe_place(positions.id)).substr(3),
                               Is::above, read_share, Evidence::trained,
                               {{"measure", fmt::format("{} probe", what)}, {"positions", positions.says}},
                               fmt::format("share of tokens whose {} a linear probe finds in the sum, {} "
                                           "positions, mean over tasks, d = {}",
                                           what, positions.says, judged_width),
                               "eight seeds of every task: preset full"));
  for (const JudgedPositions& positions : judged)
    rule.push_back(apart(Role::core, all_tasks(positions.id), positions));
  for (const JudgedPositions& positions : judged)
    for (const std::string_view task : tasks) {
      Run run = all_tasks(positions.id);
      run.task = task;
      rule.push_back(apart(Role::limit, run, positions));
    }
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto probes = group_by(in_order<Probe>(cells), setting, &Probe::moment, &Probe::where);
  add_overlaps(turned_of(in_order<Geometry>(cells)), summary);
  add_score_terms(cells, summary);
  add_probes(probes, summary);
  for (const JudgedPositions& positions : judged) add_pooled(probes, positions.id, summary);
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
