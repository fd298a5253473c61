#include "perp/theory/reader.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

/// log Σ_j y^j/(j! Γ(j + k)), y > 0, outward from its largest term.
double log_series(double y, double k) {
  constexpr double least = 1e-17;
  const double mode = std::floor((std::sqrt(k * k + 4 * y) - k) / 2);
  double sum = 1;
  for (double term = 1, j = mode; (term *= y / ((j + 1) * (j + k))) > least * sum; ++j) sum += term;
  for (double term = 1, j = mode; j > 0 && (term *= j * (j - 1 + k) / y) > least * sum; --j) sum += term;
  return std::log(sum) + mode * std::log(y) - std::lgamma(mode + 1) - std::lgamma(mode + k);
}

/// Half the squared length of a normal vector of d coordinates of one variance about a centre.
struct HalfSquare {
  double d, variance, centre;  ///< `centre`: squared length of the mean

  double mean() const { return (d * variance + centre) / 2; }
  double deviation() const { return std::sqrt(variance * (2 * d * variance + 4 * centre)) / 2; }
  double density(double e) const {
    const double x = 2 * e / variance, noncentral = centre / variance;
    return std::exp((d / 2 - 1) * std::log(x / 2) + log_series(noncentral * x / 4, d / 2) -
                    (x + noncentral) / 2) /
           variance;
  }
};

/// K(u) = 1 - exp(-e^u) at whole steps of u from -40 on; 1 from 4 on.
constexpr double lowest = -40, highest = 4;
std::vector<double> kernel(double step) {
  std::vector<double> values;
  for (long k = std::lround(lowest / step); static_cast<double>(k) * step < highest; ++k)
    values.push_back(-std::expm1(-std::exp(static_cast<double>(k) * step)));
  return values;
}

/// A law on the grid (i + ½) step, i = first, first + 1 …
class Gridded {
 public:
  Gridded(const HalfSquare& law, double step, double last)
      : first_(std::max(0L, std::lround((law.mean() - 14 * law.deviation()) / step))),
        below_(std::lround(lowest / step)) {
    const double most = law.mean() + 10 * law.deviation();
    for (long i = first_; (static_cast<double>(i) + 0.5) * step < std::min(most, last); ++i)
      mass_.push_back(step * law.density((static_cast<double>(i) + 0.5) * step));
    // What the midpoint rule makes of a density that starts at 0 with a kink (d = 4) or a step.
    if (most <= last) {
      const double all = std::accumulate(mass_.begin(), mass_.end(), 0.0);
      for (double& m : mass_) m /= all;
    }
    sums_.assign(mass_.size() + 1, 0.0);
    std::partial_sum(mass_.begin(), mass_.end(), sums_.begin() + 1);
  }
  long first() const { return first_; }
  long end() const { return first_ + static_cast<long>(mass_.size()); }
  /// 1 - φ at (j + ½) step, K of that step.
  double found(long j, const std::vector<double>& k) const {
    const long certain = std::clamp(j - below_ - static_cast<long>(k.size()) + 1, first_, end()),
               last = std::clamp(j - below_ + 1, certain, end());
    double sum = sums_[static_cast<std::size_t>(certain - first_)];
    for (long i = certain; i < last; ++i)
      sum += mass_[static_cast<std::size_t>(i - first_)] * k[static_cast<std::size_t>(j - i - below_)];
    return std::min(sum, 1.0);
  }

 private:
  long first_, below_;
  std::vector<double> mass_, sums_;
};

/// Nats that are lost, given R.
double loss_given(double square, double codewords, double d, double s) {
  const HalfSquare other{d, s, square}, sent{d, s / (1 + s), square / ((1 + s) * (1 + s))};
  const double step = std::min(0.25, std::min(other.deviation(), sent.deviation()) / 4);
  const std::vector<double> k = kernel(step);
  const Gridded own(sent, step, INFINITY);
  const double top = static_cast<double>(own.end()) * step + highest;
  const Gridded rivals(other, step, top - lowest);
  double sum = 0;
  for (long j = std::lround(top / step); static_cast<double>(j) * step > lowest - std::log(codewords); --j) {
    const double found = rivals.found(j, k);
    sum += -std::expm1((codewords - 1) * std::log1p(-std::min(found, 1 - 1e-16))) * (1 - own.found(j, k));
    if (j < own.first() && found * codewords < 1e-13) break;
  }
  return sum * step;
}

void require_channel(const char* where, std::size_t d, double power, double noise) {
  require(noise > 0 && std::isfinite(noise), "{}: noise {}, expected above 0", where, noise);
  require(d >= 2 && power >= 0 && std::isfinite(power),
          "{}: power {} in {} dimensions, expected 0 or more in at least 2", where, power, d);
}

/// Mean ln(1 + λ/c) over the eigenvalues λ of a covariance whose mean is `variance`: `ratio` rows a dimension.
double mean_log(double variance, double ratio, double c) {
  const double g = variance / (ratio * c), root = std::sqrt(ratio),
               f = std::pow(
                   std::sqrt(g * (1 + root) * (1 + root) + 1) - std::sqrt(g * (1 - root) * (1 - root) + 1),
                   2);
  return ratio * std::log(1 + g - f / 4) + std::log(1 + g * ratio - f / 4) - f / (4 * g);
}

}  // namespace

double table_bits(double codewords, std::size_t d, double power, double noise) {
  require_channel("table_bits", d, power, noise);
  require(codewords >= 1 && std::isfinite(codewords), "table_bits: {} codewords, expected at least 1",
          codewords);
  if (power == 0 || codewords == 1) return 0;
  const double n = static_cast<double>(d), s = power / (n * noise * noise), step = 0.75 * std::sqrt(2 / n);
  // Trapezoids over ln χ²_d.
  double weights = 0, loss = 0;
  for (int k = -14; k <= 10; ++k) {
    const double u = k * step, weight = std::exp(n / 2 * (u - std::expm1(u)));
    if (weight < 1e-14) continue;
    weights += weight;
    loss += weight * loss_given((1 + s) * n * std::exp(u), codewords, n, s);
  }
  return std::log2(codewords) - loss / weights / std::log(2.0);
}

double noise_beside(double noise, std::size_t d, double other_power) {
  require_channel("noise_beside", d, other_power, noise);
  return std::hypot(noise, std::sqrt(other_power / static_cast<double>(d)));
}

double noise_beside(double noise, double variance, std::span<const double> eigenvalues) {
  require(noise > 0 && variance > 0 && !eigenvalues.empty(),
          "noise_beside: noise {}, variance {}, {} eigenvalues; expected all above 0", noise, variance,
          eigenvalues.size());
  double sum = 0;
  for (const double value : eigenvalues) sum += std::log1p(variance / (noise * noise + std::max(value, 0.0)));
  return std::sqrt(variance / std::expm1(sum / static_cast<double>(eigenvalues.size())));
}

double noise_beside_random(double noise, std::size_t d, double power, double other_power, std::size_t rows) {
  require_channel("noise_beside_random", d, other_power, noise);
  require(power > 0 && rows >= 2,
          "noise_beside_random: power {} beside {} rows, expected it beside two or more", power, rows);
  const double n = static_cast<double>(d), own = power / n, square = noise * noise;
  if (other_power == 0) return noise;
  const double ratio = static_cast<double>(rows - 1) / n;
  const auto logarithm = [&](double c) { return std::log(c) + mean_log(other_power / n, ratio, c); };
  return std::sqrt(own / std::expm1(logarithm(square + own) - logarithm(square)));
}

}  // namespace perp::theory
