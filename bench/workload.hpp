#pragma once
// What is timed here and by a peer written in C++, and the program around it: options, times, and one line of JSON for each
// workload, in the form that the programs of bench/peers print as well. compare_peers puts both sides next to each other.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perp::bench {

/// What a workload found, by name: the numbers that the other side must find as well.
using Numbers = std::vector<std::pair<std::string_view, double>>;

/// The least that a workload asks of a machine: operations of products and factorisations in f32 or f64, a multiply-add
/// being two, or bytes (type "") written; what else it does comes on top.
struct Least {
  std::string_view type;
  double count;
};

struct Workload {
  std::string_view name, meaning;
  Numbers (*run)(std::size_t threads);
  Least least = {"", 0};
};

struct WorkloadOptions {
  std::vector<std::string> only;
  std::size_t threads = 1, repeats = 2;
  std::string blas;  ///< file that must answer for BLAS
};

/// Who runs them.
struct Side {
  std::string name, blas, version, path;
  std::size_t threads = 1;
};

/// Throws Error{Exit::unusable} for options that do not fit.
int run_workloads(int argc, char** argv, const std::vector<Workload>& workloads,
                  Side (*side)(const WorkloadOptions& options));

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace perp::bench
