#pragma once
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
#include <string>
#include <string_view>

#include "perp/study/experiment.hpp"
#include "perp/study/frame.hpp"

namespace perp {

class ClaimFile;

/// A claim in the words of its file:
///
///   Experiment nearby_is_similar(const Options& options) {
///     DescribedClaim claim("D2", toml_of("d2"));
///     claim.cell({{"d", 512}}, 0.1, [](const Streams& streams, Out& out) { out("nearness", {{"rise", 43}}); });
///     claim.fold([](const Frames& measured, Out& out) { … });
///     return claim;
///   }
struct DescribedClaim : Experiment {
  /// `depends`: hashes of the inputs that cells read.
  DescribedClaim(std::string_view claim, std::string_view toml, std::vector<std::string> depends = {});
  /// Adds a cell. Its rows are held against the file as soon as it is measured.
  void cell(const Coordinates& at, double cost, std::function<void(const Streams&, Out&)> measure);
  /// What follows from all cells; without a fold tables and findings are made of the cells' rows alone.
  void fold(std::function<void(const Frames&, Out&)> follows);
  /// After the fold: what a file cannot say because it depends on what a run is given, a table as wide as a matrix, a model's
  /// conditions.
  void also(std::function<void(Outcome&)> more);
  /// The outcome of rows that were published and read back (frame_from_csv), without measuring.
  Outcome refold(Frames measured) const { return follow_(std::move(measured)); }
  /// Every table of the file as `csv` gives its text, "" where there is none; what stands in a column of texts is a text.
  Frames reread(const std::function<std::string(const std::string& table)>& csv) const;

 private:
  void summarise_rows();

  std::shared_ptr<const ClaimFile> file_;
  std::function<Outcome(Frames)> follow_;
};

}  // namespace perp
