// w2 and w3: angles between subspaces, and a Gram matrix held against its lags.

#include <algorithm>
#include <cmath>

#include "bench/workloads.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {

Numbers angles_of_random_subspaces(std::size_t threads) {
  constexpr std::size_t d = 512, k = 128, r = 64, trials = 200;
  std::vector<double> largest(trials);
  parallel_for(trials, threads, [&](std::size_t trial) {
    const auto gaussian = [&](std::size_t rows, std::string_view purpose) {
      return normal_matrix<double>(rows, d, stream(2, "workloads", "w2", trial, purpose));
    };
    largest[trial] = principal_cosines(gaussian(k, "first"), gaussian(r, "second")).front();
  });
  MomentSums sums;
  sums.add(std::span<const double>(largest));
  const Moments moments = sums.moments();
  const double share = static_cast<double>(trials - 1) / static_cast<double>(trials);
  return {{"mean", moments.mean}, {"sd", std::sqrt(moments.variance * share)}};
}

Numbers distance_only_check(std::size_t threads) {
  constexpr std::size_t length = 8192, d = 512;
  const LagStatistics lags = lag_statistics(sinusoidal<float>(length, d), threads);
  return {{"worst", worst_deviation(lags)}, {"mean_of_lag_1", lags.mean.at(lags.at(1))}};
}

}  // namespace perp::bench
