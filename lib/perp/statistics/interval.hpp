#pragma once
// Intervals that say how sure a number is, and the normal law behind them. Levels are coverages: 0.95, not
// 0.05.

#include <cstdint>
#include <span>
#include <vector>

namespace perp {

/// The unknown lies between `low` and `high` in at least (exact methods) or about (the others) the share
/// `level` of repetitions. An end that the data cannot bound is infinite.
struct Interval {
  double low = 0, high = 0, level = 0;
};

/// z with P(Z < z) = p for a standard normal Z. Throws Error unless 0 < p < 1.
double normal_quantile(double p);

/// A probability, from `successes` in `n` trials. Wilson 1927, JASA 22:209. Throws Error for n = 0 or
/// successes > n. Touches 0 (or 1) only when no (or every) trial succeeded.
Interval wilson(std::uint64_t successes, std::uint64_t n, double level);

/// p-values adjusted so that with probability 1 - level no test of a true hypothesis has one below `level`, whatever the
/// dependence between the tests. Holm 1979, Scand. J. Statist. 6:65.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace perp
