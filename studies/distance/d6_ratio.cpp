#include "studies/distance/d6_ratio.hpp"

#include <limits>

#include "perp/base/error.hpp"
#include "perp/statistics/moments.hpp"

namespace perp::distance {

PooledRatio pooled_ratio(std::span<const double> parts, std::span<const double> wholes, double level) {
  require(!parts.empty() && parts.size() == wholes.size(), "pooled_ratio: {} parts of {} wholes",
          parts.size(), wholes.size());
  double part = 0, whole = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    part += parts[i];
    whole += wholes[i];
  }
  require(whole != 0, "pooled_ratio: {} wholes that sum to 0", wholes.size());
  const double ratio = part / whole;
  if (parts.size() < 2) {
    const double absent = std::numeric_limits<double>::quiet_NaN();
    return {ratio, absent, absent};
  }
  MomentSums residuals;
  for (std::size_t i = 0; i < parts.size(); ++i) residuals.add(parts[i] - ratio * wholes[i]);
  const Interval interval = mean_interval(residuals.moments(), level);
  const double half = (interval.high - interval.low) / 2 / (whole / static_cast<double>(wholes.size()));
  return {ratio, ratio - half, ratio + half};
}

}  // namespace perp::distance
