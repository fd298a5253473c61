#include "perp/statistics/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"
#include "perp/statistics/level.hpp"

namespace perp {
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
  require(trials > 0 && successes <= trials, "share_spread: {} successes in {} trials", successes, trials);
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
  require(!strata.empty(), "pooled_spread: no strata");
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
  require_level("interval_at", level);
  Interval interval{value, value, level};
  if (spread.share) interval = wilson(spread.share->successes, spread.share->trials, level);
  if (!spread.mean) return interval;
  const double half = spread.mean->error * quantile(spread.mean->freedom, level);
  if (!spread.share) return {value - half, value + half, level};
  return {std::max(0.0, std::min(interval.low, value - half)),
          std::min(1.0, std::max(interval.high, value + half)), level};
}

PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes) {
  require(!parts.empty() && parts.size() == wholes.size(), "pooled_ratio: {} parts of {} wholes",
          parts.size(), wholes.size());
  double part = 0, whole = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    part += parts[i];
    whole += wholes[i];
  }
  require(whole != 0, "pooled_ratio: {} wholes that sum to 0", wholes.size());
  const double ratio = part / whole;
  if (parts.size() < 2) return {ratio};
  MomentSums residuals;
  for (std::size_t i = 0; i < parts.size(); ++i) residuals.add(parts[i] - ratio * wholes[i]);
  return {ratio, spread_of(residuals.moments(), static_cast<double>(wholes.size()) / whole)};
}

}  // namespace perp
