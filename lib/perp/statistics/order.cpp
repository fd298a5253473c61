#include "perp/statistics/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"
#include "perp/statistics/level.hpp"

namespace perp {
namespace {

void require_ordered(const char* where, const std::vector<double>& values) {
  require(!values.empty(), "{}: the sample is empty", where);
  for (std::size_t i = 0; i < values.size(); ++i)
    require(!std::isnan(values[i]), "{}: value {} is NaN", where, i);
}

/// Type 7's place among n sorted values: between `index` and the next, `share` of the way.
struct Place {
  std::size_t index;
  double share;
};

Place place(std::size_t n, double p) {
  require(p >= 0 && p <= 1, "quantile: probability {}, expected 0 … 1", p);
  const double position = p * static_cast<double>(n - 1);
  const std::size_t index = std::min(static_cast<std::size_t>(position), n - 1);
  return {index, position - static_cast<double>(index)};
}

/// Equal ends first: between two infinities the line would be NaN.
double between(double low, double high, double share) {
  return share == 0 || low == high ? low : low + share * (high - low);
}

/// P(B <= k) for B ~ Binomial(n, p), 0 <= k <= n.
double binomial_cdf(std::size_t k, std::size_t n, double p) {
  return k >= n ? 1.0 : special::ibetac(static_cast<double>(k) + 1, static_cast<double>(n - k), p);
}

}  // namespace

double quantile_sorted(std::span<const double> sorted, double p) {
  require(!sorted.empty(), "quantile_sorted: the sample is empty");
  const Place at = place(sorted.size(), p);
  return between(sorted[at.index], sorted[std::min(at.index + 1, sorted.size() - 1)], at.share);
}

double quantile(std::vector<double> values, double p) {
  require_ordered("quantile", values);
  const Place at = place(values.size(), p);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(at.index);
  std::nth_element(values.begin(), nth, values.end());
  const double high = nth + 1 == values.end() ? *nth : *std::min_element(nth + 1, values.end());
  return between(*nth, high, at.share);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

Interval quantile_interval(std::vector<double> values, double p, double level) {
  require_level("quantile_interval", level);
  require(p > 0 && p < 1, "quantile_interval: probability {}, expected between 0 and 1", p);
  require_ordered("quantile_interval", values);
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double tail = (1 - level) / 2;

  // The j-th smallest (from 1) lies above the quantile iff fewer than j values fall below it: P(B <= j-1),
  // which grows with j. Find how many j keep that within the tail, and from above how many keep P(B >= j)
  // within it.
  const auto count_while = [n](auto holds) {
    std::size_t low = 0, high = n;
    while (low < high) {
      const std::size_t middle = low + (high - low + 1) / 2;
      holds(middle) ? low = middle : high = middle - 1;
    }
    return low;
  };
  const std::size_t lower = count_while([&](std::size_t j) { return binomial_cdf(j - 1, n, p) <= tail; });
  // Mirrored: P(B >= n+1-j) = P(n-B <= j-1), and n-B ~ Binomial(n, 1-p).
  const std::size_t upper = count_while([&](std::size_t j) { return binomial_cdf(j - 1, n, 1 - p) <= tail; });
  const double infinity = std::numeric_limits<double>::infinity();
  return {lower == 0 ? -infinity : values[lower - 1], upper == 0 ? infinity : values[n - upper], level};
}

Interval median_interval(std::vector<double> values, double level) {
  return quantile_interval(std::move(values), 0.5, level);
}

}  // namespace perp
