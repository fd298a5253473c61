#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/statistics/level.hpp"
#include "perp/statistics/order.hpp"

namespace perp {
namespace {

std::vector<double> sorted_medians(std::span<const double> values, std::uint64_t replicates,
                                   const Draw& draw) {
  std::vector<double> results(replicates), sample(values.size());
  for (std::uint64_t replicate = 0; replicate < replicates; ++replicate) {
    const std::vector<std::uint32_t> indices = draw(replicate);
    require(indices.size() == values.size(), "bootstrap: replicate {} has {} indices, expected {}", replicate,
            indices.size(), values.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      require(indices[i] < values.size(), "bootstrap: replicate {} draws index {} of a sample of {}",
              replicate, indices[i], values.size());
      sample[i] = values[indices[i]];
    }
    std::sort(sample.begin(), sample.end());
    results[replicate] = quantile_sorted(sample, 0.5);
    require(std::isfinite(results[replicate]), "bootstrap: the median of replicate {} is {}", replicate,
            results[replicate]);
  }
  std::sort(results.begin(), results.end());
  return results;
}

}  // namespace

Interval bootstrap_median(std::span<const double> values, double level, std::uint64_t replicates,
                          const Draw& draw) {
  require_level("bootstrap", level);
  require(!values.empty(), "bootstrap: the sample is empty");
  require(static_cast<double>(replicates) * (1 - level) >= 2 * (1 - 1e-12),
          "bootstrap: {} replicates, expected at least {} for level {}", replicates,
          std::ceil(2 / (1 - level)), level);
  const std::vector<double> results = sorted_medians(values, replicates, draw);
  const double tail = (1 - level) / 2;
  return {quantile_sorted(results, tail), quantile_sorted(results, 1 - tail), level};
}

}  // namespace perp
