#pragma once
// What the driver tells a worker, in one place for both sides.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perp::bench {

inline constexpr unsigned default_row_limit = 120;

struct WorkerOptions {
  std::string backend;       ///< its name, for messages
  std::string blas, lapack;  ///< the files that must answer; lapack may be empty: whatever answers
  std::size_t threads = 1;   ///< of BLAS, or of our kernels if `own`
  bool own = false;          ///< our kernels (with one BLAS thread each) instead of BLAS and LAPACK
  bool kernels = false;      ///< say which core types the library can be told, and nothing else
  bool check = false;        ///< hold every row against the reference instead of timing it
  double longest = 1;        ///< no call that is predicted to take longer, in seconds, is made
  double seconds = 0.03;     ///< least time for a row
  unsigned row_limit = default_row_limit;  ///< seconds after which a row that is not done ends the process
  /// Names of the rows to run, with the seconds that a call is known to take, 0: unknown.
  std::vector<std::pair<std::string, double>> rows;
  std::string out;  ///< file for the answer
};

/// As arguments for the worker (without its name).
std::vector<std::string> arguments(const WorkerOptions& options, const std::string& rows_file);
/// Back again. Throws Error{Exit::unusable}.
WorkerOptions read_worker_options(int argc, char** argv);

}  // namespace perp::bench
