#include "perp/theory/distance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "perp/base/functions.hpp"

namespace perp::theory {
namespace {

constexpr double gamma = std::numbers::egamma;
using std::numbers::pi;

/// Σ_{n>=1} (-x²)ⁿ/(2n (2n)!), which is Ci(x) - γ - ln x.
double cosine_series(double x) {
  double term = 1, sum = 0;
  for (int n = 2; n <= 40; n += 2) {
    term *= -x * x / (n * (n - 1));
    sum += term / n;
  }
  return sum;
}

/// E₁(ix) e^{ix}: 1/(z+1 - 1/(z+3 - 4/(z+5 - …))), z = ix, forwards by Lentz (1976, Appl. Opt. 15, 668).
std::complex<double> exponential_fraction(double x) {
  std::complex<double> b{1, x}, d = 1.0 / b, c = std::numeric_limits<double>::max(), result = d;
  for (int n = 1; n < 500; ++n) {
    const double a = -static_cast<double>(n) * n;
    b += 2.0;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    const std::complex<double> step = c * d;
    result *= step;
    if (std::abs(step.real() - 1) + std::abs(step.imag()) < 1e-16) break;
  }
  return result;
}

}  // namespace

double cosine_integral(double x) {
  if (x < 2) return gamma + std::log(x) + cosine_series(x);
  const std::complex<double> turn{std::cos(x), -std::sin(x)};
  return -(turn * exponential_fraction(x)).real();
}

double kernel_exact(std::size_t d, double base, double lag) {
  return kernel_exact(d, base, std::vector<double>{lag}).front();
}

std::vector<double> kernel_exact(std::size_t d, double base, const std::vector<double>& lags) {
  std::vector<double> omega(d / 2), angles(d / 2), turned(d), sums;
  for (std::size_t i = 0; i < omega.size(); ++i)
    omega[i] = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
  for (const double lag : lags) {
    for (std::size_t i = 0; i < omega.size(); ++i) angles[i] = omega[i] * lag;
    sines_and_cosines(angles, turned.data());
    double sum = 0;
    for (std::size_t i = 0; i < omega.size(); ++i) sum += turned[2 * i + 1];
    sums.push_back(sum);
  }
  return sums;
}

double kernel_share(std::size_t d, double base, double lag) {
  return kernel_exact(d, base, lag) / (static_cast<double>(d) / 2);
}

double kernel_limit(double base, double lag) {
  const double k = std::abs(lag);
  if (k == 0) return 1;
  // Below 2 both logarithms come from one quotient, so that nothing cancels as k goes to 0.
  if (k < 2) return 1 + (cosine_series(k) - cosine_series(k / base)) / std::log(base);
  return (cosine_integral(k) - cosine_integral(k / base)) / std::log(base);
}

double kernel_log_line(double base, double lag) {
  return 1 - (gamma + std::log(std::abs(lag))) / std::log(base);
}

double kernel_finite(std::size_t d, double base, double lag) {
  const double limit = kernel_limit(base, lag);
  const double n = static_cast<double>(d), k = lag, slow = lag / base;
  const double ends = (std::cos(k) - std::cos(slow)) / n;
  const double slopes = std::log(base) / (3 * n * n) * (slow * std::sin(slow) - k * std::sin(k));
  return limit + ends + slopes;
}

double alias_lag(std::size_t d, double base) { return pi * static_cast<double>(d) / std::log(base); }

double alias_size(std::size_t d, double base) {
  return std::sqrt(2 / (static_cast<double>(d) * std::log(base)));
}

std::size_t first_rise(std::size_t d, double base) {
  double here = kernel_exact(d, base, 0);
  for (std::size_t k = 0;; ++k) {
    const double next = kernel_exact(d, base, static_cast<double>(k + 1));
    if (next > here) return k;
    here = next;
  }
}

double last_wavelength(std::size_t d, double base) {
  return 2 * pi * std::pow(base, 1 - 2 / static_cast<double>(d));
}

double angle_rounding_bound(std::size_t d, double base, double u, double t, double s) {
  double sum = 0;
  for (std::size_t i = 0; i < d / 2; ++i) {
    const double omega = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
    sum += std::min(2.0, u * omega * (t + s));
  }
  return sum;
}

double rise_estimate(std::size_t d, double base) {
  const double fast = 2 * std::log(base) / static_cast<double>(d);
  return 1 / std::sqrt(fast * fast + 12 / (base * base));
}

// ---- scores

namespace {

/// Expected variance over all pairs (u, v) of uᵀMv, entries of M iid with mean 0 and variance 1, in units of
/// it. Not for M = QᵀQ, whose scores have a mean.
double random_score_variance(const Power& u, const Power& v) {
  return u.mean_square * v.mean_square - u.square_mean * v.square_mean;
}

}  // namespace

double toeplitz_null(std::size_t length) { return 2 / (static_cast<double>(length) + 1); }

FourShares four_shares(const Power& words, const Power& positions) {
  const double ww = random_score_variance(words, words);
  const double wp = random_score_variance(words, positions);
  const double pp = random_score_variance(positions, positions);
  const double sum = ww + 2 * wp + pp;
  return {ww / sum, wp / sum, wp / sum, pp / sum};
}

namespace {

double square(double x) { return x * x; }

}  // namespace

double square_mean(std::span<const double> g) {
  const double length = static_cast<double>(g.size());
  double sum = length * g[0];
  for (std::size_t k = 1; k < g.size(); ++k) sum += 2 * (length - static_cast<double>(k)) * g[k];
  return sum / square(length);
}

namespace {

/// Expected variance over all pairs of the scores p_tᵀMp_s, M = QᵀQ, Q rank x d with iid normal entries: M has the mean rank
/// x 1, and M_ij goes with M_ji.
double tied_variance(std::span<const double> g, double rank) {
  const double length = static_cast<double>(g.size()), mean = square_mean(g);
  double squares = 0;
  for (std::size_t k = 0; k < g.size(); ++k)
    squares += (k == 0 ? 1 : 2) * (length - static_cast<double>(k)) * square(g[k]);
  return (square(rank) + rank) * squares / square(length) + rank * square(g[0]) -
         (square(rank) + 2 * rank) * square(mean);
}

}  // namespace

FourShares tied_shares(std::size_t d, std::size_t words, double word_variance, std::span<const double> kernel,
                       std::size_t rank) {
  const double pp = tied_variance(kernel, static_cast<double>(rank));
  const double r = static_cast<double>(rank), n = static_cast<double>(d), v = word_variance, p = kernel[0];
  const double itself = 1 / static_cast<double>(words);
  // E (uᵀQᵀQv)² = (r² + r)(u·v)² + r ‖u‖²‖v‖². Two words: E (x·y)² = dσ⁴; a word and itself: (d² + 2d)σ⁴.
  const double product = (1 - itself) * n + itself * (n * n + 2 * n), lengths = n * n + itself * 2 * n;
  const double ww = ((r * r + r) * product + r * lengths) * v * v;
  const double wp = (r * r + r) * v * p + r * n * v * p;
  const double sum = ww + 2 * wp + pp;
  return {ww / sum, wp / sum, wp / sum, pp / sum};
}

}  // namespace perp::theory
