#pragma once
// Quantiles, and how an estimate would vary; a mean that a few far values hardly move.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perp/statistics/moments.hpp"

namespace perp {

// Medians and quantiles. None takes NaN.

/// The p-quantile of values in any order: linear between order statistics (n-1)p apart, type 7 of Hyndman & Fan
/// 1996, Amer. Statist. 50:361 (NumPy's and R's default); in linear time.
double quantile(std::vector<double> values, double p);
double median(std::vector<double> values);

// How a number would vary from one set of draws to the next: enough to give its interval at any level.

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

/// Of a mean, Student 1908.
Spread spread_of(const Moments& moments);
/// The same, of the mean times `factor`.
Spread spread_of(const Moments& moments, double factor);
/// A normal law with this standard deviation, which theory gives.
Spread known_spread(double standard_deviation);
/// Of a share of independent trials.
Spread share_spread(std::uint64_t successes, std::uint64_t trials);
/// Of a share over groups; with one group as above.
Spread share_spread(std::uint64_t successes, std::uint64_t trials, std::span<const double> by_group);
/// Of a mean of k independent strata, each with the weight 1/k: variances added, degrees of freedom after
/// Welch 1938 and Satterthwaite 1946, Biometrics 2:110.
Spread pooled_spread(std::span<const Moments> strata);

/// The interval around `value`; a share's own limits 0 and 1 hold.
Interval interval_at(double value, const Spread& spread, double level);

/// Σ parts / Σ wholes over independent draws, and how it spreads; nothing of that for a single draw.
struct PooledRatio {
  double value = 0;
  std::optional<Spread> spread = {};
};

/// A ratio of two expected values, estimated from pairs of draws; unlike the mean of the ratios it may be
/// held against a ratio of expected variances. Spread: Student's for the mean of part - ratio x whole over
/// the mean whole (Cochran 1977, "Sampling Techniques", section 6.3).
PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes);

// A mean that a few far values hardly move, and how often a judgement by it can come out.

struct TrimmedMean {
  double value = 0;
  Spread spread;
};

/// The mean without the ⌊share·n⌋ least and as many largest of n values; its standard error from the winsorised sum
/// of squares, Student's t with h - 1 degrees of freedom, h = n - 2⌊share·n⌋ (Tukey & McLaughlin 1963, Sankhyā A
/// 25:331; Yuen 1974, Biometrika 61:165). share = 0: the mean, as Student has it; below 1/2. Throws
/// Error for values that are not finite and for h < 2.
TrimmedMean trimmed_mean(std::span<const double> values, double share);

/// The probability that the whole interval of the trimmed mean of n normal values of mean 0 and this standard
/// deviation, at `level`, lies below `bound`: by the noncentral t with the normal law's winsorised variance, n to
/// infinity. Throws Error as trimmed_mean does.
double power_below(double bound, double deviation, std::uint64_t n, double share, double level);

/// Of pairs that differ in a yes or no: the probability that at least `first` of first + second have the yes in their
/// first, were each as likely. The one-sided exact test of McNemar 1947, Psychometrika 12:153; 1 without any.
double exact_paired_p(std::uint64_t first, std::uint64_t second);

}  // namespace perp
