#pragma once
// Where and how a run happened: everything that names the machine or is measured in seconds. Goes to run.json
// and timings.json, never into results.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

/// "0.1.0".
std::string version();

/// Makes known which libraries this program measures a study with: a program is linked with one for each of its
/// studies (perp_digest in studies/CMakeLists.txt), made of the libraries' bytes.
class LibrariesDigest {
 public:
  LibrariesDigest(std::string_view study, std::string_view sha256) noexcept;
  /// "" for a study without one.
  static std::string_view of(std::string_view study) noexcept;

 private:
  std::string_view study_, sha256_;
  const LibrariesDigest* next_;
};

/// What the study's results depend on besides its inputs: that digest, or else the hash of the running
/// program's own bytes.
std::string program_sha256(std::string_view study);

/// Processor seconds of this process so far, of all threads, in the program and in the system.
double process_seconds();
/// Counts the peak of memory from here on, where the system allows that.
void forget_peak_memory() noexcept;

/// Processor seconds of the calling thread so far.
double thread_seconds();

struct ExperimentTime {
  std::string claim;
  std::size_t cells = 0;
  double wall_s = 0;  ///< from the start of its first cell to the end of its last
  double cpu_s = 0;   ///< of all its cells
};

struct RunRecord {
  std::string study;
  std::vector<std::string> command;
  std::size_t threads = 1;
  std::size_t cells_run = 0, cells_reused = 0, cells_repaired = 0;
  double total_s = 0, process_cpu_s = 0;
  std::vector<ExperimentTime> experiments;
};

/// run.json: machine, system, compiler, commit, the program's hash, BLAS that answered, command, memory. Two
/// runs of equal program, processor and BLAS promise equal bytes: `make verify` reads that here.
std::string run_json(const RunRecord& run);
/// timings.json: seconds by experiment.
std::string timings_json(const RunRecord& run);

}  // namespace perp
