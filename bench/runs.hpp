#pragma once
// Starts workers and reads what they say.

#include <map>
#include <string>
#include <vector>

#include "bench/backends.hpp"
#include "bench/operation.hpp"
#include "bench/worker_options.hpp"

namespace perp::bench {

struct Loaded {
  std::string name, version, kernel, path, lapack_path;
};

/// What a worker found when it held one row against the reference.
struct Checked {
  std::string status;  ///< "ok", "failed", "skipped"
  std::string reason, source;
  double error = 0, bound = 0, seconds = 0;
};

/// One backend at one number of threads: everything known about it.
struct Configuration {
  Backend backend;
  std::size_t threads = 1;
  Loaded loaded;
  std::map<std::string, Checked> checks;              ///< by row
  std::map<std::string, std::vector<double>> rounds;  ///< seconds a call, one per round, by row
  std::string name() const;                           ///< "openblas-pthread alone, 2 threads"
};

struct Plan {
  std::string worker;  ///< the worker's file
  std::string folder;  ///< for its answers
  bool quick = false;
  double seconds = 0.03;
};

/// Holds all rows of one configuration against the reference. Throws Error{Exit::unusable} with the worker's
/// own line if another library answers than the one named.
void check(Configuration& c, const Plan& plan);
/// One timed round of the rows that passed.
void time_round(Configuration& c, const Plan& plan);

/// Whether the configuration runs this row: "alone" repeats LAPACK's rows only, since BLAS's would be the
/// same.
bool runs(const Configuration& c, const Row& row);

}  // namespace perp::bench
