#include "perp/statistics/trimmed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"
#include "perp/statistics/level.hpp"

namespace perp {
namespace {

/// Values cut at either end.
std::uint64_t cut_of(std::uint64_t n, double share) {
  require(share >= 0 && share < 0.5, "trimmed_mean: a share of {}, expected 0 or above, below 1/2", share);
  const auto cut = static_cast<std::uint64_t>(share * static_cast<double>(n));
  require(n >= 2 * cut + 2, "trimmed_mean: {} of {} values are left, expected 2 or more", n - 2 * cut, n);
  return cut;
}

/// n times the variance of the trimmed mean of n normal values of variance 1, n to infinity: what is left is as if
/// winsorised at the quantiles ±z.
double normal_variance(double share) {
  if (share == 0) return 1;
  const double z = -normal_quantile(share), kept = 1 - 2 * share,
               density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return (kept - 2 * z * density + 2 * share * z * z) / (kept * kept);
}

}  // namespace

TrimmedMean trimmed_mean(std::span<const double> values, double share) {
  const std::uint64_t n = values.size(), cut = cut_of(n, share), left = n - 2 * cut;
  for (std::size_t i = 0; i < n; ++i)
    require(std::isfinite(values[i]), "trimmed_mean: value {} is not finite", i);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const Moments kept = moments_of(std::span(sorted).subspan(cut, left));
  std::fill_n(sorted.begin(), cut, kept.minimum);
  std::fill_n(sorted.rbegin(), cut, kept.maximum);
  const double squares = moments_of(sorted).variance * static_cast<double>(n - 1);
  const auto h = static_cast<double>(left);
  return {kept.mean, {MeanSpread{std::sqrt(squares / (h * (h - 1))), h - 1}, {}, n}};
}

double power_below(double bound, double deviation, std::uint64_t n, double share, double level) {
  require(deviation > 0, "power_below: a standard deviation of {}, expected above 0", deviation);
  require_level("power_below", level);
  const auto freedom = static_cast<double>(n - 2 * cut_of(n, share) - 1);
  const double error = deviation * std::sqrt(normal_variance(share) / static_cast<double>(n));
  return special::noncentral_student_above(freedom, bound / error,
                                           special::student_quantile_above(freedom, (1 - level) / 2));
}

double exact_paired_p(std::uint64_t first, std::uint64_t second) {
  if (first == 0) return 1;
  return special::ibeta(static_cast<double>(first), static_cast<double>(second) + 1, 0.5);
}

}  // namespace perp
