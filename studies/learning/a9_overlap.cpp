// How far training turns words and the positions added to them apart: their overlap, beside that in a model
// that learns the same and has no positions beside its words, and their leading and trailing directions.

#include <cmath>
#include <set>

#include "perp/theory/angles.hpp"
#include "studies/learning/a9.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/looks.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;

/// Directions of each that stand for all pairs of ranks.
constexpr std::size_t shown_rank = 8;

const char* moment_of(std::size_t at, std::size_t all) {
  return at == 0 ? "before" : at == all ? "after" : "during";
}

/// Where positions are added; beside the same seed's before training, and beside its RoPE model.
struct Turned : Geometry {
  double own;   ///< overlap with the positions of step 0, over what it was before training
  double rope;  ///< of the RoPE model's words with the same; NaN unless that learned the task

  /// What training did to the overlap, less what learning does where there is nothing to turn from.
  double ratio() const { return own / rope; }
  const char* moment() const { return moment_of(step, steps); }
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

constexpr const char* turned_meaning =
    "Overlap of words with the positions of step 0 over that before training, relative to the same seed's "
    "RoPE model, where that learns the task";

void add_ratios(const std::vector<Turned>& turned, Summary& summary) {
  const auto column = seed_columns<Turned>;
  const auto ratio = column("ratio", "1", turned_meaning, &Turned::ratio).chance(1);
  summary.table(
      "a9_overlap.csv", group_by(turned, setting, &Turned::step),
      {task, positions, width, step, exact("moment", "before, during or after training", &Turned::moment),
       column("overlap", "1", "of words and positions, centred; chance 1", &Turned::overlap),
       column("chance_sd", "1", "its standard deviation, one table turned at random", &Turned::overlap_sd),
       column("floor", "1", "the least that turning one of the tables could make of it",
              &Turned::overlap_floor),
       column("orders_from", "1", "99.5% of random orders of one table's coordinates give more",
              &Turned::permuted_low),
       column("orders_to", "1", "99.5% of them give less", &Turned::permuted_high),
       column("own", "1", "overlap with the positions of step 0 over the same before training", &Turned::own),
       column("rope", "1", "the same of the words of the seed's RoPE model, of those that learn the task",
              &Turned::rope),
       ratio, column("cosine", "1", "mean cosine of words and positions; chance 0", &Turned::cosine),
       rows_in<Turned>("seeds", "runs"),
       sampled("pairs", "of them, seeds whose RoPE model learns the task",
               [](const Turning& seeds) { return measured(seeds, &Turned::rope).size(); })});
  const std::vector<Turned> after = where(turned, [](const Turned& at) { return at.step == at.steps; });
  summary.table("a9_overlap_seeds.csv", after,
                {task, positions, width, seed, sampled("overlap", "of words and positions", &Turned::overlap),
                 sampled("own", "as in a9_overlap.csv", &Turned::own),
                 sampled("rope", "likewise", &Turned::rope), sampled("ratio", "likewise", &Turned::ratio)});
  const auto ends = group_by(after, setting);
  for (const Turning& seeds : ends)
    if (most_have(seeds, &Turned::ratio))
      add_at(place(seeds.front()), seeds, "A9", {ratio.as("overlap_ratio")}, summary);
  for (const char* positions : judged_positions)
    add_over_strata("overlap_ratio", place(all_tasks(positions)),
                    task_strata(ends, all_tasks(positions), &Turned::ratio), 1, turned_meaning, summary);
}

/// The overlap itself, before and after, with the positions of the moment.
void add_moments(const std::vector<Turned>& turned, Summary& summary) {
  for (const char* positions : judged_positions)
    for (const std::string_view moment : {"before", "after"}) {
      const auto groups =
          group_by(where(turned, [&](const Turned& at) { return at.moment() == moment; }), setting);
      const Run all = all_tasks(positions);
      add_over_tasks(
          fmt::format("overlap_{}", moment), all, groups, &Geometry::overlap, 1,
          fmt::format("Overlap of the centred covariances of words and positions (1 by chance) {} training",
                      moment),
          summary);
      if (moment == "after")
        add_over_tasks("floor_after", all, groups, &Geometry::overlap_floor, NAN,
                       "The least that turning one of the two tables after training could make of their "
                       "overlap, for their spectra",
                       summary);
    }
}

// ---- directions

using Meetings = Group<Meeting>;

/// One pair of ranks, mean over tasks and seeds.
struct Ranks {
  std::string positions, end;
  std::size_t k, r;
  Estimate before, after;
};

/// Of every pair of ranks in a table, of one that stands for all as findings.
void add_meetings(const std::vector<Meeting>& rows, Summary& summary) {
  const char* ratio_meaning = "mean squared principal cosine over max(k, r)/d, its mean by chance";
  const auto meetings = group_by(rows, setting, &Meeting::step, &Meeting::end, &Meeting::k, &Meeting::r);
  std::vector<Ranks> all;
  for (const char* positions : judged_positions)
    for (const char* end : {"leading", "trailing"})
      for (std::size_t k = 4; 2 * k <= judged_width; k *= 2)
        for (std::size_t r = 4; 2 * r <= judged_width; r *= 2) {
          const Run of = all_tasks(positions);
          const auto ratio = [&](std::string_view moment) {
            const auto groups = where(meetings, [&](const Meetings& seeds) {
              const Meeting& at = seeds.front();
              return at.end == end && at.k == k && at.r == r && moment_of(at.step, at.steps) == moment;
            });
            if (k == shown_rank && r == shown_rank)
              add_over_tasks(
                  fmt::format("{}_{}", end, moment), of, groups, &Meeting::ratio, 1,
                  fmt::format("Mean squared principal cosine of {} {} directions of the words and the "
                              "leading ones of the positions over its mean by chance, {} training",
                              shown_rank, end, moment),
                  summary);
            return over_tasks(groups, of, &Meeting::ratio).value_or(Estimate{NAN});
          };
          const Ranks at{positions, end, k, r, ratio("before"), ratio("after")};
          if (std::isfinite(at.before.value) || std::isfinite(at.after.value)) all.push_back(at);
        }
  const auto over = [&](const char* name, const char* when, Estimate Ranks::*ratio) {
    return sampled(name, fmt::format("{}, {} training, mean over tasks and seeds", ratio_meaning, when),
                   ratio)
        .interval(fmt::format("{}_low", name), fmt::format("{}_high", name),
                  "its 99% interval, variances of the tasks added");
  };
  summary.table(
      "a9_directions.csv", all,
      {exact("positions", "centred: the sinusoid less its mean; learned: a table", &Ranks::positions),
       exact("end", "of the words' spectrum: leading or trailing directions", &Ranks::end),
       exact("k", "directions of the centred words", &Ranks::k),
       exact("r", "leading directions of the centred positions", &Ranks::r),
       over("before", "before", &Ranks::before), over("after", "after", &Ranks::after),
       exact("chance_sd", "standard deviation by chance, one run", [](const Ranks& at) {
         const theory::OverlapNull null = theory::mean_cosine_squared_null(judged_width, at.k, at.r);
         return null.sd / null.mean;
       })});
}

}  // namespace

void add_overlaps(const Cells& cells, Summary& summary) {
  const std::vector<Turned> turned = turned_of(in_order<Geometry>(cells), rows_of<Trained>(cells));
  add_ratios(turned, summary);
  add_moments(turned, summary);
  add_meetings(in_order<Meeting>(cells), summary);
}

}  // namespace perp::learning
