#pragma once
// Starts workers and reads what they say.

#include <map>
#include <string>
#include <vector>

#include "bench/backends.hpp"
#include "bench/operation.hpp"
#include "perp/study/start.hpp"

namespace perp::bench {

struct Loaded : BlasIdentity {
  std::size_t threads = 0;  ///< that the library says it uses; 0 if it does not say
};

/// What a worker found when it held one row against the reference.
struct Checked {
  std::string status;  ///< "ok", "failed", "skipped"
  std::string reason, source;
  double error = 0, bound = 0;  ///< NaN where the call did not come to a result
  double seconds = 0;
};

/// One backend at one number of threads: everything known about it.
struct Configuration {
  Backend backend;
  std::size_t threads = 1;
  Loaded loaded = {};
  std::map<std::string, Checked> checks = {};              ///< by row
  std::map<std::string, std::vector<double>> rounds = {};  ///< seconds a call, one per round, by row
  std::string fault = {};    ///< why no more can be had of it; what is here was measured before
  std::string name() const;  ///< "openblas-pthread, 2 threads"
};

/// How much is measured.
struct Preset {
  bool quick = false;      ///< the smaller half of the shapes
  std::size_t rounds = 5;  ///< backends taking turns
  double seconds = 0.03;   ///< least time for a row in a round
  double longest = 1;      ///< no call that is predicted to take longer, in seconds
};

struct Plan : Preset {
  std::string worker;                      ///< the worker's file
  std::string folder;                      ///< for its answers
  unsigned row_limit = default_row_limit;  ///< a row that takes more seconds fails
  bool grid = false, every_size = false;   ///< blas-check's calls instead of both
  /// What every configuration is asked for, in the worker's order.
  std::vector<std::string> names() const;
};

/// After as many calls of one operation that do not come back the rest of them is not tried.
inline constexpr std::size_t most_deaths = 3;

/// The backends, each followed by the same library under every other core type that it can be told, that it takes and that
/// this processor runs; `wanted` keeps those core types ("SkylakeX skx"), "each" all, "picked" none. Throws
/// Error{Exit::unusable} for a word that fits none.
std::vector<Backend> with_kernels(const std::vector<Backend>& backends, const Plan& plan,
                                  const std::string& wanted);

/// What a worker makes of a backend that it has not named yet.
BlasTrial try_backend(const Backend& backend, const Plan& plan);

/// Holds all rows of one configuration against the reference. A worker that dies or stops fails the row it
/// was at; the next one goes on behind it. One that does not come to a row, because another library answers than
/// the one named for example, is the configuration's fault. Throws Error for what is wrong with none of them, a full disk.
void check(Configuration& c, const Plan& plan);

/// One timed round of the rows that passed; a worker that dies is the configuration's fault, which has then no times. What Google Benchmark wrote stays in <folder>/google-benchmark/.
void time_round(Configuration& c, const Plan& plan);

}  // namespace perp::bench
