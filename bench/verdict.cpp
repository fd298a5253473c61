#include "bench/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/functions.hpp"
#include "perp/statistics/moments.hpp"

namespace perp::bench {

Times times_of(const std::vector<double>& seconds) {
  if (seconds.empty()) return {NAN, NAN, 0};
  MomentSums logs;
  for (const double s : seconds) logs.add(std::log(s));
  const Moments moments = logs.moments();
  return {std::exp(moments.mean), std::sqrt(moments.variance), seconds.size()};
}

std::vector<double> paired_ratios(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < std::min(above.size(), below.size()); ++r)
    ratios.push_back(above[r] / below[r]);
  return ratios;
}

Contrast paired_contrast(const std::vector<double>& ratios, double miss) {
  const Times times = times_of(ratios);
  Contrast c{times.mean, NAN, NAN, 1, times.rounds};
  if (c.rounds < 2) return c;
  const double n = static_cast<double>(c.rounds), freedom = n - 1, error = times.spread / std::sqrt(n),
               log_ratio = std::log(c.ratio),
               reach = special::student_quantile_above(freedom, miss / 2) * error;
  c.low = std::exp(log_ratio - reach);
  c.high = std::exp(log_ratio + reach);
  const double t = log_ratio / error;  // P(|T| > |t|); NaN where both are 0
  if (log_ratio != 0) c.p = std::isinf(t) ? 0 : special::ibeta(freedom / 2, 0.5, freedom / (freedom + t * t));
  return c;
}

}  // namespace perp::bench
