#pragma once
// A study is a list of experiments, one per claim. An experiment is a program and a file: cells, what follows from their
// rows, and <claim>.toml, which says claim and numbers in words.
//
//   parameters -> cells -> rows, kept -> fold -> tables + findings -> judge -> verdict
//
//   Experiment nearby_is_similar(const Options& options) {
//     Experiment claim("D2", toml_of("d2"));
//     claim.cell({{"d", 512}}, 0.1, [](const Streams& streams, Out& out) { out("nearness", {{"rise", 43}}); });
//     claim.fold([](const Frames& measured, Out& out) { … });
//     return claim;
//   }
//
// <claim>.toml beside <claim>.cpp says a claim and its numbers in words, each once; no cell depends on it.
//
//   statement = "Nearby positions have similar encodings: similarity falls with distance."
//   source = ["d", "c"]                 # texts by their letters; or a text as it is to stand, "(asked)"
//
//   [table]                             # d2_nearness.csv and its columns in this order
//   nearness = "d family ordered"
//
//   [column]                            # each once; "nearness.d" would be of that table alone. A text alone: of kind exact
//   d       = "dimension"
//   family  = { kind = "text", is = "law of the words" }
//   ordered = { kind = "sampled", unit = "share", is = "share of the pairs in order", interval = "low high" }
//
//   [findings]                          # a cell of each row that `where` leaves, under the row's `by`; a list gives several
//   ordered = { cell = "nearness.ordered", by = "d", where = { base = 10000, d = [64, 512] }, theory = 0.5, n = "pairs" }
//
//   [rule]                              # `of`: one finding or a list of them; `ordered.*`: all of that measure
//   core  = [ { of = "ordered.*", above = 0.9, evidence = "simulation", level = { asked = "order" }, by = "d" } ]
//   limit = [ { of = "elsewhere", above = 0, evidence = "released model", says = "…", needs = "a released model" } ]
//
// A finding: `theory` and `n` are a number or a field of the row; `is` replaces the column's words; `kind` and `unit` are
// for tables that are written for findings alone. A condition: below, above or equal (with
// `margin`) a number, a finding or "theory"; `by` makes levels of the finding's place; `says` and `needs` as in judge.hpp.
// What may not be there in a run (a preset's rows, an input's) says so with `needs`.
//
// Whatever is wrong is an Error of one line: file, line, key, what was expected.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perp/random/draws.hpp"
#include "perp/study/frame.hpp"
#include "perp/study/judge.hpp"
#include "perp/study/options.hpp"
#include "perp/study/provenance.hpp"
#include "perp/study/results.hpp"

namespace perp {

/// The random streams of one cell, by purpose: same numbers whatever the thread or order.
struct Streams {
  std::uint64_t seed;
  std::string experiment, cell;
  Stream operator()(std::string_view purpose, std::uint64_t replicate = 0) const {
    return stream(seed, experiment, cell, replicate, purpose);
  }
};

/// One independent piece of work: a grid point, a replicate.
struct Cell {
  Coordinates at;
  double cost = 1;  ///< about how long it takes, in any one unit for the whole study; orders the work
  std::function<void(const Streams&, Out&)> measure = {};
};

/// 64, 128, … up to `last`; 0, 1, … below `count`.
std::vector<std::size_t> doubling(std::size_t first, std::size_t last);
std::vector<std::size_t> first(std::size_t count);

/// A row that a cell wrote, as it is kept.
struct Record {
  std::string name;  ///< of its table
  Coordinates values;
};
using Records = std::vector<Record>;
Records records_of(std::vector<Row> rows);

struct CellRecords {
  Cell cell;
  Records records;
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

class ClaimFile;

struct Experiment {
  /// Throws Error of one line (file, line, key, what was expected) for a file that does not fit. `depends`: hashes of the
  /// inputs that cells read.
  Experiment(std::string_view claim, std::string_view toml, std::vector<std::string> depends = {});

  /// Adds a cell. Its rows are held against the file as soon as it is measured.
  void cell(const Coordinates& at, double cost, std::function<void(const Streams&, Out&)> measure);
  /// What follows from all cells; without a fold tables and findings are made of the cells' rows alone.
  void fold(std::function<void(const Frames&, Out&)> follows) { fold_ = std::move(follows); }
  /// After the fold: what a file cannot say because it depends on what a run is given, a table as wide as a matrix, a model's
  /// conditions.
  void also(std::function<void(Outcome&)> more) { also_.push_back(std::move(more)); }

  Records measure(const Cell& cell, std::uint64_t seed) const;
  Outcome summarise(const std::vector<CellRecords>& cells) const;
  /// The same of rows that were published and read back (frame_from_csv), without measuring.
  Outcome conclude(Frames measured) const;
  /// Every table of the file as `csv` gives its text, "" where there is none; what stands in a column of texts is a text.
  Frames reread(const std::function<std::string(const std::string& table)>& csv) const;

  /// What cells are kept under and their random streams are named by.
  const std::string& cells_name() const { return work.empty() ? claim : work; }

  std::string claim;  ///< "O1"
  std::string of;     ///< the claim that this is evidence for: itself, or none for a picture or a table
  std::string statement, source;     ///< as people say it; which text says it
  std::vector<std::string> depends;  ///< hashes of the inputs that its cells read
  std::vector<Cell> cells;
  /// Optional: claims that read the same work give it one name here; a cell that several of them list is then
  /// measured and kept once. Empty: the claim's own.
  std::string work{};

 private:
  std::shared_ptr<const ClaimFile> file_;
  std::function<void(const Frames&, Out&)> fold_;
  std::vector<std::function<void(Outcome&)>> also_;
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
