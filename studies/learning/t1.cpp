// T1, evidence for O4: whether words and positions that were trained together share less than half of the
// directions that chance has them share.

#include <cmath>

#include "perp/theory/angles.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;

/// Nearer to orthogonal than chance, as O4 has it: an overlap below this, of 1 by chance.
constexpr double clearly_less = 0.5;

/// Directions of each that stand for all pairs of ranks.
constexpr std::size_t shown_rank = 8;

std::string overlap_id(const char* moment, const char* positions) {
  return finding_id("T1", fmt::format("overlap_{}", moment), place(all_tasks(positions)));
}

const char* moment_of(std::size_t at, std::size_t all) {
  return at == 0 ? "before" : at == all ? "after" : 2 * at == all ? "half-way" : "during";
}

/// Where positions are added; beside the same seed's model without positions.
struct Turning : Geometry {
  /// Overlap of the words of the model without positions, after as many steps, with the positions that this
  /// one starts from.
  double alone;

  const char* moment() const { return moment_of(step, steps); }
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

using Meetings = Group<Meeting>;

/// Of the directions that stand for all, a finding for each end and moment; the others in the table.
void add_meetings(const std::vector<Meeting>& rows, Summary& summary) {
  const auto pairs = group_by(rows, setting, &Meeting::step, &Meeting::end, &Meeting::k, &Meeting::r);
  const auto null = [](const Meeting& at) { return theory::mean_cosine_squared_null(at.width, at.k, at.r); };
  summary.table("t1_ranks.csv", pairs,
                {task, positions, width, exact("step", "steps of training", &Meeting::step).unit("steps"),
                 exact("moment", "before, half-way through or after training",
                       [](const Meeting& at) { return moment_of(at.step, at.steps); }),
                 exact("end", "of the words' spectrum: leading or trailing directions", &Meeting::end),
                 exact("k", "directions of the centred words", &Meeting::k),
                 exact("r", "leading directions of the centred positions", &Meeting::r),
                 seed_columns<Meeting>("ratio", "1",
                                       "mean squared principal cosine over max(k, r)/d, its mean by chance",
                                       &Meeting::ratio),
                 exact("chance_sd", "its standard deviation by chance, one seed",
                       [=](const Meeting& at) { return null(at).sd / null(at).mean; }),
                 rows_in<Meeting>("seeds", "runs")});
  for (const char* end : {"leading", "trailing"})
    for (const char* moment : {"before", "after"})
      for (const JudgedPositions& positions : judged_positions) {
        const auto groups = where(pairs, [&](const Meetings& seeds) {
          const Meeting& at = seeds.front();
          return at.end == end && at.k == shown_rank && at.r == shown_rank &&
                 moment_of(at.step, at.steps) == std::string_view(moment);
        });
        const Run all = all_tasks(positions.id);
        if (const std::optional<Estimate> pooled = over_tasks(groups, tasks, all, &Meeting::ratio))
          summary.number(fmt::format("{}_{}", end, moment), place(all), *pooled,
                         {.theory = 1.0,
                          .n = pooled->spread->replicates * tasks.size(),
                          .kind = Kind::sampled,
                          .meaning = fmt::format(
                              "Mean squared principal cosine of {} {} directions of the words and the "
                              "leading ones of the positions over its mean by chance, {} training, "
                              "mean over tasks and seeds.",
                              shown_rank, end, moment)});
      }
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
       seed_columns<Turning>("floor", "1", "the least that turning one of the tables could make of it",
                             &Turning::overlap_floor),
       seed_columns<Turning>("orders_from", "1", "99.5 % of random orders of one table's coordinates give more",
                             &Turning::permuted_low),
       seed_columns<Turning>("orders_to", "1", "99.5 % of them give less", &Turning::permuted_high),
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
      if (const auto floor = over_tasks(groups, tasks, all, &Geometry::overlap_floor); floor && !before)
        summary.number(
            "floor_after", place(all), *floor,
            {.n = floor->spread->replicates * tasks.size(),
             .kind = Kind::sampled,
             .meaning = "The least that turning one of the two tables after training could make of their "
                        "overlap, for their spectra, mean over tasks and seeds."});
    }
  add_meetings(in_order<Meeting>(cells), summary);
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
