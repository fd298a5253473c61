#include "perp/theory/overlap.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

/// tr M^2 - (tr M)^2/d, the squared norm of the traceless part; rounding may leave it a hair below zero.
double traceless_square(const char* name, double d, double trace, double square) {
  require(trace >= 0 && std::isfinite(trace), "overlap_null: tr {} is {}, expected 0 or more", name, trace);
  const double slack = 1e-6 * trace * trace;
  require(square >= trace * trace / d - slack && square <= trace * trace + slack,
          "overlap_null: tr {}^2 is {}, expected {} to {} for trace {} in {} dimensions", name, square,
          trace * trace / d, trace * trace, trace, d);
  return std::max(0.0, square - trace * trace / d);
}

}  // namespace

OverlapNull overlap_null(std::size_t d, double tr_a, double tr_a2, double tr_b, double tr_b2) {
  require(d >= 2, "overlap_null: dimension {} given, expected at least 2", d);
  const double n = static_cast<double>(d);
  const double a = traceless_square("A", n, tr_a, tr_a2);
  const double b = traceless_square("B", n, tr_b, tr_b2);
  return {tr_a * tr_b / n, std::sqrt(2 / ((n - 1) * (n + 2)) * a * b)};
}

}  // namespace perp::theory
