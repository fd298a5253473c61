// T1, evidence for O4: whether words and positions that were trained together overlap less than half as much
// as by chance.

#include <cmath>

#include "perp/theory/angles.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/looks.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;

/// Nearer to orthogonal than chance, as O4 has it: an overlap below this, of 1 by chance.
constexpr double clearly_less = 0.5;

/// Directions of each that stand for all pairs of ranks.
constexpr std::size_t shown_rank = 8;

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
  const Looks looks(rows);
  std::vector<Turning> added;
  for (const Geometry& row : rows)
    if (row.arm == "add")
      added.push_back({row, first_overlap(row, looks.at(without_positions(row), row.step))});
  return added;
}

using Meetings = Group<Meeting>;

/// One pair of ranks, mean over tasks and seeds.
struct Ranks {
  std::string positions, end;
  std::size_t k, r;
  Estimate before, after;
};

std::vector<Ranks> over_all_tasks(const std::vector<Meetings>& meetings) {
  std::vector<Ranks> all;
  for (const char* positions : judged_positions)
    for (const char* end : {"leading", "trailing"})
      for (std::size_t k = 4; 2 * k <= judged_width; k *= 2)
        for (std::size_t r = 4; 2 * r <= judged_width; r *= 2) {
          const auto ratio = [&](std::string_view moment) {
            const auto groups = where(meetings, [&](const Meetings& seeds) {
              const Meeting& at = seeds.front();
              return at.end == end && at.k == k && at.r == r && moment_of(at.step, at.steps) == moment;
            });
            return over_tasks(groups, all_tasks(positions), &Meeting::ratio).value_or(Estimate{NAN});
          };
          const Ranks at{positions, end, k, r, ratio("before"), ratio("after")};
          if (std::isfinite(at.before.value) || std::isfinite(at.after.value)) all.push_back(at);
        }
  return all;
}

/// Of every pair of ranks in a table, of one that stands for all as findings.
void add_meetings(const std::vector<Meeting>& rows, Summary& summary) {
  const char* ratio_meaning = "mean squared principal cosine over max(k, r)/d, its mean by chance";
  const std::vector<Ranks> all =
      over_all_tasks(group_by(rows, setting, &Meeting::step, &Meeting::end, &Meeting::k, &Meeting::r));
  const auto over = [&](const char* name, const char* when, Estimate Ranks::*ratio) {
    return sampled(name, fmt::format("{}, {} training, mean over tasks and seeds", ratio_meaning, when),
                   ratio)
        .interval(fmt::format("{}_low", name), fmt::format("{}_high", name),
                  "its 99% interval, variances of the tasks added");
  };
  summary.table(
      "t1_grid.csv", all,
      {exact("positions", "centred: the sinusoid less its mean; learned: a table", &Ranks::positions),
       exact("end", "of the words' spectrum: leading or trailing directions", &Ranks::end),
       exact("k", "directions of the centred words", &Ranks::k),
       exact("r", "leading directions of the centred positions", &Ranks::r),
       over("before", "before", &Ranks::before), over("after", "after", &Ranks::after),
       exact("chance_sd", "standard deviation by chance, one run", [](const Ranks& at) {
         const theory::OverlapNull null = theory::mean_cosine_squared_null(judged_width, at.k, at.r);
         return null.sd / null.mean;
       })});
  for (const Ranks& at : all)
    for (const auto& [moment, ratio] : {std::pair{"before", at.before}, {"after", at.after}})
      if (at.k == shown_rank && at.r == shown_rank && ratio.spread)
        add_over_tasks(fmt::format("{}_{}", at.end, moment), place(all_tasks(at.positions)), ratio, 1,
                       fmt::format("Mean squared principal cosine of {} {} directions of the words and the "
                                   "leading ones of the positions over its mean by chance, {} training",
                                   shown_rank, at.end, moment),
                       summary);
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
       seed_columns<Turning>("orders_from", "1",
                             "99.5% of random orders of one table's coordinates give more",
                             &Turning::permuted_low),
       seed_columns<Turning>("orders_to", "1", "99.5% of them give less", &Turning::permuted_high),
       seed_columns<Turning>(
           "alone", "1", "of the words of the seed's model without positions with these positions of step 0",
           &Turning::alone),
       rows_in<Turning>("seeds", "runs")});
  const auto ends =
      group_by(where(added, [](const Turning& at) { return at.step == 0 || at.step == at.steps; }), setting,
               &Geometry::step);
  for (const bool before : {true, false})
    for (const char* positions : judged_positions) {
      const auto groups =
          where(ends, [&](const Group<Turning>& seeds) { return (seeds.front().step == 0) == before; });
      const Run all = all_tasks(positions);
      const char* moment = before ? "before" : "after";
      add_over_tasks(
          fmt::format("overlap_{}", moment), all, groups, &Geometry::overlap, 1,
          fmt::format("Overlap of the centred covariances of words and positions (1 by chance) {} training",
                      moment),
          summary);
      if (!before)
        add_over_tasks("floor_after", all, groups, &Geometry::overlap_floor, NAN,
                       "The least that turning one of the two tables after training could make of their "
                       "overlap, for their spectra",
                       summary);
    }
  add_meetings(in_order<Meeting>(cells), summary);
  for (const char* positions : judged_positions)
    summary.rule.push_back(
        condition(Role::core, finding_id("T1", "overlap_after", place(all_tasks(positions))).substr(3),
                  Is::below, clearly_less, Evidence::trained,
                  {{"evidence", "trained here"}, {"positions", positions}}, {}, eight_seeds));
}

}  // namespace

Experiment turned_apart(const Options& options) {
  Experiment claim = claim_on_runs(
      "T1", "Trained together, words and positions overlap less than half as much as by chance.", "[b]",
      {looked_at_runs(options)}, {});
  claim.conclude(conclude);
  return evidence_for("O4", std::move(claim));
}

}  // namespace perp::learning
