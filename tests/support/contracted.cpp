// The inline functions of hot loops that floors with and without contracted multiply-adds share, compiled
// both ways with no more inlined than must be: tests/project/contracted.py looks at the objects.

#include "perp/base/functions.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"

namespace perp {

double all_of_them(std::span<const double> x, std::span<const float> y, double* out) {
  sines_and_cosines(x, out);
  return quick_sine(x[0]).sine + dot(x, x) + dot(y, y) + sum_of_squares(y);
}

}  // namespace perp
