#pragma once
// How a number would vary from one set of draws to the next: enough to give its interval at any level.

#include <cstdint>
#include <optional>
#include <span>

#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"

namespace perp {

/// A mean's standard error, and the degrees of freedom of Student's t (infinite where the standard deviation
/// is known).
struct MeanSpread {
  double error = 0, freedom = 0;
};

/// A share's trials.
struct ShareSpread {
  std::uint64_t successes = 0, trials = 0;
};

/// One of the two, or both: trials in several independent groups (codebooks, seeds) have the wider, on either
/// side, of Wilson's interval over trials and Student's over groups.
struct Spread {
  std::optional<MeanSpread> mean;
  std::optional<ShareSpread> share;
  /// Independent replicates behind the number: the values of a mean, the groups of a share that has groups,
  /// else its trials; of strata the smallest number in one of them. 0 where the law itself is known.
  std::uint64_t replicates = 0;
};

/// Of a mean, Student 1908. Throws Error below two values.
Spread spread_of(const Moments& moments);
/// The same, of the mean times `factor`.
Spread spread_of(const Moments& moments, double factor);
/// A normal law with this standard deviation, which theory gives.
Spread known_spread(double standard_deviation);
/// Of a share of independent trials. Throws Error for no trials or more successes than trials.
Spread share_spread(std::uint64_t successes, std::uint64_t trials);
/// Of a share over groups; with one group as above.
Spread share_spread(std::uint64_t successes, std::uint64_t trials, std::span<const double> by_group);
/// Of a mean of k independent strata, each with the weight 1/k: variances added, degrees of freedom after
/// Welch 1938 and Satterthwaite 1946, Biometrics 2:110. Throws Error for no strata or one below two values.
Spread pooled_spread(std::span<const Moments> strata);

/// The interval around `value`; a share's own limits 0 and 1 hold. Throws Error unless 0 < level < 1.
Interval interval_at(double value, const Spread& spread, double level);

/// Σ parts / Σ wholes over independent draws, and how it spreads; nothing of that for a single draw.
struct PooledRatio {
  double value = 0;
  std::optional<Spread> spread = {};
};

/// A ratio of two expected values, estimated from pairs of draws; unlike the mean of the ratios it may be
/// held against a ratio of expected variances. Spread: Student's for the mean of part - ratio x whole over
/// the mean whole (Cochran 1977, "Sampling Techniques", section 6.3). Throws Error for spans of different
/// size, empty ones, and where the wholes sum to 0.
PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes);

}  // namespace perp
