#include "perp/theory/information.hpp"

#include <cmath>

#include "perp/base/error.hpp"

namespace perp::theory {

double white_bits(double dimensions, double power, double noise) {
  require(noise > 0 && std::isfinite(noise), "white_bits: noise {}, expected above 0", noise);
  require(dimensions >= 0 && power >= 0 && std::isfinite(power),
          "white_bits: power {} in {} dimensions, expected both 0 or more", power, dimensions);
  if (dimensions == 0) return 0;
  return dimensions / 2 * std::log1p(power / (dimensions * noise * noise)) / std::log(2.0);
}

Pentagon white_pentagon(std::size_t d, double word_power, double position_power, double noise) {
  const double n = static_cast<double>(d);
  return {white_bits(n, word_power, noise), white_bits(n, position_power, noise),
          white_bits(n, word_power + position_power, noise)};
}

Rates frequency_division(std::size_t d, double position_dimensions, double word_power, double position_power,
                         double noise) {
  const double n = static_cast<double>(d);
  require(position_dimensions >= 0 && position_dimensions <= n,
          "frequency_division: {} of {} dimensions for the position", position_dimensions, d);
  return {white_bits(n - position_dimensions, word_power, noise),
          white_bits(position_dimensions, position_power, noise)};
}

}  // namespace perp::theory
