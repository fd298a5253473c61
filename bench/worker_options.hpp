#pragma once
// What the driver tells a worker, in one place for both sides.

#include <set>
#include <string>
#include <vector>

namespace perp::bench {

/// No call that is predicted to take longer, in seconds, is made.
inline constexpr double longest_call = 1.0;

struct WorkerOptions {
  std::string backend;         ///< its name, for messages
  std::string blas, lapack;    ///< the files that must answer; lapack may be empty: whatever answers
  std::size_t threads = 1;     ///< of BLAS, or of our kernels if `own`
  bool own = false;            ///< our kernels (with one BLAS thread each) instead of BLAS and LAPACK
  bool quick = false;          ///< the smaller shapes only
  bool check = false;          ///< hold every row against the reference instead of timing it
  double seconds = 0.03;       ///< least time for a row
  std::set<std::string> rows;  ///< rows to time; empty: all
  std::string out;             ///< file for the answer
};

/// As arguments for the worker (without its name).
std::vector<std::string> arguments(const WorkerOptions& options, const std::string& rows_file);
/// Back again. Throws Error{Exit::unusable}.
WorkerOptions read_worker_options(int argc, char** argv);

}  // namespace perp::bench
