#include "studies/distance/spreads.hpp"

#include <cmath>
#include <limits>

#include "perp/base/special.hpp"

namespace perp::distance {

Estimate from_interval(double value, double low, double high, double level, std::size_t draws) {
  if (draws < 2 || std::isnan(low) || std::isnan(high)) return {value};
  const double freedom = static_cast<double>(draws - 1);
  const double quantile = special::student_quantile_above(freedom, (1 - level) / 2);
  const Spread spread{MeanSpread{(high - low) / 2 / quantile, freedom}, {}, draws};
  return estimated(value, spread);
}

Estimate as_shown(const Estimate& estimate, std::size_t draws) {
  return from_interval(estimate.value, end_or_nan(estimate.low), end_or_nan(estimate.high), shown_level,
                       draws);
}

double end_or_nan(const std::optional<double>& end) {
  return end.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace perp::distance
