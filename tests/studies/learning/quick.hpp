#pragma once
// The quick preset of study `learning`, runs written by hand, and what training one of them records.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/training.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return learning::study(); }

inline Options options_of(Preset preset) {
  Options options;
  options.preset = preset;
  options.extra["corpus"] = "none";
  return options;
}

/// The cell of a run and the rows that `write` writes into it.
template <class Write>
CellRecords cell_with(const learning::Run& run, const Write& write) {
  CellRecords cell{{coordinates_of(run)}, {}};
  Out out(cell.cell.at);
  write(out);
  cell.records = records_of(out.take());
  return cell;
}
/// The row that a run ends with.
inline void add_end(std::size_t learned_at, double nats, Out& out, std::size_t parameters = 1) {
  out("Trained", {{"inner_parameters", parameters},
                  {"embedding_parameters", parameters},
                  {"learned_at", learned_at},
                  {"accuracy", NAN},
                  {"nats", nats}});
}

/// Every row of a kind that cells wrote.
inline Frame rows_of(const std::vector<CellRecords>& cells, const char* kind) {
  Frame rows(kind);
  for (const auto& [cell, records] : cells)
    for (const Record& record : records)
      if (record.name == kind) rows.push_back({kind, fields_of(cell.at), fields_of(record.values)});
  return rows;
}

inline learning::Run run_at(const Coordinates& at) {
  return learning::run_from(
      {"", fields_of(at), {}},
      "task arm positions position_width width depth inner steps rate size start until seed");
}

/// The outcome of a claim if each of its settings had been run with seeds 0, 1, …, and every run had come to
/// `cell_of(run)`.
template <class CellOf>
Outcome outcome_of(const Experiment& claim, std::size_t seeds, const CellOf& cell_of) {
  std::vector<CellRecords> cells;
  for (const Cell& cell : claim.cells) {
    learning::Run run = run_at(cell.at);
    if (run.seed != 0) continue;
    for (; run.seed < seeds; ++run.seed) cells.push_back(cell_of(run));
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
  return cell_with(run, [&](Out& out) { learning::train(run, text, seed, out); });
}
inline Row end_of(const CellRecords& cell) {
  const Frame ends = rows_of({cell}, "Trained");
  BOOST_REQUIRE_EQUAL(ends.size(), 1U);
  return ends.front();
}

/// What is chosen on a text from runs that cost so many bits a byte.
inline std::vector<learning::TextChoice> text_choices_by(
    const learning::Runs& runs, const std::function<double(const learning::Run&)>& bits) {
  std::vector<CellRecords> cells;
  for (const learning::Run& run : runs)
    cells.push_back(
        cell_with(run, [&](Out& out) { add_end(run.steps + 1, bits(run) * std::numbers::ln2, out); }));
  return learning::text_choices_of(rows_of(cells, "Trained"));
}
/// What a made-up choice on a text comes to: tables of 16 dimensions at size 1, learned positions that are added in all.
inline std::vector<learning::TextChoice> made_up_choices() {
  return text_choices_by(learning::text_choice_runs({}), [](const learning::Run& run) {
    const std::size_t width = run.arm == "add" && run.positions == "learned" ? 0 : 16;
    const bool best = run.size == 1 && (run.position_width == width || run.positions == "none");
    return best ? 2.0 : run.position_width == 0 ? 2.4 : 2.5;
  });
}

/// How many items hold, by a predicate or a flag.
std::size_t count_of(const auto& items, const auto& holds) {
  return std::size_t(std::ranges::count_if(items, holds));
}

/// A10's outcome if its fold wrote these rows.
inline Outcome a10_of(const std::function<void(Out&)>& write) {
  Experiment claim("A10", learning::toml_of("a10"));
  claim.fold([&](const Frames&, Out& out) { write(out); });
  return claim.conclude({});
}

/// With tests/golden/learning_<name>, as results of the quick preset.
inline void check(const std::string& name, const Outcome& outcome) {
  Results results;
  results.study = name;
  results.preset = "quick";
  results.seed = 1;
  results.findings = outcome.findings;
  results.tables = outcome.tables;
  std::erase_if(results.tables, [](const Table& table) { return table.rows.empty(); });
  check_golden(fmt::format("learning_{}", name), results);
}

inline void near(double a, double b, double relative = 1e-12) {
  BOOST_TEST(a == b, boost::test_tools::tolerance(relative));
}

}  // namespace perp::test
