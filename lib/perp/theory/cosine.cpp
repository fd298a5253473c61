#include "perp/theory/cosine.hpp"

#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"

namespace perp::theory {
namespace {

void check_dimension(std::size_t d, const char* where) {
  require(d >= 2 && d <= 1'000'000'000, "{}: dimension {} given, expected 2 to 1000000000", where, d);
}

}  // namespace

double cosine_density(std::size_t d, double c) {
  check_dimension(d, "cosine_density");
  if (std::abs(c) > 1) return 0;
  const double half = static_cast<double>(d) / 2;
  const double constant = special::tgamma_delta_ratio(half, -0.5) * std::numbers::inv_sqrtpi;
  return constant * std::pow((1 - c) * (1 + c), half - 1.5);
}

double cosine_exceeds(std::size_t d, double m) {
  check_dimension(d, "cosine_exceeds");
  // Fifteen times faster and still within 1e-14: tests of a million cosines against the law call this a
  // million times.
  return special::ibetac_fast(0.5, (static_cast<double>(d) - 1) / 2, m * m);
}

double cosine_sd(std::size_t d) {
  check_dimension(d, "cosine_sd");
  return 1 / std::sqrt(static_cast<double>(d));
}

double largest_cosine_quantile(std::size_t d, double pairs, double p) {
  check_dimension(d, "largest_cosine_quantile");
  const double tail = -std::expm1(std::log(p) / pairs);
  return std::sqrt(special::ibetac_inv(0.5, (static_cast<double>(d) - 1) / 2, tail));
}

double largest_cosine_median(std::size_t d, double pairs) { return largest_cosine_quantile(d, pairs, 0.5); }

std::size_t first_dimension(double m, double share) {
  const auto enough = [m, share](std::size_t d) { return cosine_exceeds(d, m) <= 1 - share; };
  std::size_t above = 2;
  while (!enough(above)) above *= 2;
  std::size_t below = above / 2;  // not enough, or 1
  while (above - below > 1) {
    const std::size_t middle = below + (above - below) / 2;
    (enough(middle) ? above : below) = middle;
  }
  return above;
}

}  // namespace perp::theory
