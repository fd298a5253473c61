#pragma once
// The quick preset of study `learning`, runs written by hand, and what training one of them records.

#include <algorithm>
#include <cmath>

#include "studies/learning/study.hpp"
#include "studies/learning/text_choices.hpp"
#include "studies/learning/training.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return learning::study(); }

inline Options options_of(Preset preset) {
  Options options;
  options.preset = preset;
  options.extra["corpus"] = "none";
  return options;
}

/// The cell of a run and what `add` puts into its rows.
template <class Add>
CellRecords cell_with(const learning::Run& run, const Add& add) {
  CellRecords cell{{coordinates_of(run)}, {}};
  Rows rows(cell.cell);
  add(rows);
  cell.records = rows.take();
  return cell;
}
/// The cell of a run that has kept these rows.
template <class... Kept>
CellRecords kept(const learning::Run& run, Kept... kept) {
  return cell_with(run, [&](Rows& rows) { (learning::add_of(run, kept, rows), ...); });
}

/// The outcome of a claim if each of its settings had been run with seeds 0, 1, …, and every run had come to
/// `cell_of(run)`; less the runs for which `is_missing`.
template <class CellOf>
Outcome outcome_of(
    const Experiment& claim, std::size_t seeds, const CellOf& cell_of,
    const std::function<bool(const learning::Run&)>& is_missing = [](const learning::Run&) {
      return false;
    }) {
  std::vector<CellRecords> cells;
  for (const Cell& cell : claim.cells) {
    learning::Run run = row_from<learning::Run>(cell.at);
    if (run.seed != 0) continue;
    for (; run.seed < seeds; ++run.seed)
      if (!is_missing(run)) cells.push_back(cell_of(run));
  }
  return claim.summarise(cells);
}

/// How positions reach a model; what is left of a run is given by name or has its usual value.
struct Arm {
  const char *name, *positions = "none";
  std::size_t position_width = 0;
};
inline std::ostream& operator<<(std::ostream& out, const Arm& arm) {
  return out << arm.name << " " << arm.positions << " " << arm.position_width;
}
/// Every way in which they do, at a width of 16 or more.
inline const std::vector<Arm> every_arm{{"add", "as_is"},
                                        {"add", "centred"},
                                        {"add", "learned"},
                                        {"concat", "as_is", 6},
                                        {"concat", "centred", 6},
                                        {"concat", "learned", 6},
                                        {"framed", "centred", 6},
                                        {"project", "centred", 10},
                                        {"rotary"},
                                        {"none"}};
inline learning::Run run_of(std::string_view task, const Arm& arm, learning::Run like) {
  like.task = task;
  like.arm = arm.name;
  like.positions = arm.positions;
  like.position_width = arm.position_width;
  return like;
}

/// What training this run records, and its end.
inline CellRecords trained(const learning::Run& run, std::uint64_t seed = 1,
                           const learning::SharedText& text = {}) {
  return cell_with(run, [&](Rows& rows) { learning::train(run, text, seed, rows); });
}
inline learning::Trained end_of(const CellRecords& cell) {
  const std::vector<learning::Trained> ends = rows_of<learning::Trained>({cell});
  BOOST_REQUIRE_EQUAL(ends.size(), 1U);
  return ends.front();
}

/// What a made-up choice on a text comes to: narrow tables of 16 dimensions at size 1.
/// The best added learned positions are so wide; 0: all dimensions.
inline std::vector<learning::TextChoice> made_up_choices(std::size_t learned_width = 16) {
  std::vector<learning::Trained> ends;
  for (const learning::Run& run : learning::text_choice_runs({})) {
    const std::size_t width = run.arm == "add" && run.positions == "learned" ? learned_width : 16;
    const bool best = run.size == 1 && (run.position_width == width || run.positions == "none");
    ends.push_back({run, 0, 0, run.steps + 1, NAN, (best ? 2.0 : run.position_width == 0 ? 2.4 : 2.5)});
  }
  return learning::text_choices_of(ends);
}

/// "depends, with limits on positions".
inline std::string judged(const Outcome& outcome) {
  const Judgement judgement = judge(outcome.findings, outcome.rule);
  return to_text(judgement) + (judgement.factor.empty() ? "" : " on " + judgement.factor);
}

inline void near(double a, double b, double relative = 1e-12) {
  BOOST_TEST(a == b, boost::test_tools::tolerance(relative));
}

}  // namespace perp::test
