#include "perp/theory/dimension.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

void check(const char* where, std::size_t positions, std::size_t d, double base) {
  require(positions >= 1, "{}: 0 positions given, expected at least 1", where);
  require(d >= 2 && d % 2 == 0, "{}: dimension {} given, expected an even number of at least 2", where, d);
  require(base > 1 && std::isfinite(base), "{}: base {} given, expected above 1", where, base);
}

/// The formula with the tail that r99 leaves off scaled by `kept`, the share of energy that is not the
/// mean's.
double effective_dimension(double positions, double d, double base, double kept) {
  const double log_base = std::log(base);
  const double x = positions * log_base / (std::numbers::pi * d);
  if (x <= 1) return positions / std::numbers::pi * std::pow(base, -0.01 * kept) + 1.4;
  if (x < base) return d / log_base * (1 - x / base + std::log(x)) - 0.015 * kept * d + 1.4;
  return 0.99 * d;
}

}  // namespace

double sinusoid_r99(std::size_t positions, std::size_t d, double base) {
  check("sinusoid_r99", positions, d, base);
  const double r = effective_dimension(static_cast<double>(positions), static_cast<double>(d), base, 1);
  return std::min({r, static_cast<double>(d), static_cast<double>(positions)});
}

double sinusoid_mean_share(std::size_t positions, double base) {
  check("sinusoid_mean_share", positions, 2, base);
  const double log_base = std::log(base);
  return std::clamp((log_base - std::log(static_cast<double>(positions)) + 0.923) / log_base, 0.0, 1.0);
}

double sinusoid_r99_centred(std::size_t positions, std::size_t d, double base) {
  check("sinusoid_r99_centred", positions, d, base);
  const double share = sinusoid_mean_share(positions, base);
  if (share == 0) return sinusoid_r99(positions, d, base);
  const double r =
      effective_dimension(static_cast<double>(positions), static_cast<double>(d), base, 1 - share) - 1;
  return std::min({r, static_cast<double>(d), static_cast<double>(positions - 1)});
}

}  // namespace perp::theory
