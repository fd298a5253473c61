#pragma once
// A study is a list of experiments, one per claim; an experiment is cells, what to do with one, and what
// follows.
//
//   parameters -> cells -> run(cell) -> records -> summarise -> tables + findings -> judge -> verdict

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perp/random/draws.hpp"
#include "perp/study/judge.hpp"
#include "perp/study/options.hpp"
#include "perp/study/provenance.hpp"
#include "perp/study/results.hpp"

namespace perp {

/// One independent piece of work: a grid point, a replicate.
struct Cell {
  Coordinates at;
  double cost = 1;  ///< about how long it takes, in any one unit for the whole study; orders the work

  Cell() = default;
  Cell(Coordinates at, double cost = 1);
};

/// 64, 128, … up to `last`; 0, 1, … below `count`.
std::vector<std::size_t> doubling(std::size_t first, std::size_t last);
std::vector<std::size_t> first(std::size_t count);

/// What a cell found, one named set of values; `name` says which kind of record it is.
struct Record {
  std::string name;
  Coordinates values;

  Record(std::string_view name, std::initializer_list<Coordinate> values);
  Record(std::string_view name, Coordinates values);
};
using Records = std::vector<Record>;

struct CellRecords {
  Cell cell;
  Records records;
};

/// The random streams of one cell, by purpose: same numbers whatever the thread or order.
struct Streams {
  std::uint64_t seed;
  std::string experiment, cell;
  Stream operator()(std::string_view purpose, std::uint64_t replicate = 0) const {
    return stream(seed, experiment, cell, replicate, purpose);
  }
};

/// What follows from all cells of an experiment.
struct Outcome {
  std::vector<Finding> findings;
  std::vector<Table> tables;
  Rule rule;
};

/// A rule's id with the claim before it; another claim's finding, "theory" and `elsewhere` stay as they are.
std::string whole_id(std::string_view claim, std::string_view id);
/// "Share of the pairs in order; theory: …", at d = 512: "share of the pairs in order, d = 512".
std::string words_of(const Finding& finding);
/// Gives a rule's findings their whole ids, and a condition without words those of its finding.
void complete(Outcome& outcome, std::string_view claim);

using Cells = std::vector<CellRecords>;
struct Experiment {
  std::string claim;                 ///< "O1"
  std::string statement;             ///< as people say it
  std::string source;                ///< which text says it
  std::vector<std::string> depends;  ///< hashes of the inputs that its cells read
  std::vector<Cell> cells;
  std::function<Records(const Cell&, const Streams&)> run;
  std::function<Outcome(const Cells&)> summarise;
  /// Optional: seconds that the claim is about, measured after all cells, for timings.json and MACHINE.md and
  /// never for a verdict.
  std::function<std::vector<TimedWork>()> time_separately{};
  /// Optional: claims that read the same work give it one name here; a cell that several of them list is then
  /// measured and kept once. Empty: the claim's own.
  std::string work{};

  /// Without cells yet.
  Experiment(std::string_view claim, std::string_view statement, std::string_view source,
             std::vector<std::string> depends = {});

  /// The claim that this is evidence for: its own, another one's, or (empty) none, for a picture or a table.
  std::string of;

  /// Adds cells that `measure_cell` measures. Throws Error for a place that there is already.
  void add_cells(std::vector<Cell> more, std::function<Records(const Cell&, const Streams&)> measure_cell);

  /// What cells are kept under and their random streams are named by.
  const std::string& cells_name() const { return work.empty() ? claim : work; }

 private:
  using Runs = std::map<std::string, std::function<Records(const Cell&, const Streams&)>>;
  std::shared_ptr<Runs> runs_;  ///< by the cell's text
};

/// The experiment as evidence for another claim: its conditions join that claim's rule in the report.
Experiment evidence_for(std::string_view claim, Experiment experiment);
/// The experiment as a picture or table beside the claims: its rule checks what it says.
Experiment beside_the_claims(Experiment experiment);

/// What the study knows once its options are read and its inputs are loaded.
struct Prepared {
  std::vector<Experiment> experiments;
  std::vector<Input> inputs;
  Coordinates parameters;
};

struct Study {
  std::string name, about;
  std::vector<std::string> claims;
  std::vector<ExtraOption> extra;
  std::function<Prepared(const Options&)> prepare;
  /// Optional: a question asked by options alone, answered at once on standard output without cells or files.
  std::function<std::optional<std::string>(const Options&)> answer = {};
  /// Optional: throws Error{unusable} for options that do not go together or cannot be read; all studies of a report are
  /// asked before one is measured.
  std::function<void(const Options&)> check = {};
};

/// A study, how it was asked for, and the command that asks for it, for run.json.
struct StudyRun {
  Study study;
  Options options;
  std::vector<std::string> command;
};

/// The studies one after the other: cells (kept ones are reused), outcomes, files; of a part no more than its cells.
void run_all(const std::vector<StudyRun>& runs);

/// That it is measured, where that is kept, and what to type once all parts are.
void say_part(std::string_view name, const Part& part, const std::filesystem::path& kept);

/// The whole program of one study: start, options, cells, files. Returns the exit code.
int run_study(const Study& study, int argc, char** argv);

/// A study without the process around it: measures and returns results, writes nothing but finished cells.
Results measure(const Study& study, const Options& options);

}  // namespace perp
