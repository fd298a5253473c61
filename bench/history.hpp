#pragma once
// Runs of the bench kept: one line of JSON a run and machine (docs/schema/bench-history.schema.json), and two
// runs against each other.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/verdict.hpp"
#include "perp/io/csv.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

/// One row of one configuration in a run.
struct RunRow {
  std::string backend, lapack, row;  ///< row: "gemm/bare/f32/512x512x512"
  std::size_t threads = 0;
  Times times;
  std::string key() const;  ///< "openblas-pthread, as_shipped, 2 threads: gemm/bare/f32/512x512x512"
};

/// What the page of a run answers at one number of threads.
struct RunAnswer {
  std::size_t threads = 0, equals = 0;
  std::string usual, best;
  Estimate cost;  ///< the default's time over the best's
  bool told = false;
};

struct Run {
  std::string machine;  ///< twelve hexadecimal digits of the hash of what the sheet says of the hardware
  std::string processor, when, commit, preset;
  std::vector<RunRow> rows;
  std::vector<RunAnswer> answers = {};  ///< none in lines of earlier versions
};

/// Of what a finished bench writes: machine.csv, results.csv and answer.csv (empty: an earlier version's). No host name
/// and no folder is in it.
Run run_of(const Csv& machine, const Csv& results, const Csv& answers, std::string_view preset);
/// The same from a folder that holds them. Throws Error{Exit::unusable}.
Run read_run(const std::filesystem::path& folder, std::string_view preset);

/// One line, without its end; times with five digits. It begins with the run's own hash. Libraries are in it
/// as they pick: with every core type a line would be five times as long, and the folder has them.
std::string to_line(const Run& run);
/// Back again. Throws Error{Exit::unusable} with `name`.
Run run_from(std::string_view line, const std::string& name);
/// The twelve digits that a line begins with.
std::string hash_of(const Run& run);

/// All runs of a file, the oldest first; none where there is no file. Throws Error{Exit::unusable} naming file and line.
std::vector<Run> read_history(const std::filesystem::path& file);

/// "FILE:3" (a line) or a folder with results. Throws Error{Exit::unusable}.
Run find_run(const std::string& which);

/// One row of two runs, b against a.
struct Compared : RunRow {
  double before = 0;       ///< seconds a call in a
  Contrast contrast = {};  ///< its p adjusted by Holm for the number of rows
  std::string said() const { return contrast.verdict(); }
  bool told() const { return contrast.told(); }
};
/// Row by row. Throws Error{Exit::unusable} if no row is in both.
std::vector<Compared> compared(const Run& a, const Run& b);
Table comparison_table(std::string_view file, const std::vector<Compared>& rows);
/// As a table for people, the rows that are told apart first.
std::string to_markdown(const Run& a, const Run& b, const std::vector<Compared>& rows);

/// What the last run of a machine answers at one number of threads.
struct Machine : RunAnswer {
  std::string processor, machine, when;
};
/// Of each machine, `last` among them; that alone, not timed, where no run answers anything.
std::vector<Machine> machines_of(const std::vector<Run>& before, const Run& last);
Table machines_table(const std::vector<Machine>& machines);  ///< machines.csv

}  // namespace perp::bench
