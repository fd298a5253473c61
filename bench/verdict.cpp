#include "bench/verdict.hpp"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"
#include "perp/statistics/moments.hpp"

namespace perp::bench {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// From the geometric mean, its standard error and the degrees of freedom of that; `times` describes a round.
Contrast contrast_of(const Times& times, double error, double freedom, double miss) {
  Contrast c{times.mean, none, none, times.spread, 1, times.rounds};
  if (c.rounds < 2) return c;
  const double log_ratio = std::log(c.ratio),
               reach = special::student_quantile_above(freedom, miss / 2) * error;
  c.low = std::exp(log_ratio - reach);
  c.high = std::exp(log_ratio + reach);
  const double t = log_ratio / error;  // P(|T| > |t|); NaN where both are 0
  if (log_ratio != 0) c.p = std::isinf(t) ? 0 : special::ibeta(freedom / 2, 0.5, freedom / (freedom + t * t));
  return c;
}

}  // namespace

Times times_of(const std::vector<double>& seconds) {
  if (seconds.empty()) return {none, none, 0};
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
  const double n = static_cast<double>(times.rounds);
  return contrast_of(times, times.spread / std::sqrt(n), n - 1, miss);
}

Contrast separate_contrast(const Times& a, const Times& b) {
  const double na = static_cast<double>(a.rounds), nb = static_cast<double>(b.rounds),
               va = a.spread * a.spread / na, vb = b.spread * b.spread / nb;
  // Welch and Satterthwaite; two sides without any spread have no freedom of their own.
  const double freedom =
      va + vb > 0 ? (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1)) : na + nb - 2;
  return contrast_of({b.mean / a.mean, std::hypot(a.spread, b.spread), std::min(a.rounds, b.rounds)},
                     std::sqrt(va + vb), freedom, false_alarms);
}

std::string with_equals(const std::string& name, std::size_t equals) {
  return equals == 0 ? name : fmt::format("{} (+{} equal)", name, equals);
}

double detectable(double spread, std::size_t rounds) {
  if (rounds < 2 || std::isnan(spread)) return none;
  const double n = static_cast<double>(rounds), freedom = n - 1,
               bound = special::student_quantile_above(freedom, false_alarms / 2);
  // The other tail adds nothing that counts where the power is .8.
  const auto reached = [&](double shift) {
    using boost::math::complement;
    return boost::math::cdf(complement(boost::math::non_central_t(freedom, shift), bound)) >= 0.8;
  };
  double low = 0, high = 1;
  while (!reached(high)) high *= 2;
  for (int step = 0; step < 40; ++step) {
    const double middle = (low + high) / 2;
    (reached(middle) ? high : low) = middle;
  }
  return std::exp(high * spread / std::sqrt(n));
}

}  // namespace perp::bench
