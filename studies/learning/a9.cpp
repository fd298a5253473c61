// A9: a trained model keeps word and position apart. Their angles, what attention makes of them, and who can
// still read them, after training beside before.

#include "studies/learning/a9.hpp"

#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;
const auto as_in_terms = exact("task", "as in a9_terms.csv", &Run::task);

/// Share read from which on a probe reads; overlap, of 1 by chance, below which two tables are nearly
/// orthogonal, as in O4.
constexpr double read_share = 0.9, clearly_less = 0.5;

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

/// "all.add.centred.width32.after.input"
Coordinates probe_place(const Run& all) {
  Coordinates at = place(all);
  at.emplace_back("moment", "after");
  at.emplace_back("where", "input");
  return at;
}

/// What a linear reader finds at the input after training, and before.
struct Read : Probe {
  Probe before;
};

std::vector<Group<Read>> reads_of(const std::vector<Probe>& rows) {
  std::vector<Read> reads;
  for (const Probes& moments :
       group_by(where(rows, [](const Probe& at) { return at.where == "input"; }), setting, &Probe::seed))
    reads.push_back({moments.at(1), moments.at(0)});
  return group_by(reads, setting);
}

void add_pooled(const std::vector<Group<Read>>& reads, std::string_view positions, Summary& summary) {
  const Run all = all_tasks(positions);
  for (const auto& [what, share] : {std::pair{"word", &Probe::word}, {"position", &Probe::position}}) {
    add_over_strata(
        what, probe_place(all), task_strata(reads, all, share), NAN,
        fmt::format("Share of tokens whose {} is read linearly from the sum after training", what), summary);
    const auto gain = [share = share](const Read& read) { return read.*share - read.before.*share; };
    add_over_tasks(fmt::format("{}_gain", what), all, reads, gain, 0,
                   fmt::format("Share of tokens whose {} is read linearly from the sum, after less before "
                               "training, paired by seed",
                               what),
                   summary);
  }
}

std::string said(std::string_view positions) {
  return positions == "centred" ? "centred sinusoidal" : "learned";
}

Condition below(Role role, const char* measure, const Run& run, double bound, const char* needs) {
  Levels levels{{"measure", measure == std::string_view("overlap_ratio") ? "turning" : "overlap"},
                {"positions", said(run.positions)}};
  if (run.task != "all") levels.emplace_back("task", run.task);
  return condition(role, finding_id("A9", measure, place(run)).substr(3), Is::below, bound, Evidence::trained,
                   levels, {}, needs);
}

/// How far words turn is read off the positions before the first step, so that a table that turns with the
/// words does not hide what they do.
Rule rule() {
  constexpr const char* learners = "preset full, and eight seeds whose RoPE model learns the task";
  Rule rule;
  for (const char* positions : judged_positions)
    for (const char* what : {"word", "position"})
      rule.push_back(condition(
          Role::core, finding_id("A9", what, probe_place(all_tasks(positions))).substr(3), Is::above,
          read_share, Evidence::trained,
          {{"measure", fmt::format("{} probe", what)}, {"positions", said(positions)}}, {}, eight_seeds));
  for (const char* positions : judged_positions)
    rule.push_back(below(Role::core, "overlap_ratio", all_tasks(positions), 1, learners));
  for (const char* positions : judged_positions)
    rule.push_back(below(Role::core, "overlap_after", all_tasks(positions), clearly_less, eight_seeds));
  for (const char* positions : judged_positions)
    for (const std::string_view task : tasks) {
      Run run = all_tasks(positions);
      run.task = task;
      rule.push_back(below(Role::limit, "overlap_ratio", run, 1, learners));
    }
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  // RoPE has no position in the sum.
  const auto rows = where(in_order<Probe>(cells), [](const Probe& at) { return at.arm != "rotary"; });
  add_overlaps(cells, summary);
  add_score_terms(cells, summary);
  add_probes(group_by(rows, setting, &Probe::moment, &Probe::where), summary);
  for (const char* positions : judged_positions) add_pooled(reads_of(rows), positions, summary);
  summary.rule = rule();
}

}  // namespace

Experiment kept_apart(const Options& options) {
  Experiment claim = claim_on_runs("A9", "A trained model keeps word and position apart.", "[b, a]",
                                   {looked_at_runs(options), control_runs(options)}, {});
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::learning
