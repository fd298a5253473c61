#include "perp/statistics/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"
#include "perp/statistics/level.hpp"

namespace perp {

double normal_quantile(double p) {
  require(p > 0 && p < 1, "normal_quantile: probability {}, expected between 0 and 1", p);
  return -std::numbers::sqrt2 * special::erfc_inv(2 * p);
}

Interval wilson(std::uint64_t successes, std::uint64_t n, double level) {
  require_level("wilson", level);
  require(n > 0 && successes <= n,
          "wilson: {} successes in {} trials, expected at least one trial and no more successes", successes,
          n);
  const double z = -normal_quantile((1 - level) / 2);
  const double count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double centre = (share + z * z / (2 * count)) / (1 + z * z / count);
  const double half =
      z / (1 + z * z / count) * std::sqrt((share * (1 - share) + z * z / (4 * count)) / count);
  // The ends are exactly 0 and 1 here; the formula reaches them only up to rounding.
  const double low = successes == 0 ? 0.0 : centre - half;
  const double high = successes == n ? 1.0 : centre + half;
  return {low, high, level};
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace perp
