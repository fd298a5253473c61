// T1, evidence for O4: whether words and positions that were trained together share less than half of the
// directions that chance has them share.

#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;

/// Nearer to orthogonal than chance, as O4 has it: an overlap below this, of 1 by chance.
constexpr double clearly_less = 0.5;

std::string overlap_id(const char* moment, const char* positions) {
  return finding_id("T1", fmt::format("overlap_{}", moment), place(all_tasks(positions)));
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Geometry> added = where(in_order<Geometry>(cells), [](const Geometry& at) {
    return at.arm == "add" && (at.step == 0 || at.step == at.steps);
  });
  const auto ends = group_by(added, setting, &Geometry::step);
  summary.table(
      "t1_overlap.csv", ends,
      {task, positions, width, step,
       seed_columns<Geometry>("overlap", "1", "of words and positions, centred; chance 1",
                              &Geometry::overlap),
       seed_columns<Geometry>("chance_sd", "1", "its standard deviation, one table turned at random",
                              &Geometry::overlap_sd),
       rows_in<Geometry>("seeds", "runs")});
  for (const bool before : {true, false})
    for (const JudgedPositions& positions : judged_positions) {
      const auto groups =
          where(ends, [&](const Group<Geometry>& seeds) { return (seeds.front().step == 0) == before; });
      const Run all = all_tasks(positions.id);
      if (const std::optional<Estimate> pooled = over_tasks(groups, tasks, all, &Geometry::overlap))
        summary.number(
            before ? "overlap_before" : "overlap_after", place(all), *pooled,
            {.theory = 1.0,
             .n = pooled->spread->replicates * tasks.size(),
             .kind = Kind::sampled,
             .meaning = fmt::format("Overlap of the centred covariances of words and positions, {} training, "
                                    "mean over tasks and seeds; chance: one table turned at random.",
                                    before ? "before" : "after")});
    }
  for (const JudgedPositions& positions : judged_positions)
    summary.rule.push_back(
        condition(Role::core, overlap_id("after", positions.id).substr(3), Is::below, clearly_less,
                  Evidence::trained, {{"evidence", "trained here"}, {"positions", positions.id}},
                  fmt::format("overlap of words and {} after training, centred; 1 by chance", positions.says),
                  "eight seeds of every task: preset full"));
  const auto number = [&](const char* moment, const char* positions) {
    const Finding* found = find(summary.findings, overlap_id(moment, positions));
    return found ? fmt::format("{:.2f}", found->value) : std::string("unmeasured");
  };
  summary.condition = fmt::format(
      "the overlap goes from {} to {} with the centred sinusoid added, from {} to {} with learned positions",
      number("before", "centred"), number("after", "centred"), number("before", "learned"),
      number("after", "learned"));
  summary.matters =
      fmt::format("trained for hundreds of steps at d = {}, on tasks of few words", judged_width);
}

}  // namespace

Experiment turned_apart(const Options& options) {
  Experiment claim = claim_on_runs("T1",
                                   "Trained together, words and positions share less than half of the "
                                   "directions that chance has them share.",
                                   "[b]", {looked_at_runs(options)}, {});
  claim.conclude(conclude);
  return evidence_for("O4", std::move(claim));
}

}  // namespace perp::learning
