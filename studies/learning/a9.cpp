// A9: a trained model keeps word and position apart. How far training turns words and the positions added to them
// apart, beside a model that learns the same and has no positions beside its words; what attention makes of the
// two; and what a linear reader finds of them, after training beside before.

#include <cmath>
#include <set>

#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/looks.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;

/// Share read from which on a probe reads; overlap, of 1 by chance, below which two tables are nearly
/// orthogonal, as in O4.
constexpr double read_share = 0.9, clearly_less = 0.5;

// ---- the overlap of words and positions

/// Where positions are added; beside the same seed's before training, and beside its RoPE model.
struct Turned : Geometry {
  double own;   ///< overlap with the positions of step 0, over what it was before training
  double rope;  ///< of the RoPE model's words with the same; NaN unless that learned the task

  /// What training did to the overlap, less what learning does where there is nothing to turn from.
  double ratio() const { return own / rope; }
};
using Turning = Group<Turned>;

std::vector<Turned> turned_of(const std::vector<Geometry>& rows, const std::vector<Trained>& ends) {
  const Looks looks(rows);
  const auto key = [](const Run& run) { return std::pair(setting(run), run.seed); };
  std::set<decltype(key({}))> learned;
  for (const Trained& end : ends)
    if (end.learned()) learned.insert(key(end));
  std::vector<Turned> turned;
  for (const Geometry& row : rows) {
    if (row.arm != "add") continue;
    const auto over_before = [&](const Run& run) {
      return first_overlap(row, looks.at(run, row.step)) / first_overlap(row, looks.at(run, 0));
    };
    const Run rope = without_positions(row, "rotary");
    turned.push_back({row, over_before(row), learned.contains(key(rope)) ? over_before(rope) : NAN});
  }
  return turned;
}

void add_overlaps(const std::vector<Turned>& turned, Summary& summary) {
  const auto column = seed_columns<Turned>;
  summary.table(
      "a9_overlap.csv", group_by(turned, setting, &Turned::step),
      {task, positions, width, step,
       column("own", "1", "overlap with the positions of step 0 over the same before training", &Turned::own),
       column("rope", "1", "the same of the words of the seed's RoPE model, of those that learn the task",
              &Turned::rope),
       rows_in<Turned>("seeds", "runs"),
       sampled("pairs", "of them, seeds whose RoPE model learns the task",
               [](const Turning& seeds) { return measured(seeds, &Turned::rope).size(); })});
  const auto before = group_by(only(turned, &Turned::step, std::size_t{0}), setting),
             after = group_by(where(turned, [](const Turned&at) { return at.step == at.steps; }), setting);
  constexpr const char* turned_meaning =
      "Overlap of words with the positions of step 0 over that before training, relative to the same seed's "
      "RoPE model, where that learns the task";
  const auto ratio = seed_columns<Turned>("overlap_ratio", "1", turned_meaning, &Turned::ratio).chance(1);
  for (const Turning& seeds : after)
    if (most_have(seeds, &Turned::ratio)) add_at(place(seeds.front()), seeds, "A9", {ratio}, summary);
  for (const char* positions : judged_positions) {
    const Run all = all_tasks(positions);
    add_over_strata("overlap_ratio", place(all), task_strata(after, all, &Turned::ratio), 1, turned_meaning,
                    summary);
    add_over_tasks("overlap_after", all, after, &Geometry::overlap, 1,
                   "Overlap of the centred covariances of words and positions (1 by chance) after training",
                   summary);
  }
  for (const auto& [moment, groups] : {std::pair{"before", &before}, {"after", &after}})
    add_over_tasks(fmt::format("leading_{}", moment), all_tasks("learned"), *groups, &Geometry::leading, 1,
                   fmt::format("Mean squared principal cosine of {} leading directions of the words and the "
                               "leading ones of the positions over its mean by chance, {} training",
                               leading_rank, moment),
                   summary);
}

// ---- what attention makes of words and positions

/// One seed's at one moment: shares of the sum of the four terms over all heads.
struct Terms : Run {
  std::string moment;
  double word_word, word_position, position_word, position_position;

  double mixed() const { return word_position + position_word; }
};

std::vector<Terms> terms_of(const std::vector<HeadScores>& scores) {
  std::vector<Terms> terms;
  for (const Group<HeadScores>& heads : group_by(scores, setting, &HeadScores::seed, &HeadScores::moment)) {
    const auto sum = [&](double HeadScores::*of) {
      double sum = 0;
      for (const HeadScores& head : heads) sum += head.*of;
      return sum;
    };
    const double ww = sum(&HeadScores::word_word), wp = sum(&HeadScores::word_position),
                 pw = sum(&HeadScores::position_word), pp = sum(&HeadScores::position_position),
                 all = ww + wp + pw + pp;
    terms.push_back({heads.front(), heads.front().moment, ww / all, wp / all, pw / all, pp / all});
  }
  return terms;
}

/// One seed's terms after training, and before.
struct Change : Terms {
  Terms before;
};

void add_terms(const std::vector<Terms>& terms, Summary& summary) {
  const auto share = [](const char* name, const char* pairs, double Terms::*of) {
    return seed_columns<Terms>(
        name, "share",
        fmt::format("{}, share of the sum of the four variances over all heads of the first block", pairs),
        of);
  };
  summary.table("a9_terms.csv", group_by(terms, setting, &Terms::moment),
                {task, arm, positions, p, width, exact("moment", "before or after training", &Terms::moment),
                 share("word_word", "query's word with key's word", &Terms::word_word),
                 share("word_position", "query's word with key's position", &Terms::word_position),
                 share("position_word", "query's position with key's word", &Terms::position_word),
                 rows_in<Terms>("seeds", "runs; the rest is positions with positions")});
  std::vector<Change> changes;
  for (const Group<Terms>& moments : group_by(terms, setting, &Terms::seed))
    changes.push_back({moments.at(1), moments.at(0)});
  /// Beside the mean before training.
  const auto after = [](const char* name, const char* meaning,
                        const std::function<double(const Terms&)>& of) {
    return seed_mean<Change>(name, meaning, of).theory([of](const Group<Change>& seeds) {
      return over_seeds(seeds, [of](const Change& seed) { return of(seed.before); }).value;
    });
  };
  const std::vector<ColumnOf<Group<Change>>> shares{
      after("mixed",
            "Share of words with positions and positions with words in the variance of the first block's "
            "scores after training, mean over seeds; theory: before training.",
            [](const Terms& of) { return of.mixed(); }),
      after("position_position", "Share of positions with positions, likewise.",
            [](const Terms& of) { return of.position_position; })};
  for (const Group<Change>& seeds : group_by(changes, setting))
    if (seeds.front().positions == "centred") add_at(place(seeds.front()), seeds, "A9", shares, summary);
}

// ---- what a linear reader finds

/// "all.add.centred.width32.after.input"
Coordinates probe_place(const Run& all) {
  Coordinates at = place(all);
  at.emplace_back("moment", "after");
  at.emplace_back("where", "input");
  return at;
}

/// After training, and before.
struct Read : Probe {
  Probe before;

  double gain() const { return position - before.position; }
};

void add_probes(const std::vector<Probe>& rows, Summary& summary) {
  std::vector<Read> all_reads;
  for (const Group<Probe>& moments : group_by(rows, setting, &Probe::seed))
    all_reads.push_back({moments.at(1), moments.at(0)});
  const auto reads = group_by(all_reads, setting);
  for (const char* positions : judged_positions) {
    const Run all = all_tasks(positions);
    for (const auto& [what, share] : {std::pair{"word", &Probe::word}, {"position", &Probe::position}})
      add_over_strata(
          what, probe_place(all), task_strata(reads, all, share), NAN,
          fmt::format("Share of tokens whose {} is read linearly from the sum after training", what),
          summary);
    add_over_tasks(
        "position_gain", all, reads, [](const Read& read) { return read.gain(); }, 0,
        "Share of tokens whose position is read linearly from the sum, after less before training, "
        "paired by seed",
        summary);
  }
}

// ---- the rule

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
  add_overlaps(turned_of(in_order<Geometry>(cells), rows_of<Trained>(cells)), summary);
  add_terms(terms_of(in_order<HeadScores>(cells)), summary);
  // RoPE has no position in the sum.
  add_probes(where(in_order<Probe>(cells), [](const Probe& at) { return at.arm != "rotary"; }), summary);
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
