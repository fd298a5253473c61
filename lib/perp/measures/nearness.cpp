#include "perp/measures/nearness.hpp"

#include <algorithm>

#include "perp/base/error.hpp"

namespace perp {

Nearness nearness(std::span<const double> kernel) {
  require(kernel.size() > 3, "nearness: {} lags given, expected at least 4", kernel.size());
  const auto lag = [&](auto place) { return static_cast<std::size_t>(place - kernel.begin()); };
  Nearness n;
  n.first_rise = lag(std::min(std::ranges::adjacent_find(kernel, std::ranges::less{}), kernel.end() - 1));
  n.best = lag(std::ranges::max_element(kernel.subspan(1)));
  n.best_beyond =
      n.best + 1 < kernel.size() ? lag(std::ranges::max_element(kernel.subspan(n.best + 1))) : n.best;
  double least = kernel[1];
  for (std::size_t k = 2; k < kernel.size(); ++k) {
    n.largest_rise = std::max(n.largest_rise, kernel[k] - least);
    least = std::min(least, kernel[k]);
  }
  return n;
}

double ordered_share(std::span<const double> kernel, std::size_t lags) {
  require(lags > 2 && lags <= kernel.size(), "ordered_share: {} of {} lags, expected 3 or more", lags,
          kernel.size());
  std::size_t ordered = 0;
  for (std::size_t k = 1; k < lags; ++k)
    for (std::size_t m = k + 1; m < lags; ++m) ordered += kernel[k] > kernel[m];
  return static_cast<double>(ordered) / (static_cast<double>((lags - 1) * (lags - 2)) / 2);
}

}  // namespace perp
