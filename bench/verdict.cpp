#include "bench/verdict.hpp"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"

namespace perp::bench {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// P(|T| > |t|) for Student's t.
double two_sided(double t, double freedom) {
  return std::isinf(t) ? 0 : special::ibeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

Contrast contrast_of(double log_ratio, double error, double freedom, double miss = false_alarms) {
  Contrast c;
  c.ratio = std::exp(log_ratio);
  const double reach = special::student_quantile_above(freedom, miss / 2) * error;
  c.low = std::exp(log_ratio - reach);
  c.high = std::exp(log_ratio + reach);
  c.p = log_ratio == 0 ? 1 : two_sided(log_ratio / error, freedom);
  return c;
}

}  // namespace

Times times_of(const std::vector<double>& seconds) {
  Times times;
  times.rounds = seconds.size();
  const double n = static_cast<double>(seconds.size());
  double sum = 0, squares = 0;
  for (const double s : seconds) sum += std::log(s);
  const double mean = sum / n;
  for (const double s : seconds) squares += (std::log(s) - mean) * (std::log(s) - mean);
  times.mean = std::exp(mean);
  times.spread = seconds.size() < 2 ? none : std::sqrt(squares / (n - 1));
  return times;
}

Contrast paired_contrast(const std::vector<double>& ratios, double miss) {
  const Times times = times_of(ratios);
  Contrast c{times.mean, none, none, times.spread, 1, times.rounds};
  if (times.rounds < 2) return c;
  const double n = static_cast<double>(times.rounds);
  c = contrast_of(std::log(times.mean), times.spread / std::sqrt(n), n - 1, miss);
  c.spread = times.spread;
  c.rounds = times.rounds;
  return c;
}

Contrast separate_contrast(const Times& a, const Times& b) {
  Contrast c{b.mean / a.mean, none, none, std::hypot(a.spread, b.spread), 1, std::min(a.rounds, b.rounds)};
  if (c.rounds < 2) return c;
  const double na = static_cast<double>(a.rounds), nb = static_cast<double>(b.rounds),
               va = a.spread * a.spread / na, vb = b.spread * b.spread / nb;
  // Welch and Satterthwaite; two sides without any spread have no freedom of their own.
  const double freedom =
      va + vb > 0 ? (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1)) : na + nb - 2;
  const double spread = c.spread;
  const std::size_t rounds = c.rounds;
  c = contrast_of(std::log(c.ratio), std::sqrt(va + vb), freedom);
  c.spread = spread;
  c.rounds = rounds;
  return c;
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::string_view verdict(const Contrast& contrast, double adjusted) {
  if (!(adjusted <= false_alarms)) return "not told apart";
  return contrast.ratio < 1 ? "faster" : "slower";
}

double detectable(double spread, std::size_t rounds, double level, double power) {
  if (rounds < 2 || std::isnan(spread)) return none;
  const double n = static_cast<double>(rounds), freedom = n - 1,
               bound = special::student_quantile_above(freedom, level / 2);
  // The other tail adds nothing that counts where the power is .8.
  const auto reached = [&](double shift) {
    using boost::math::complement;
    return boost::math::cdf(complement(boost::math::non_central_t(freedom, shift), bound)) >= power;
  };
  double low = 0, high = 1;
  while (!reached(high)) high *= 2;
  for (int step = 0; step < 40; ++step) {
    const double middle = (low + high) / 2;
    (reached(middle) ? high : low) = middle;
  }
  return std::exp(high * spread / std::sqrt(n));
}

Interval clopper_pearson(std::size_t successes, std::size_t n, double level) {
  require(n > 0 && successes <= n, "clopper_pearson: {} of {}", successes, n);
  const double k = static_cast<double>(successes), m = static_cast<double>(n), tail = (1 - level) / 2;
  return {successes == 0 ? 0 : special::ibeta_inv(k, m - k + 1, tail),
          successes == n ? 1 : special::ibetac_inv(k + 1, m - k, tail), level};
}

}  // namespace perp::bench
