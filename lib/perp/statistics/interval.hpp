#pragma once
// Intervals that say how sure a number is, and the normal law behind them. Levels are coverages: 0.95, not
// 0.05.

#include <cstdint>
#include <functional>
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
/// P(|Z| > |z|), to full relative precision far into the tail; NaN for NaN.
double two_sided_p(double z);

/// A probability, from `successes` in `n` trials. Wilson 1927, JASA 22:209. Throws Error for n = 0 or
/// successes > n. Touches 0 (or 1) only when no (or every) trial succeeded.
Interval wilson(std::uint64_t successes, std::uint64_t n, double level);

/// Indices into the sample for one bootstrap replicate: as many as the sample has values, drawn uniformly and
/// with replacement. The caller owns the randomness, so that this floor needs none.
using Draw = std::function<std::vector<std::uint32_t>(std::uint64_t replicate)>;

/// The population median by percentiles: type-7 quantiles of the medians of `replicates` resamples. Efron
/// 1979, Ann. Statist. 7:1. Throws Error for an empty sample, fewer than 2/(1 - level) replicates, indices
/// outside the sample or too few.
Interval bootstrap_median(std::span<const double> values, double level, std::uint64_t replicates,
                          const Draw& draw);

}  // namespace perp
