// T1, evidence for O4: whether words and positions that were trained together share less than half of the
// directions that chance has them share.

#include <cmath>

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

/// Where positions are added; beside the same seed's model without positions.
struct Turning : Geometry {
  /// Overlap of the words of the model without positions, after as many steps, with the positions that this
  /// one starts from.
  double alone;

  const char* moment() const {
    return step == 0 ? "before" : step == steps ? "after" : 2 * step == steps ? "half-way" : "during";
  }
};

std::vector<Turning> turning(const std::vector<Geometry>& rows) {
  std::vector<Turning> added;
  for (const Geometry& row : rows) {
    if (row.arm != "add") continue;
    const auto other = std::ranges::find_if(rows, [&](const Geometry& at) {
      return at.arm == "none" && at.task == row.task && at.width == row.width && at.seed == row.seed &&
             at.step == row.step;
    });
    const auto first = row.positions == "learned" ? &Geometry::overlap_learned : &Geometry::overlap_centred;
    added.push_back({row, other == rows.end() ? NAN : (*other).*first});
  }
  return added;
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Turning> added = turning(in_order<Geometry>(cells));
  summary.table(
      "t1_overlap.csv", group_by(added, setting, &Geometry::step),
      {task, positions, width, step,
       exact("moment", "before, during or after training, or half-way", &Turning::moment),
       seed_columns<Turning>("overlap", "1", "of words and positions, centred; chance 1", &Turning::overlap),
       seed_columns<Turning>("chance_sd", "1", "its standard deviation, one table turned at random",
                             &Turning::overlap_sd),
       seed_columns<Turning>(
           "alone", "1", "of the words of the seed's model without positions with these positions of step 0",
           &Turning::alone),
       rows_in<Turning>("seeds", "runs")});
  const auto ends =
      group_by(where(added, [](const Turning& at) { return at.step == 0 || at.step == at.steps; }), setting,
               &Geometry::step);
  for (const bool before : {true, false})
    for (const JudgedPositions& positions : judged_positions) {
      const auto groups =
          where(ends, [&](const Group<Turning>& seeds) { return (seeds.front().step == 0) == before; });
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
