#include "perp/statistics/order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perp/base/error.hpp"

namespace perp {
double quantile(std::vector<double> values, double p) {
  require(!values.empty(), "quantile: the sample is empty");
  for (std::size_t i = 0; i < values.size(); ++i)
    require(!std::isnan(values[i]), "quantile: value {} is NaN", i);
  require(p >= 0 && p <= 1, "quantile: probability {}, expected 0 … 1", p);
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

}  // namespace perp
