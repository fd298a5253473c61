#pragma once
// The quick preset of study `learning`, runs written by hand, what training one of them records, and what A8 and A9
// read of one.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
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
/// `cell_of(run)`; less the runs for which `is_missing`.
template <class CellOf>
Outcome outcome_of(
    const Experiment& claim, std::size_t seeds, const CellOf& cell_of,
    const std::function<bool(const learning::Run&)>& is_missing = [](const learning::Run&) {
      return false;
    }) {
  std::vector<CellRecords> cells;
  for (const Cell& cell : claim.cells) {
    learning::Run run = run_at(cell.at);
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
/// What a made-up choice on a text comes to: narrow tables of 16 dimensions at size 1.
/// The best added learned positions are so wide; 0: all dimensions.
inline std::vector<learning::TextChoice> made_up_choices(std::size_t learned_width = 16) {
  return text_choices_by(learning::text_choice_runs({}), [learned_width](const learning::Run& run) {
    const std::size_t width = run.arm == "add" && run.positions == "learned" ? learned_width : 16;
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

/// "depends, with limits on positions".
inline std::string judged(const Outcome& outcome) {
  const Judgement judgement = judge(outcome.findings, outcome.rule);
  return to_text(judgement) + (judgement.factor.empty() ? "" : " on " + judgement.factor);
}

inline void near(double a, double b, double relative = 1e-12) {
  BOOST_TEST(a == b, boost::test_tools::tolerance(relative));
}

/// What training comes to: the words' length and their overlap with the positions of step 0, both over what
/// they were; their energy inside the positions' quarter of all directions; the overlap with the positions of
/// the moment; the shares that probes read of the sum; and whether the task was learned.
struct Made {
  double growth = 1, turned = 1, inside = 0.25, overlap = 1, word = 0.95, position = 0.95;
  bool learned = true;
};

/// Seeds start far apart. Of the two overlaps with positions of step 0 only the one with the run's own means
/// it; a model without positions beside its words has both.
inline void add_look(const learning::Run& run, std::size_t step, const Made& made, Out& out) {
  const double first = 1.0 + double(run.seed), norm = run.start * std::sqrt(double(run.width)) * made.growth,
               leading = step == 0 ? 1 : 4 * made.inside - (run.seed % 2 ? 0.6 : 0.4);
  const bool is_added = run.arm == "add", has_overlap = run.arm != "concat";
  out("Geometry", {{"step", step},
                   {"word_norm", norm},
                   {"ratio", is_added ? 4 / norm : NAN},
                   {"rank", has_overlap ? double(run.width) / 4 : NAN},
                   {"inside", has_overlap ? made.inside : NAN},
                   {"overlap", is_added ? made.overlap : NAN},
                   {"leading", is_added ? leading : NAN},
                   {"overlap_centred", !has_overlap                 ? NAN
                                       : run.positions == "learned" ? 77
                                                                    : first * made.turned},
                   {"overlap_learned", !has_overlap                 ? NAN
                                       : run.positions == "centred" ? 77
                                                                    : 5 * first * made.turned}});
}

inline void add_head(const char* moment, std::size_t index, const std::array<double, 4>& terms, Out& out) {
  out("HeadScores", {{"moment", moment},
                     {"head", index},
                     {"word_word", terms[0]},
                     {"word_position", terms[1]},
                     {"position_word", terms[2]},
                     {"position_position", terms[3]}});
}

inline CellRecords made(const learning::Run& run, const Made& end) {
  return cell_with(run, [&](Out& out) {
    // Before training the overlap is 1 ± .1 by turns, on the way it goes elsewhere.
    add_look(run, 0, {.overlap = run.seed % 2 ? 1.1 : 0.9}, out);
    add_look(run, 10, {.overlap = 7}, out);
    add_look(run, run.steps / 2, {.overlap = 5}, out);
    add_look(run, run.steps, end, out);
    out("Probe", {{"moment", "before"}, {"word", 0.6}, {"position", 0.7}});
    out("Probe", {{"moment", "after"}, {"word", end.word}, {"position", end.position}});
    add_end(end.learned ? 1 : run.steps + 1, NAN, out);
    // Shares of the sum over heads: (5, 4, 4, 3)/16 before, (2, 1, 1, 6)/10 after, of words that do not grow.
    if (run.positions == "none") return;
    add_head("before", 0, {4, 3, 3, 2}, out);
    add_head("before", 1, {1, 1, 1, 1}, out);
    add_head("after", 0, {end.growth, 1, 1, 5}, out);
    add_head("after", 1, {end.growth, 0, 0, 1}, out);
  });
}

using Makes = std::function<Made(const learning::Run&)>;
inline auto cells_of(const Makes& makes) {
  return [makes](const learning::Run& run) { return made(run, makes(run)); };
}

}  // namespace perp::test
