#include "perp/theory/layernorm.hpp"

#include <cmath>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"

namespace perp::theory {

double sinusoid_mean_direction(std::size_t d, double base, double t) {
  require(d >= 2 && d % 2 == 0 && base > 1 && std::isfinite(base) && t >= 0 && std::isfinite(t),
          "sinusoid_mean_direction: d = {}, base {}, position {}; expected an even d >= 2, base > 1, "
          "position >= 0",
          d, base, t);
  const double n = static_cast<double>(d);
  double sum = 0;
  for (std::size_t i = 0; i < d / 2; ++i) {
    const double angle = std::pow(base, -2 * static_cast<double>(i) / n) * t;
    sum += std::sin(angle) + std::cos(angle);
  }
  return 2 * sum * sum / (n * n);
}

double normalised_cosine_change(std::size_t d) {
  require(d >= 2, "normalised_cosine_change: d = {}; expected at least 2", d);
  const double n = static_cast<double>(d),
               across = special::tgamma_ratio(n / 2, (n - 1) / 2) * special::tgamma_ratio(n / 2, (n + 1) / 2),
               shrunk = 1 + (1 - 1 / n) * (1 - 1 / n) - 2 * across * across;
  return std::sqrt(1 / (n * n) + shrunk / (n - 1));
}

}  // namespace perp::theory
