#include "perp/theory/rotary_base.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "perp/base/functions.hpp"
#include "perp/theory/distance.hpp"

namespace perp::theory {
namespace {

using std::numbers::pi;
/// Running sums side by side: a plain loop over them is vectorised.
constexpr std::size_t abreast = 8;

double added_up(const std::array<double, abreast>& sums) {
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// The longest step s for which value + slope s - bend s²/2 stays above 0; value and bend above 0.
double reach(double value, double slope, double bend) {
  const double root = std::sqrt(slope * slope + 2 * bend * value);
  return slope < 0 ? 2 * value / (root - slope) : (slope + root) / bend;
}

}  // namespace

// ---- the sieve -----------------------------------------------------------------------------------------

BaseSieve::BaseSieve(std::size_t d, BaseRange within) : d_(d) {
  const std::size_t pairs = d / 2, padded = (pairs + abreast - 1) / abreast * abreast;
  share_.assign(padded, 0);
  angles_.assign(padded, 0);
  for (std::size_t i = 0; i < pairs; ++i) share_[i] = static_cast<double>(i) / static_cast<double>(pairs);
  logs_ = {{std::log(within.low), std::log(within.high)}};
}

BaseSieve::Sum BaseSieve::sum_at(double log_base, double lag) {
  const std::size_t pairs = d_ / 2;
  const double ratio = std::exp(-log_base / static_cast<double>(pairs)), jump = std::pow(ratio, abreast);
  double first = lag;
  for (std::size_t i = 0; i < std::min(pairs, abreast); ++i, first *= ratio) angles_[i] = first;
  for (std::size_t i = abreast; i < pairs; ++i) angles_[i] = angles_[i - abreast] * jump;
  std::array<double, abreast> value{}, slope{}, bend{}, angle{};
  for (std::size_t i = 0; i < angles_.size(); i += abreast)
    for (std::size_t k = 0; k < abreast; ++k) {
      const double y = angles_[i + k], u = share_[i + k];
      const SineCosine turned = quick_sine(y);
      value[k] += turned.cosine;
      slope[k] += u * y * turned.sine;
      bend[k] += u * u * (y + y * y);
      angle[k] += y;
    }
  // Angles are off by two roundings for each factor `jump` and one for each `ratio` (whose own rounding moves
  // ln T by no more than `pairs` of them), cosines and their sum by a few.
  const double n = static_cast<double>(pairs), factors = 2 * n / abreast + abreast + 4;
  return {added_up(value) - static_cast<double>(angles_.size() - pairs), added_up(slope), added_up(bend),
          0x1p-53 * (factors * added_up(angle) + 4 * n + n * n / abreast)};
}

void BaseSieve::take_out(double lag, BaseRange from, std::vector<BaseRange>& left) {
  double good_from = from.low;
  bool good = false;
  const auto close = [&](double end) {
    if (good) left.push_back({good_from, end});
    good = false;
  };
  for (double x = from.low; x < from.high;) {
    const Sum sum = sum_at(x, lag);
    // Twice the margin to begin a stretch: what rounding leaves undecided does not fall into many.
    const double sign = sum.value > 0 ? 1 : -1, decided = sign * sum.value - (good ? 1 : 2) * sum.rounding;
    // With one pair alone nothing bends: the sum is cos m, whatever the base.
    const double step = decided <= 0   ? 0
                        : sum.bend > 0 ? reach(decided, sign * sum.slope, sum.bend)
                                       : from.high - x;
    if (sign < 0 || step < resolution) {
      close(x);
    } else if (!good) {
      good = true;
      good_from = x;
    }
    x += std::max(step, resolution);
  }
  close(from.high);
}

void BaseSieve::take_out(std::size_t lag) {
  std::vector<BaseRange> left;
  for (const BaseRange& range : logs_) take_out(static_cast<double>(lag), range, left);
  logs_ = std::move(left);
}

void BaseSieve::cut_below(double base) {
  const double log_base = std::log(base);
  std::erase_if(logs_, [&](const BaseRange& range) { return range.high <= log_base; });
  if (!logs_.empty()) logs_.front().low = std::max(logs_.front().low, log_base);
}

std::vector<BaseRange> BaseSieve::left() const {
  std::vector<BaseRange> bases;
  for (const BaseRange& range : logs_) bases.push_back({std::exp(range.low), std::exp(range.high)});
  return bases;
}

std::vector<BaseRange> good_bases(std::size_t d, std::size_t length, BaseRange within) {
  BaseSieve sieve(d, within);
  for (std::size_t lag = 1; lag <= length; ++lag) sieve.take_out(lag);
  return sieve.left();
}

// ---- one base --------------------------------------------------------------------------------------------

std::optional<std::size_t> first_negative_lag(std::span<const double> theta, std::size_t most,
                                              double tolerance) {
  // cos (s+j)θ = cos sθ cos jθ - sin sθ sin jθ: the turns by jθ are shared by every block of lags.
  constexpr std::size_t block = 128;
  const std::size_t pairs = theta.size();
  std::vector<double> angles(pairs), turned(2 * pairs), cosines(pairs * block), sines(pairs * block);
  for (std::size_t i = 0; i < pairs; ++i)
    for (std::size_t j = 0; j < block; ++j) {
      const SineCosine turn = quick_sine(static_cast<double>(j) * theta[i]);
      cosines[i * block + j] = turn.cosine;
      sines[i * block + j] = turn.sine;
    }
  const double allowed = -tolerance * static_cast<double>(pairs);
  std::array<double, block> sums;
  for (std::size_t start = 0; start <= most; start += block) {
    for (std::size_t i = 0; i < pairs; ++i) angles[i] = static_cast<double>(start) * theta[i];
    sines_and_cosines(angles, turned.data());
    sums.fill(0);
    for (std::size_t i = 0; i < pairs; ++i) {
      const double sine = turned[2 * i], cosine = turned[2 * i + 1];
      const double *c = &cosines[i * block], *s = &sines[i * block];
      for (std::size_t j = 0; j < block; ++j) sums[j] += cosine * c[j] - sine * s[j];
    }
    for (std::size_t j = 0; j < std::min(block, most + 1 - start); ++j)
      if (sums[j] < allowed) return start + j;
  }
  return std::nullopt;
}

std::optional<std::size_t> first_negative_lag(std::size_t d, double base, std::size_t most,
                                              double tolerance) {
  std::vector<double> theta(d / 2);
  for (std::size_t i = 0; i < theta.size(); ++i)
    theta[i] = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
  return first_negative_lag(theta, most, tolerance);
}

// ---- theory ----------------------------------------------------------------------------------------------

namespace {

constexpr double cosine_integral_zero = 0.61650548562;

/// A base T at which the aliases are taken as normal, for lags up to `length`.
struct Aliases {
  double d, log_base, length;

  /// The mean that D2's law leaves at m = zT, as a share of the sum at lag 0.
  double mean(double z) const {
    return -cosine_integral(z) / log_base - std::cos(z) / d + log_base / (3 * d * d) * z * std::sin(z);
  }

  struct Rates {
    double bad = 0;      ///< E
    double islands = 0;  ///< ρ
  };
  Rates rates() const {
    constexpr double step = 0.05;
    const double base = std::exp(log_base);
    Rates rates;
    // By the midpoint rule over ln m, up to L and down to where neighbours lie half a turn apart.
    for (double log_lag = std::log(length) - step / 2;; log_lag -= step) {
      const double m = std::exp(log_lag), spread = std::log(2 * m * log_base / (pi * d)), lags = m * step;
      if (!(spread > 0)) return rates;
      const double a = mean(m / base) / std::sqrt(spread / (d * log_base)), far = std::max(a, 0.0),
                   farther = std::max(a, 1.0);
      const double slope = 1 / (2 * spread);
      rates.bad += lags * std::sqrt(slope) / (2 * pi) * std::exp(-far * far / 2);
      rates.islands += lags * std::pow(2 * pi, -1.5) * m * slope / (2 * log_base) * farther *
                       std::exp(-farther * farther / 2);
    }
  }
};

/// ln T from ln L on: every mean is then that of a lag below T, where Ci is a short series.
constexpr double log_step = 0.02;
constexpr std::size_t log_steps = 600;

}  // namespace

double least_base_limit(std::size_t length) { return static_cast<double>(length) / cosine_integral_zero; }

double least_base_published(std::size_t length) {
  return 0.0424 * std::pow(static_cast<double>(length), 1.628);
}

BaseEstimate base_estimate(std::size_t d, std::size_t length) {
  const double first = std::log(std::max(2.0, static_cast<double>(length)));
  const auto log_base = [&](std::size_t i) { return first + log_step * (static_cast<double>(i) + 0.5); };
  std::vector<Aliases::Rates> rates;
  std::size_t mean_above = 0;
  for (std::size_t i = 0; i < log_steps; ++i) {
    const Aliases at{static_cast<double>(d), log_base(i), static_cast<double>(length)};
    rates.push_back(at.rates());
    if (at.mean(static_cast<double>(length) / std::exp(log_base(i))) < 0) mean_above = i + 1;
  }
  // Summed from below and from above until half of the chance is spent; where the sum never reaches that,
  // there are no islands to speak of and the mean alone decides.
  std::size_t least = 0, safe = log_steps;
  for (double good = 0; least < log_steps; ++least)
    if ((good += log_step * rates[least].islands * std::exp(-rates[least].bad)) >= std::numbers::ln2) break;
  if (least == log_steps) least = mean_above;
  for (double bad = 0; safe > 0; --safe)
    if ((bad += log_step * rates[safe - 1].islands) >= std::numbers::ln2) break;
  least = std::max(least, mean_above);
  safe = std::max(least, safe);
  return {std::exp(log_base(least)), std::exp(log_base(safe))};
}

}  // namespace perp::theory
