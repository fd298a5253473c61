#pragma once
// What the bench says in the form that the studies use: study "bench", claim B1.

#include <optional>
#include <string>
#include <vector>

#include "bench/calibration.hpp"
#include "bench/history.hpp"
#include "bench/tables.hpp"
#include "perp/study/results.hpp"

namespace perp::bench {

/// Everything a bench measured.
struct Measured {
  std::vector<Configuration> configurations;
  Plan plan;
  Roof roof;
  std::vector<double> fma_by_round;  ///< one thread's, to see how steady the machine was
  std::vector<std::string> missing;
  std::vector<std::string>
      faults;  ///< of backends that no program starts with: "mine: the process died of signal 11"
  Sheet sheet;
  std::string baseline;  ///< what everything is held against, as the backend shows itself
  std::string own;       ///< core type that this library's programs take of the default; empty: its own pick
  std::optional<Calibration> calibration;  ///< of the same bench, if there was one
  std::vector<Run> history;                ///< runs before this one on this machine, the oldest first
};

Results results_of(const Measured& measured);

}  // namespace perp::bench
