#pragma once
// Where and how a run happened: everything that names the machine or is measured in seconds. Goes to run.json
// and timings.json, never into results.

#include <cstddef>
#include <string>
#include <vector>

namespace perp {

/// "0.1.0".
std::string version();

/// Hash of the running program's own bytes: what its results depend on besides its inputs.
std::string program_sha256();

struct ExperimentTime {
  std::string claim;
  std::size_t cells = 0;
  double wall_s = 0;  ///< from the start of its first cell to the end of its last
  double cpu_s = 0;   ///< summed over its cells
};

/// Seconds that a claim is about, measured besides its cells.
struct TimedWork {
  std::string work;  ///< what was done, with its sizes
  double seconds = 0;
};

struct RunRecord {
  std::string study;
  std::vector<std::string> command;
  std::size_t threads = 1, ranks = 1;  ///< threads of each rank
  std::size_t cells_run = 0, cells_reused = 0, cells_repaired = 0;
  double total_s = 0;
  std::vector<ExperimentTime> experiments;
  std::vector<TimedWork> timed;
};

/// run.json: machine, system, compiler, commit, the program's hash, BLAS that answered, command, memory. Two
/// runs of equal program, processor and BLAS promise equal bytes: `make verify` reads that here.
std::string run_json(const RunRecord& run);
/// timings.json: seconds by experiment, and of the work that a claim times.
std::string timings_json(const RunRecord& run);

}  // namespace perp
