#include "studies/learning/seeds.hpp"

#include <algorithm>

namespace perp::learning {

Moments moments_of(std::span<const double> values) {
  MomentSums sums;
  sums.add(values);
  return sums.moments();
}

Estimate over_seeds(std::span<const double> values, double least, double most) {
  const Moments moments = moments_of(values);
  if (moments.count < 2) return {moments.mean};
  Estimate estimate = estimated(moments);
  estimate.low = std::max(*estimate.low, least);
  estimate.high = std::min(*estimate.high, most);
  return estimate;
}

std::optional<Estimate> over_strata(std::span<const Moments> strata) {
  if (strata.empty() || std::ranges::any_of(strata, [](const Moments& m) { return m.count < 2; }))
    return std::nullopt;
  double mean = 0;
  for (const Moments& stratum : strata) mean += stratum.mean;
  return estimated(mean / static_cast<double>(strata.size()), pooled_spread(strata));
}

}  // namespace perp::learning
