#include "perp/theory/columns.hpp"

#include <algorithm>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

void check(const char* where, std::size_t length, double omega) {
  require(length >= 1, "{}: length 0 given, expected at least 1", where);
  require(omega >= 0 && omega < 2 * std::numbers::pi, "{}: frequency {} given, expected in [0, 2π)", where,
          omega);
}

void check_columns(const char* where, std::size_t d, std::size_t first, std::size_t last, double base) {
  require(d >= 2 && d % 2 == 0, "{}: dimension {} given, expected an even number of at least 2", where, d);
  require(first < last && last <= d, "{}: columns {}:{} given of {}", where, first, last, d);
  require(base > 1 && std::isfinite(base), "{}: base {} given, expected above 1", where, base);
}

/// D(2ω) cos(ω(L-1)), the mean of cos 2ωt; 2ω may pass a full turn.
double double_angle_mean(std::size_t length, double omega) {
  const double wrapped = std::fmod(2 * omega, 2 * std::numbers::pi);
  return dirichlet_mean(length, wrapped) * std::cos(wrapped * (static_cast<double>(length) - 1) / 2);
}

}  // namespace

double dirichlet_mean(std::size_t length, double omega) {
  check("dirichlet_mean", length, omega);
  const double n = static_cast<double>(length), bottom = std::sin(omega / 2);
  return bottom == 0 ? 1 : std::sin(n * omega / 2) / (n * bottom);
}

ColumnMoments sine_column(std::size_t length, double omega) {
  const double half = omega * (static_cast<double>(length) - 1) / 2;
  const double mean = dirichlet_mean(length, omega) * std::sin(half);
  return {mean, std::max(0.0, (1 - double_angle_mean(length, omega)) / 2 - mean * mean)};
}

ColumnMoments cosine_column(std::size_t length, double omega) {
  const double half = omega * (static_cast<double>(length) - 1) / 2;
  const double mean = dirichlet_mean(length, omega) * std::cos(half);
  return {mean, std::max(0.0, (1 + double_angle_mean(length, omega)) / 2 - mean * mean)};
}

ColumnMoments sinusoid_column(std::size_t length, std::size_t d, std::size_t j, double base) {
  check_columns("sinusoid_column", d, j, j + 1, base);
  const double omega = std::pow(base, -2 * static_cast<double>(j / 2) / static_cast<double>(d));
  return j % 2 ? cosine_column(length, omega) : sine_column(length, omega);
}

double constant_share(std::size_t length, std::size_t d, std::size_t first, std::size_t last, double base) {
  check_columns("constant_share", d, first, last, base);
  double constant = 0, all = 0;
  for (std::size_t j = first; j < last; ++j) {
    const ColumnMoments column = sinusoid_column(length, d, j, base);
    constant += column.mean * column.mean;
    all += column.mean_square();
  }
  require(all > 0, "constant_share: columns {}:{} are zero over {} positions", first, last, length);
  return constant / all;
}

double word_from_dimensions(std::size_t k, std::size_t words, double disturbance) {
  require(k >= 1 && words >= 1, "word_from_dimensions: {} dimensions and {} words, expected at least 1 each",
          k, words);
  require(disturbance >= 0 && std::isfinite(disturbance),
          "word_from_dimensions: squared disturbance {} given, expected a finite number from 0 on",
          disturbance);
  if (words == 1 || disturbance == 0) return 1;
  using Law = boost::math::non_central_chi_squared;
  const double n = static_cast<double>(k), s = disturbance, centre = std::sqrt(n + s);
  const Law law(n, s);
  // Over the length r = √u, whose deviation is at most 1. Trapezoids over a smooth bump that ends at nothing
  // converge geometrically.
  constexpr double reach = 9, step = 0.15;
  double sum = 0, weight = 0;
  for (double r = std::max(step, centre - reach); r < centre + reach; r += step) {
    const double density = r * boost::math::pdf(law, r * r);
    weight += density;
    if (density < 1e-14) continue;
    const double nearer = boost::math::cdf(Law(n, r * r), s);
    sum += density * std::exp((static_cast<double>(words) - 1) * std::log1p(-std::min(nearer, 1 - 0x1p-53)));
  }
  return std::clamp(sum / weight, 0.0, 1.0);
}

}  // namespace perp::theory
