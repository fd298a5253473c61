// A8: word vectors can grow to make room if necessary. What training does to the lengths of words, beside the
// same seed's words in a model without positions; it is necessary where words start so small that positions
// hide them.

#include "perp/theory/recovery.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/looks.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

/// One seed's words after a step. NaN: there is nothing to compare with.
struct Path : Geometry {
  double growth;  ///< length over that before training
  double excess;  ///< growth over that of the same seed's words without positions
  double added;   ///< length of positions over that of words, where they are added
  double knee;    ///< above it added positions hide words from whoever knows nothing of positions
  double energy;  ///< of words per direction of the positions, over that per direction of the space
};
using Paths = Group<Path>;

std::vector<Path> paths_of(const std::vector<Geometry>& rows) {
  const Looks looks(rows);
  std::vector<Path> paths;
  for (const Geometry& row : rows) {
    const bool is_added = row.arm == "add";
    const auto growth = [&](const Run& run) {
      return looks.at(run, row.step).word_norm / looks.at(run, 0).word_norm;
    };
    paths.push_back({row, growth(row), row.arm == "none" ? NAN : growth(row) / growth(without_positions(row)),
                     is_added ? row.ratio : NAN,
                     is_added ? theory::recovery_knee(row.width, task_of(row.task).words) : NAN,
                     row.inside / (row.rank / row.width)});
  }
  return paths;
}

using namespace columns;
const auto start = exact("start", "standard deviation of a word's entries before training", &Run::start);

const auto growth =
    seed_columns<Path>("growth", "1", "length of the words over that before training", &Path::growth)
        .chance(1);
const auto excess =
    seed_columns<Path>("excess", "1",
                       "growth of the words over that of the same seed's words without positions",
                       &Path::excess)
        .chance(1);
const auto ratio = seed_columns<Path>("ratio", "1",
                                      "length of positions over length of words, where they are added "
                                      "(theory: the knee of claim A1, above which positions hide words)",
                                      &Path::added)
                       .theory(&Path::knee);
const auto knee =
    exact("knee", "√(d/(2 ln V)), V the words of the task; where positions are added", &Path::knee);
const auto inside =
    seed_columns<Path>("inside", "1",
                       "energy of words per direction that positions (without them: the centred sinusoid) "
                       "fill, over energy per direction of the space (chance: 1)",
                       &Path::energy)
        .chance(1);
void add_tables(const std::vector<Path>& paths, const std::vector<Path>& ends, Summary& summary) {
  summary.table("a8_paths.csv", group_by(paths, setting, &Path::step),
                {task, arm, positions, p, width, start, step,
                 seed_columns<Path>("norm", "1", "length of the words, root mean square", &Path::word_norm),
                 growth, ratio, knee, inside});
  summary.table("a8_end.csv", group_by(ends, setting),
                {task, arm, positions, p, width, start, growth, excess, ratio, knee,
                 rows_in<Path>("seeds", "runs, each with words and data of its own")});
}

void add_findings(const Paths& end, Summary& summary) {
  const Path& at = end.front();
  const auto add = [&](const std::vector<ColumnOf<Paths>>& columns) {
    add_at(place(at), end, "A8", columns, summary);
  };
  if (at.task != "named" && at.positions != "learned") add({growth});
  if (at.task == "copy2" && at.arm == "add" && at.positions == "centred") add({ratio});
  if (at.start == 1) add({inside});
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Path> paths = paths_of(in_order<Geometry>(cells)),
                          last = where(paths, [](const Path&path) { return path.step == path.steps; });
  const std::vector<Paths> ends = group_by(last, setting);
  add_tables(paths, last, summary);
  for (const Paths& end : ends) add_findings(end, summary);
  for (const double start : {small_start, 1.0})
    for (const char* positions : judged_positions) {
      const Run all = all_tasks(positions, start);
      add_over_tasks("excess", all, ends, &Path::excess, 1,
                     "Growth of the words over that of the same seed's words without positions", summary);
      summary.rule.push_back(condition(start == 1 ? Role::limit : Role::core,
                                       finding_id("A8", "excess", place(all)).substr(3), Is::above, 1.0,
                                       Evidence::trained, {{"positions", positions}}, {}, eight_seeds));
    }
}

}  // namespace

Experiment growing_words(const Options& options) {
  Experiment claim = claim_on_runs("A8", "Word vectors can grow to make room if necessary.", "[b]",
                                   {looked_at_runs(options), small_start_runs(options)}, {});
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::learning
