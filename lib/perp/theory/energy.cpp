#include "perp/theory/energy.hpp"

#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"

namespace perp::theory {
namespace {

struct Halves {
  double inside;
  double outside;
};

Halves halves(const char* where, std::size_t d, std::size_t r) {
  require(r >= 1 && r < d, "{}: subspace of {} dimensions in {}, expected 1 to d - 1", where, r, d);
  return {static_cast<double>(r) / 2, static_cast<double>(d - r) / 2};
}

/// Beta density at an end of [0, 1], where its own exponent is `shape` - 1 and the other factor is 1.
double at_end(double shape, const Halves& h) {
  if (shape < 1) return std::numeric_limits<double>::infinity();
  return shape == 1 ? 1 / special::beta(h.inside, h.outside) : 0;
}

}  // namespace

double energy_density(std::size_t d, std::size_t r, double x) {
  const Halves h = halves("energy_density", d, r);
  require(!std::isnan(x), "energy_density: the share is not a number");
  if (x < 0 || x > 1) return 0;
  if (x == 0) return at_end(h.inside, h);
  if (x == 1) return at_end(h.outside, h);
  return special::ibeta_derivative(h.inside, h.outside, x);
}

double energy_cdf(std::size_t d, std::size_t r, double x) {
  const Halves h = halves("energy_cdf", d, r);
  require(!std::isnan(x), "energy_cdf: the share is not a number");
  if (x <= 0) return 0;
  return x >= 1 ? 1 : special::ibeta(h.inside, h.outside, x);
}

double energy_mean(std::size_t d, std::size_t r) {
  halves("energy_mean", d, r);
  return static_cast<double>(r) / static_cast<double>(d);
}

double energy_sd(std::size_t d, std::size_t r) {
  halves("energy_sd", d, r);
  const double n = static_cast<double>(d);
  const double mean = static_cast<double>(r) / n;
  return std::sqrt(2 * mean * (1 - mean) / (n + 2));
}

}  // namespace perp::theory
