#include "studies/learning/seeds.hpp"

#include <algorithm>

#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"

namespace perp::learning {

Estimate over_seeds(std::span<const double> values, double level, double least, double most) {
  MomentSums sums;
  sums.add(values);
  const Moments moments = sums.moments();
  if (moments.count < 2) return {moments.mean};
  const Interval interval = mean_interval(moments, level);
  return {moments.mean, std::max(interval.low, least), std::min(interval.high, most), level};
}

}  // namespace perp::learning
