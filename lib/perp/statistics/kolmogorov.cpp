#include "perp/statistics/kolmogorov.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/statistics/histogram.hpp"

namespace perp {
namespace {

double checked(const Cdf& cdf, double x) {
  const double probability = cdf(x);
  require(probability >= 0 && probability <= 1, "ks_statistic: the cdf is {} at {}, expected 0 … 1",
          probability, x);
  return probability;
}

}  // namespace

double ks_statistic(std::vector<double> values, const Cdf& cdf) {
  require(!values.empty(), "ks_statistic: the sample is empty");
  for (std::size_t i = 0; i < values.size(); ++i)
    require(!std::isnan(values[i]), "ks_statistic: value {} is NaN", i);
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = checked(cdf, values[i]);
    const double below = static_cast<double>(i) / n, through = static_cast<double>(i + 1) / n;
    distance = std::max({distance, expected - below, through - expected});
  }
  return distance;
}

double ks_statistic(const Histogram& histogram, const Cdf& cdf) {
  const std::vector<double> edges = histogram.edges(), seen = histogram.cdf();
  double distance = 0;
  for (std::size_t i = 0; i < edges.size(); ++i)
    distance = std::max(distance, std::abs(seen[i] - checked(cdf, edges[i])));
  return distance;
}

}  // namespace perp
