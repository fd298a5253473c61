#include "perp/statistics/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"
#include "perp/statistics/moments.hpp"

namespace perp {
double quantile(std::vector<double> values, double p) {
  // Type 7's place among the sorted values: between `index` and the next, `share` of the way.
  const double position = p * static_cast<double>(values.size() - 1);
  const std::size_t index = std::min(static_cast<std::size_t>(position), values.size() - 1);
  const double share = position - static_cast<double>(index);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), nth, values.end());
  const double low = *nth, high = nth + 1 == values.end() ? low : *std::min_element(nth + 1, values.end());
  // Equal ends first: between two infinities the line would be NaN.
  return share == 0 || low == high ? low : low + share * (high - low);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

namespace {

/// What Student's t, or the normal law, exceeds with probability (1 - level)/2.
double quantile(double freedom, double level) {
  return std::isinf(freedom) ? -normal_quantile((1 - level) / 2)
                             : special::student_quantile_above(freedom, (1 - level) / 2);
}

}  // namespace

Spread spread_of(const Moments& moments) { return spread_of(moments, 1); }

Spread spread_of(const Moments& moments, double factor) {
  return {MeanSpread{std::abs(factor) * standard_error(moments), static_cast<double>(moments.count - 1)},
          {},
          moments.count};
}

Spread known_spread(double standard_deviation) {
  return {MeanSpread{standard_deviation, std::numeric_limits<double>::infinity()}, {}, 0};
}

Spread share_spread(std::uint64_t successes, std::uint64_t trials) {
  return {{}, ShareSpread{successes, trials}, trials};
}

Spread share_spread(std::uint64_t successes, std::uint64_t trials, std::span<const double> by_group) {
  Spread spread = share_spread(successes, trials);
  if (by_group.size() < 2) return spread;
  MomentSums sums;
  sums.add(by_group);
  const Spread groups = spread_of(sums.moments());
  spread.mean = groups.mean;
  spread.replicates = groups.replicates;
  return spread;
}

Spread pooled_spread(std::span<const Moments> strata) {
  double variance = 0, over_freedom = 0;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const Moments& stratum : strata) {
    const double error = standard_error(stratum), square = error * error;
    variance += square;
    over_freedom += square * square / static_cast<double>(stratum.count - 1);
    least = std::min(least, stratum.count);
  }
  // Strata that do not vary at all say nothing of the freedom; any will do for a width of zero.
  const double freedom =
      over_freedom > 0 ? variance * variance / over_freedom : static_cast<double>(least - 1);
  return {MeanSpread{std::sqrt(variance) / static_cast<double>(strata.size()), freedom}, {}, least};
}

Interval interval_at(double value, const Spread& spread, double level) {
  Interval interval{value, value, level};
  if (spread.share) interval = wilson(spread.share->successes, spread.share->trials, level);
  if (!spread.mean) return interval;
  const double half = spread.mean->error * quantile(spread.mean->freedom, level);
  if (!spread.share) return {value - half, value + half, level};
  return {std::max(0.0, std::min(interval.low, value - half)),
          std::min(1.0, std::max(interval.high, value + half)), level};
}

PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes) {
  double part = 0, whole = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    part += parts[i];
    whole += wholes[i];
  }
  const double ratio = part / whole;
  if (parts.size() < 2) return {ratio};
  MomentSums residuals;
  for (std::size_t i = 0; i < parts.size(); ++i) residuals.add(parts[i] - ratio * wholes[i]);
  return {ratio, spread_of(residuals.moments(), static_cast<double>(wholes.size()) / whole)};
}

namespace {

/// Values cut at either end.
std::uint64_t cut_of(std::uint64_t n, double share) {
  const auto cut = static_cast<std::uint64_t>(share * static_cast<double>(n));
  require(n >= 2 * cut + 2, "trimmed_mean: {} of {} values are left, expected 2 or more", n - 2 * cut, n);
  return cut;
}

/// n times the variance of the trimmed mean of n normal values of variance 1, n to infinity: what is left is as if
/// winsorised at the quantiles ±z.
double normal_variance(double share) {
  if (share == 0) return 1;
  const double z = -normal_quantile(share), kept = 1 - 2 * share,
               density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return (kept - 2 * z * density + 2 * share * z * z) / (kept * kept);
}

}  // namespace

TrimmedMean trimmed_mean(std::span<const double> values, double share) {
  const std::uint64_t n = values.size(), cut = cut_of(n, share), left = n - 2 * cut;
  for (std::size_t i = 0; i < n; ++i)
    require(std::isfinite(values[i]), "trimmed_mean: value {} is not finite", i);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const Moments kept = moments_of(std::span(sorted).subspan(cut, left));
  std::fill_n(sorted.begin(), cut, kept.minimum);
  std::fill_n(sorted.rbegin(), cut, kept.maximum);
  const double squares = moments_of(sorted).variance * static_cast<double>(n - 1);
  const auto h = static_cast<double>(left);
  return {kept.mean, {MeanSpread{std::sqrt(squares / (h * (h - 1))), h - 1}, {}, n}};
}

double power_below(double bound, double deviation, std::uint64_t n, double share, double level) {
  const auto freedom = static_cast<double>(n - 2 * cut_of(n, share) - 1);
  const double error = deviation * std::sqrt(normal_variance(share) / static_cast<double>(n));
  return special::noncentral_student_above(freedom, bound / error,
                                           special::student_quantile_above(freedom, (1 - level) / 2));
}

double exact_paired_p(std::uint64_t first, std::uint64_t second) {
  if (first == 0) return 1;
  return special::ibeta(static_cast<double>(first), static_cast<double>(second) + 1, 0.5);
}

}  // namespace perp
