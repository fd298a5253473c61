#pragma once
// A mean that a few far values hardly move, and how often a judgement by it can come out.

#include <cstdint>
#include <span>

#include "perp/statistics/spread.hpp"

namespace perp {

struct TrimmedMean {
  double value = 0;
  Spread spread;
};

/// The mean without the ⌊share·n⌋ least and as many largest of n values; its standard error from the winsorised sum
/// of squares, Student's t with h - 1 degrees of freedom, h = n - 2⌊share·n⌋ (Tukey & McLaughlin 1963, Sankhyā A
/// 25:331; Yuen 1974, Biometrika 61:165). share = 0: the mean, as Student has it. Throws Error unless
/// 0 <= share < 1/2, for values that are not finite and for h < 2.
TrimmedMean trimmed_mean(std::span<const double> values, double share);

/// The probability that the whole interval of the trimmed mean of n normal values of mean 0 and this standard
/// deviation, at `level`, lies below `bound`: by the noncentral t with the normal law's winsorised variance, n to
/// infinity. Throws Error for deviation <= 0 and as trimmed_mean does.
double power_below(double bound, double deviation, std::uint64_t n, double share, double level);

/// Of pairs that differ in a yes or no: the probability that at least `first` of first + second have the yes in their
/// first, were each as likely. The one-sided exact test of McNemar 1947, Psychometrika 12:153; 1 without any.
double exact_paired_p(std::uint64_t first, std::uint64_t second);

}  // namespace perp
