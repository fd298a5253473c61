#include "perp/statistics/line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"

namespace perp {

Line least_squares_line(std::span<const double> x, std::span<const double> y) {
  require(x.size() == y.size() && x.size() >= 2,
          "least_squares_line: {} and {} values, expected equally many, at least 2", x.size(), y.size());
  const double n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  // Equal x may leave rounding behind, so ask the values themselves.
  const bool distinct = std::any_of(x.begin(), x.end(), [&](double value) { return value != x[0]; });
  require(distinct && std::isfinite(xx) && std::isfinite(yy),
          "least_squares_line: x from {} has no spread, or a value is not finite", x[0]);
  Line line;
  line.slope = xy / xx;
  line.correlation =
      yy > 0 ? std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0) : std::numeric_limits<double>::quiet_NaN();
  return line;
}

}  // namespace perp
