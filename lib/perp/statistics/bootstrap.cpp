#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/statistics/level.hpp"
#include "perp/statistics/order.hpp"

namespace perp {
namespace {

void check(std::span<const double> values, double level, std::uint64_t replicates) {
  require_level("bootstrap", level);
  require(!values.empty(), "bootstrap: the sample is empty");
  require(static_cast<double>(replicates) * (1 - level) >= 2 * (1 - 1e-12),
          "bootstrap: {} replicates, expected at least {} for level {}", replicates,
          std::ceil(2 / (1 - level)), level);
}

std::vector<double> sorted_replicates(std::span<const double> values, const Statistic& statistic,
                                      std::uint64_t replicates, const Draw& draw) {
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
    results[replicate] = statistic(sample);
    require(std::isfinite(results[replicate]), "bootstrap: the statistic of replicate {} is {}", replicate,
            results[replicate]);
  }
  std::sort(results.begin(), results.end());
  return results;
}

/// Efron's a: a sixth of the skewness of the jackknife's influence values; 0 where they are all equal.
double acceleration(std::span<const double> values, const Statistic& statistic) {
  const std::size_t n = values.size();
  std::vector<double> left_out(n), sample;
  for (std::size_t skip = 0; skip < n; ++skip) {
    sample.assign(values.begin(), values.end());
    sample.erase(sample.begin() + static_cast<std::ptrdiff_t>(skip));
    left_out[skip] = statistic(sample);
  }
  double mean = 0, second = 0, third = 0;
  for (const double value : left_out) mean += value / static_cast<double>(n);
  for (const double value : left_out) {
    second += (mean - value) * (mean - value);
    third += (mean - value) * (mean - value) * (mean - value);
  }
  return second > 0 ? third / (6 * second * std::sqrt(second)) : 0.0;
}

double normal_probability(double z) { return 0.5 * std::erfc(-z * std::sqrt(0.5)); }

double mean_of(std::span<double> sample) {
  double sum = 0;
  for (const double value : sample) sum += value;
  return sum / static_cast<double>(sample.size());
}

double median_of(std::span<double> sample) {
  std::sort(sample.begin(), sample.end());
  return quantile_sorted(sample, 0.5);
}

}  // namespace

Interval bootstrap_percentile(std::span<const double> values, const Statistic& statistic, double level,
                              std::uint64_t replicates, const Draw& draw) {
  check(values, level, replicates);
  const std::vector<double> results = sorted_replicates(values, statistic, replicates, draw);
  const double tail = (1 - level) / 2;
  return {quantile_sorted(results, tail), quantile_sorted(results, 1 - tail), level};
}

Interval bootstrap_bca(std::span<const double> values, const Statistic& statistic, double level,
                       std::uint64_t replicates, const Draw& draw) {
  check(values, level, replicates);
  require(values.size() >= 2, "bootstrap_bca: a sample of {}, expected at least 2 for the jackknife",
          values.size());
  const std::vector<double> results = sorted_replicates(values, statistic, replicates, draw);
  std::vector<double> sample(values.begin(), values.end());
  const double estimate = statistic(sample);
  if (results.front() == results.back() && results.front() == estimate) return {estimate, estimate, level};

  // Half of the ties count as below, so that a discrete statistic is not read as biased.
  const auto [first, last] = std::equal_range(results.begin(), results.end(), estimate);
  const double below =
      (static_cast<double>(first - results.begin()) + static_cast<double>(last - results.begin())) /
      (2 * static_cast<double>(replicates));
  require(below > 0 && below < 1,
          "bootstrap_bca: every one of {} replicates is on one side of the estimate {}: no bias correction",
          replicates, estimate);
  const double bias = normal_quantile(below), a = acceleration(values, statistic);
  const auto end = [&](double z) {
    const double shifted = bias + (bias + z) / (1 - a * (bias + z));
    return quantile_sorted(results, normal_probability(shifted));
  };
  const double z = normal_quantile((1 - level) / 2);
  return {end(z), end(-z), level};
}

Interval bootstrap_mean(std::span<const double> values, double level, std::uint64_t replicates,
                        const Draw& draw) {
  return bootstrap_bca(values, mean_of, level, replicates, draw);
}

Interval bootstrap_median(std::span<const double> values, double level, std::uint64_t replicates,
                          const Draw& draw) {
  return bootstrap_percentile(values, median_of, level, replicates, draw);
}

}  // namespace perp
