#pragma once
// The quick preset of study `learning`, claim by claim, each measured once for all tests of this program. The
// claims read the same runs, so whichever comes first trains them. And runs that are written by hand.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "studies/learning/study.hpp"
#include "studies/learning/training.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

/// Quick runs on two threads with this program's own cells.
inline Options quick_options() {
  static const Scratch scratch;
  Options options;
  options.preset = Preset::quick;
  options.threads = 2;
  options.build = scratch.path();
  options.extra["corpus"] = "none";
  return options;
}

/// The cell of a run that has kept these rows.
template <class... Kept>
CellRecords kept(const learning::Run& run, Kept... kept) {
  CellRecords cell{{coordinates_of(run)}, {}};
  Rows rows(cell.cell);
  const auto add = [&](auto& row) {
    static_cast<learning::Run&>(row) = run;
    rows.add(row);
  };
  (add(kept), ...);
  cell.records = rows.take();
  return cell;
}

/// A task's run of one of these arms; what is left is given by name or has its usual value.
struct Arm {
  const char *name, *positions = "none";
  std::size_t position_width = 0;
};
inline std::ostream& operator<<(std::ostream& out, const Arm& arm) {
  return out << arm.name << " " << arm.positions << " " << arm.position_width;
}
/// Every way in which positions reach a model, at a width of 16 or more.
inline const std::vector<Arm> every_arm{{"add", "as_is"},
                                        {"add", "fitted"},
                                        {"add", "centred"},
                                        {"add", "learned"},
                                        {"concat", "as_is", 6},
                                        {"concat", "fitted", 6},
                                        {"concat", "centred", 6},
                                        {"concat", "learned", 6},
                                        {"project", "centred", 10},
                                        {"rotary"},
                                        {"alibi"},
                                        {"none"}};
inline learning::Run run_of(std::string_view task, const Arm& arm, learning::Run like) {
  like.task = task;
  like.arm = arm.name;
  like.positions = arm.positions;
  like.position_width = arm.position_width;
  return like;
}

/// One of each setting of these lists, with seeds 0, 1, … instead of its own.
inline learning::Runs with_seeds(const std::vector<learning::Runs>& lists, std::size_t seeds) {
  learning::Runs runs;
  for (const learning::Runs& list : lists)
    for (learning::Run run : list)
      if (run.seed == 0)
        for (run.seed = 0; run.seed < seeds; ++run.seed) runs.push_back(run);
  return runs;
}

/// A run's random streams hang on its task and its seed.
inline Streams streams_of(const learning::Run& run, std::uint64_t seed = 1) {
  return {seed, std::string(learning::work_name), fmt::format("task={} seed={}", run.task, run.seed)};
}

/// What training this run records, and its end.
inline CellRecords trained(const learning::Run& run, std::uint64_t seed = 1,
                           const learning::SharedText& text = {}) {
  CellRecords cell{{coordinates_of(run)}, {}};
  Rows rows(cell.cell);
  learning::train(run, text, seed, rows);
  cell.records = rows.take();
  return cell;
}
inline learning::Trained end_of(const CellRecords& cell) {
  const std::vector<learning::Trained> ends = rows_of<learning::Trained>({cell});
  BOOST_REQUIRE_EQUAL(ends.size(), 1U);
  return ends.front();
}

/// "A10" -> its findings, its tables, its verdict alone.
inline const Results& results_of(std::string_view claim) {
  static std::map<std::string, Results, std::less<>> kept;
  const auto it = kept.find(claim);
  if (it != kept.end()) return it->second;
  Options options = quick_options();
  options.only = {std::string(claim)};
  return kept.emplace(std::string(claim), measure(learning::study(), options)).first->second;
}

inline const Finding& finding(std::string_view id) {
  const Finding* found = find(results_of(id.substr(0, id.find('.'))).findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}
/// The finding `id` of an outcome.
inline const Finding& named(const Outcome& outcome, std::string_view id) {
  const Finding* found = find(outcome.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}

inline double value(const std::string& id) { return finding(id).value; }

/// A table of an outcome, or ("a10_arms.csv") of the quick preset's claim A10.
inline const Table& table_of(const std::vector<Table>& tables, std::string_view file) {
  const auto found = std::ranges::find(tables, file, &Table::file);
  BOOST_REQUIRE_MESSAGE(found != tables.end(), "no table " << file);
  return *found;
}
inline const Table& table(std::string_view file) {
  std::string claim(file.substr(0, file.find('_')));
  claim.front() = char(std::toupper(claim.front()));
  return table_of(results_of(claim).tables, file);
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
