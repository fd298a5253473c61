#pragma once
// The bench held against itself: one configuration under two names, in the same interleaved rounds. How often the two are
// called different is what the verdicts between backends are worth here.

#include <functional>
#include <string>
#include <vector>

#include "bench/runs.hpp"

namespace perp::bench {

/// What came of the comparisons of one row.
struct Calibrated {
  std::string row;
  std::size_t comparisons = 0, different = 0;
};
using Calibration = std::vector<Calibrated>;

/// Adds one repeat: the rounds of both names, row by row. A row that one of them did not run is left out.
void add_repeat(Calibration& calibration, const Configuration& one, const Configuration& again);

/// Repeats until there are 400 comparisons. `say` hears of every round. Throws Error where the backend cannot be timed.
Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan,
                      const std::function<void(const std::string&)>& say);

}  // namespace perp::bench
