#pragma once
// Cells measured, kept and found again, and the line that says how far that is.

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/study/options.hpp"

namespace perp {

/// Progress on standard error: how far, how long still. One line that rewrites itself on a terminal, a line now
/// and then elsewhere. NO_COLOR is honoured (nothing here is coloured).
class ProgressLine {
 public:
  /// `total` in the same unit as the costs told to `done`.
  ProgressLine(std::string title, double total, const Turn& turn);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Thread-safe: work of that cost is finished.
  void done(double cost, std::string_view what);

 private:
  std::string title_;
  double total_, done_ = 0, after_;
  std::size_t width_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
  std::mutex mutex_;
};

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
