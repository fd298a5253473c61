#include "perp/statistics/ratio.hpp"

#include "perp/base/error.hpp"

namespace perp {

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
