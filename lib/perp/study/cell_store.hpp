#pragma once
// Finished cells, kept at once. Resuming after a kill, running again and widening a grid are all this one
// mechanism.

#include <filesystem>
#include <optional>
#include <string>

#include "perp/study/experiment.hpp"

namespace perp {

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

/// Records as text and back; throws Error on text that it did not write.
std::string to_text(const Records& records);
Records records_from(std::string_view text);

}  // namespace perp
