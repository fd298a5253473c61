#pragma once
// Reading a table as a clock: each pair of columns as a hand on a dial.

#include <cstddef>

#include "perp/base/array.hpp"

namespace perp::anatomy {

/// What one hand does from position to position; the dial's right is `across`, its top is `up`.
struct Hand {
  double radius_error = 0;    ///< largest |length - 1|
  std::size_t clockwise = 0;  ///< steps that turn it clockwise, by less than half a turn
  double turned = 0;          ///< radians from the first position to the last, clockwise positive
};

/// Columns `across` and `up` of `table` (positions x d) as one hand. The direction of a step is the sign of
/// the cross product of two neighbouring positions, the turn its angle.
Hand read_hand(const Matrix<double>& table, std::size_t across, std::size_t up);

/// Rounding of a hand's length: sine and cosine of one angle are within 4 u each (positions.hpp), so their
/// point is within √2·4 u of the circle; 8 u with the length's own rounding.
double radius_bound();

}  // namespace perp::anatomy
