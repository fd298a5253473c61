#pragma once
// The bench held against itself: one configuration under two names, in the same interleaved rounds. How often
// the two are called different is what the verdicts between backends are worth.

#include <functional>
#include <string>
#include <vector>

#include "bench/runs.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

/// What came of the comparisons of one row.
struct CalibratedRow {
  std::string row;
  std::size_t comparisons = 0, different = 0;
  double spread = 0;  ///< of a round's log ratio, root of the mean square over comparisons
};

struct Calibration {
  std::string configuration;
  std::size_t rounds = 0;
  std::vector<CalibratedRow> rows = {};

  std::size_t comparisons() const;
  std::size_t different() const;
  double rate() const { return static_cast<double>(different()) / static_cast<double>(comparisons()); }
  Interval interval() const;  ///< Wilson's, at 99 %
  /// The smallest ratio of times that one comparison of this row tells apart, with probability .8.
  double detectable(const CalibratedRow& row) const;
};

inline constexpr std::size_t least_comparisons = 400;
inline constexpr double widest_half = 0.03;  ///< half the interval's width, at most

/// Whether there are enough comparisons for the interval asked for.
bool is_enough(const Calibration& calibration);

/// Adds one repeat: the rounds of both names, row by row. A row that one of them did not run is left out.
void add_repeat(Calibration& calibration, const Configuration& one, const Configuration& again);

/// Repeats until it is enough, or 40 times. `say` hears of every round.
Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan,
                      const std::function<void(const std::string&)>& say);

Table calibration_table(const Calibration& calibration);  ///< calibration.csv

}  // namespace perp::bench
