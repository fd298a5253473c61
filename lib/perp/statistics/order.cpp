#include "perp/statistics/order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perp/base/error.hpp"

namespace perp {
namespace {

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

}  // namespace

double quantile_sorted(std::span<const double> sorted, double p) {
  require(!sorted.empty(), "quantile_sorted: the sample is empty");
  const Place at = place(sorted.size(), p);
  return between(sorted[at.index], sorted[std::min(at.index + 1, sorted.size() - 1)], at.share);
}

double quantile(std::vector<double> values, double p) {
  require(!values.empty(), "quantile: the sample is empty");
  for (std::size_t i = 0; i < values.size(); ++i)
    require(!std::isnan(values[i]), "quantile: value {} is NaN", i);
  const Place at = place(values.size(), p);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(at.index);
  std::nth_element(values.begin(), nth, values.end());
  const double high = nth + 1 == values.end() ? *nth : *std::min_element(nth + 1, values.end());
  return between(*nth, high, at.share);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace perp
