#pragma once
// Cells measured, kept and found again.

#include <filesystem>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/study/options.hpp"

namespace perp {

// The cells of a study: which are kept, which are missing, and those measured by whichever thread is free.

struct Measured {
  std::vector<std::vector<CellRecords>> records;  ///< by experiment, then by cell; of a part its own alone
  RunRecord run;
};

/// Reads what is kept, measures the rest, merges in cell order; of one part of the cells, if `options` ask for one.
Measured measure_cells(const Study& study, const std::vector<Experiment>& experiments,
                       const Options& options);

/// Finished cells, kept at once. Resuming after a kill, running again and widening a grid are all this one
/// mechanism.
class CellStore {
 public:
  /// `context` is whatever else the bytes depend on: build of the program, BLAS that answers, seed.
  CellStore(std::filesystem::path folder, std::string context);

  /// Removes what killed runs left half-written.
  void remove_leftovers() const;

  enum class State { absent, kept, damaged };
  struct Found {
    State state = State::absent;
    Records records;
  };
  /// The records kept for a cell. An entry whose checksum or name does not fit is `damaged`: say so, measure
  /// again.
  Found find(const Experiment& experiment, const Cell& cell) const;

  /// Keeps a finished cell; whole or not at all. Throws Error{Exit::failed} if it cannot be written.
  void keep(const Experiment& experiment, const Cell& cell, const Records& records) const;

  std::filesystem::path path(const Experiment& experiment, const Cell& cell) const;

 private:
  std::string name(const Experiment& experiment, const Cell& cell) const;
  std::filesystem::path folder_;
  std::string context_;
};

}  // namespace perp
