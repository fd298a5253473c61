#pragma once
// When two sides are told apart: Student's t on logarithms of times, a round being the unit, and Holm's
// adjustment for the number of rows. What the bench itself, its calibration and bench-compare decide by.

#include <cstddef>
#include <string_view>
#include <vector>

#include "perp/statistics/interval.hpp"

namespace perp::bench {

inline constexpr double false_alarms = 0.05;  ///< the share of equal sides that may be called different

/// The time of one side over that of another.
struct Contrast {
  double ratio = 0, low = 0, high = 0;  ///< geometric mean and its interval
  double spread = 0;                    ///< standard deviation of a round's log ratio
  double p = 1;                         ///< two-sided, of equal sides; 1 where there are too few rounds
  std::size_t rounds = 0;
};

/// Geometric mean and standard deviation of the logarithm of one side's times.
struct Times {
  double mean = 0, spread = 0;
  std::size_t rounds = 0;
};
Times times_of(const std::vector<double>& seconds);

/// Sides that took turns, from the ratio of each round: what disturbs a round disturbs both. The interval covers with
/// probability 1 - `miss`.
Contrast paired_contrast(const std::vector<double>& ratios, double miss = false_alarms);
/// Sides that ran at different times, b over a: Welch 1947, Biometrika 34:28.
Contrast separate_contrast(const Times& a, const Times& b);

/// p-values adjusted so that with probability 1 - level no row of equal sides has one below `level`, whatever
/// the dependence between rows, and rows of one round do depend on each other. Holm 1979, Scand. J. Statist.
/// 6:65.
std::vector<double> holm(const std::vector<double>& p);

/// "faster", "slower" or "not told apart", from an adjusted p.
std::string_view verdict(const Contrast& contrast, double adjusted);

/// The smallest ratio above 1 that paired rounds with this spread tell from 1 with probability `power` in a
/// test at `level`: from the power of Student's t (its noncentral law). NaN below two rounds.
double detectable(double spread, std::size_t rounds, double level = false_alarms, double power = 0.8);

/// A probability from successes in n trials, exact: covers at least `level`. Clopper and Pearson 1934,
/// Biometrika 26:404.
Interval clopper_pearson(std::size_t successes, std::size_t n, double level);

}  // namespace perp::bench
