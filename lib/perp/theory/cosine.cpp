#include "perp/theory/cosine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"

namespace perp::theory {
namespace {

constexpr double largest_dimension = 1e9;

/// The two-sided tail as ln I_y(a, 1/2), y = 1 - m^2 < 1, where the plain value underflows.
/// I_y = y^a m / (a B(a, 1/2)) 2F1(a + 1/2, 1; a + 1; y), and by Pfaff's transformation the last factor is
/// m^-2 2F1(1/2, 1; a + 1; -y/m^2) = m^-2 sum_n (1/2)_n / (a+1)_n (-y/m^2)^n (Abramowitz and
/// Stegun 26.5.4, 15.3.4). The function is a Stieltjes transform: the error of a partial sum is below the
/// first term left out, and here a m^2 is in the hundreds, so that a few terms reach the last digit.
double log_tail_series(double a, double m) {
  const double y = (1 - m) * (1 + m);
  const double ratio = y / (m * m);
  double term = 1;
  double sum = 1;
  for (int n = 0; n < 60; ++n) {
    const double next = -term * (n + 0.5) / (a + 1 + n) * ratio;
    if (std::abs(next) >= std::abs(term) || sum + next == sum) break;
    term = next;
    sum += term;
  }
  return a * std::log(y) - std::log(m) + std::log(sum) - std::log(a) - std::log(special::beta(a, 0.5));
}

void check_dimension(std::size_t d, const char* where) {
  require(d >= 2 && static_cast<double>(d) <= largest_dimension,
          "{}: dimension {} given, expected 2 to 1000000000", where, d);
}

}  // namespace

double cosine_density(std::size_t d, double c) {
  check_dimension(d, "cosine_density");
  require(!std::isnan(c), "cosine_density: the cosine is not a number");
  if (std::abs(c) > 1) return 0;
  const double half = static_cast<double>(d) / 2;
  const double constant = special::tgamma_delta_ratio(half, -0.5) * std::numbers::inv_sqrtpi;
  return constant * std::pow((1 - c) * (1 + c), half - 1.5);
}

double cosine_cdf(std::size_t d, double c) {
  check_dimension(d, "cosine_cdf");
  require(!std::isnan(c), "cosine_cdf: the cosine is not a number");
  const double tail = cosine_exceeds(d, std::min(std::abs(c), 1.0)) / 2;
  return c < 0 ? tail : 1 - tail;
}

double cosine_quantile(std::size_t d, double p) {
  check_dimension(d, "cosine_quantile");
  require(p >= 0 && p <= 1, "cosine_quantile: probability {} given, expected 0 to 1", p);
  if (p == 0.5) return 0;
  const double square = special::ibetac_inv(0.5, (static_cast<double>(d) - 1) / 2, 2 * std::min(p, 1 - p));
  return std::copysign(std::sqrt(square), p - 0.5);
}

double cosine_exceeds(std::size_t d, double m) {
  check_dimension(d, "cosine_exceeds");
  require(m >= 0 && m <= 1, "cosine_exceeds: bound {} given, expected 0 to 1", m);
  // Fifteen times faster and still within 1e-14: tests of a million cosines against the law call this a
  // million times.
  return special::ibetac_fast(0.5, (static_cast<double>(d) - 1) / 2, m * m);
}

double cosine_log_exceeds(std::size_t d, double m) {
  check_dimension(d, "cosine_log_exceeds");
  require(m >= 0 && m < 1, "cosine_log_exceeds: bound {} given, expected 0 to below 1", m);
  const double plain = cosine_exceeds(d, m);
  return plain > 1e-280 ? std::log(plain) : log_tail_series((static_cast<double>(d) - 1) / 2, m);
}

double cosine_sd(std::size_t d) {
  check_dimension(d, "cosine_sd");
  return 1 / std::sqrt(static_cast<double>(d));
}

double largest_cosine_cdf(std::size_t d, double pairs, double m) {
  require(pairs >= 1 && std::isfinite(pairs), "largest_cosine_cdf: {} pairs given, expected at least 1",
          pairs);
  return std::exp(pairs * std::log1p(-cosine_exceeds(d, m)));
}

double largest_cosine_quantile(std::size_t d, double pairs, double p) {
  check_dimension(d, "largest_cosine_quantile");
  require(pairs >= 1 && std::isfinite(pairs), "largest_cosine_quantile: {} pairs given, expected at least 1",
          pairs);
  require(p > 0 && p < 1, "largest_cosine_quantile: probability {} given, expected between 0 and 1", p);
  const double tail = -std::expm1(std::log(p) / pairs);
  return std::sqrt(special::ibetac_inv(0.5, (static_cast<double>(d) - 1) / 2, tail));
}

double largest_cosine_median(std::size_t d, double pairs) { return largest_cosine_quantile(d, pairs, 0.5); }

std::size_t first_dimension(double m, double share) {
  require(m > 0 && m < 1, "first_dimension: bound {} given, expected between 0 and 1", m);
  require(share > 0 && share < 1, "first_dimension: share {} given, expected between 0 and 1", share);
  const auto enough = [m, share](std::size_t d) { return cosine_exceeds(d, m) <= 1 - share; };
  std::size_t above = 2;
  while (!enough(above)) {
    require(2.0 * static_cast<double>(above) <= largest_dimension,
            "first_dimension: a share {} within {} of orthogonal takes more than 10^9 dimensions", share, m);
    above *= 2;
  }
  std::size_t below = above / 2;  // not enough, or 1
  while (above - below > 1) {
    const std::size_t middle = below + (above - below) / 2;
    (enough(middle) ? above : below) = middle;
  }
  return above;
}

double rademacher_atom(std::size_t d) {
  require(d >= 1, "rademacher_atom: dimension 0 given, expected at least 1");
  // For odd d the two middle atoms are each half of C(d+1, (d+1)/2) / 2^d: the atom of the next even
  // dimension.
  const double half = static_cast<double>((d + 1) / 2);
  return special::tgamma_delta_ratio(half + 0.5, 0.5) * std::numbers::inv_sqrtpi;
}

double rademacher_distance(std::size_t d) { return rademacher_atom(d) / 2; }

}  // namespace perp::theory
