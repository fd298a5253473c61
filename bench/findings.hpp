#pragma once
// What the bench says in the form that the studies use: study "bench", claim B1.

#include <string>
#include <vector>

#include "bench/tables.hpp"
#include "perp/study/results.hpp"

namespace perp::bench {

/// Everything a bench measured.
struct Measured {
  std::vector<Configuration> configurations;
  std::vector<ComparisonRow> lines;
  Roof roof;
  std::vector<double> fma_by_round;  ///< one thread's, to see how steady the machine was
  std::vector<std::string> missing;
  Sheet sheet;
  bool quick = false;
};

Results results_of(const Measured& measured);

}  // namespace perp::bench
