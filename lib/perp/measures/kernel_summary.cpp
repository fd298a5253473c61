// What is read from the sums of a kernel's lags.

#include <algorithm>
#include <cmath>

#include "perp/measures/kernel.hpp"
#include "perp/theory/distance.hpp"

namespace perp {

LagSquares lag_squares(const LagStatistics& lags) {
  LagSquares out;
  double sum = 0;
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    const double n = lags.weight(i);
    out.entries += n;
    sum += n * lags.mean[i];
    out.within += lags.square_deviation[i] * (n / static_cast<double>(lags.count[i]));
    out.total += n * lags.mean[i] * lags.mean[i];
  }
  out.total += out.within;
  require(out.entries > 0, "lag_squares: statistics of no lags");
  out.mean = sum / out.entries;
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    const double off = lags.mean[i] - out.mean;
    out.between += lags.weight(i) * off * off;
  }
  return out;
}

double toeplitz_defect(const LagStatistics& lags) {
  const LagSquares squares = lag_squares(lags);
  require(squares.total > 0, "toeplitz_defect: all scores of {} positions are 0", lags.length);
  return std::sqrt(squares.within / squares.total);
}

double toeplitz_r2(const LagStatistics& lags) {
  const LagSquares squares = lag_squares(lags);
  const double variation = squares.within + squares.between;
  require(variation > 0, "toeplitz_r2: all scores of {} positions are {}", lags.length, squares.mean);
  return squares.between / variation;
}

double worst_deviation(const LagStatistics& lags) {
  require(!lags.worst_deviation.empty(), "worst_deviation: statistics of no lags");
  return *std::max_element(lags.worst_deviation.begin(), lags.worst_deviation.end());
}

double sine_alone_defect(std::size_t length, double base) {
  std::vector<double> kernel;
  for (std::size_t lag = 0; lag + 1 < 2 * length; ++lag)
    kernel.push_back(theory::kernel_limit(base, static_cast<double>(lag)));
  return sine_alone_defect(length, kernel);
}

double sine_alone_defect(std::size_t length, std::span<const double> kernel) {
  require(length > 0 && kernel.size() + 1 >= 2 * length,
          "sine_alone_defect: a kernel of {} lags for {} positions; expected {}", kernel.size(), length,
          2 * length - 1);
  const ScoreTile<double> tile = [&](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                     double* out) {
    for (std::size_t t = r0; t < r1; ++t)
      for (std::size_t s = c0; s < c1; ++s) *out++ = kernel[t < s ? s - t : t - s] - kernel[t + s];
  };
  return toeplitz_defect(lag_statistics_of<double>(length, true, tile, 1));
}

}  // namespace perp
