#include "studies/anatomy/hands.hpp"

#include <algorithm>
#include <cmath>

#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {

double radius_bound() { return 8 * roundoff; }

Hand read_hand(const Matrix<double>& table, std::size_t across, std::size_t up) {
  Hand hand;
  for (std::size_t t = 0; t < rows(table); ++t) {
    const double x = table(t, across), y = table(t, up);
    hand.radius_error = std::max(hand.radius_error, std::abs(std::hypot(x, y) - 1));
    if (t == 0) continue;
    const double x0 = table(t - 1, across), y0 = table(t - 1, up);
    const double counter_clockwise = std::atan2(x0 * y - y0 * x, x0 * x + y0 * y);
    hand.clockwise += counter_clockwise < 0;
    hand.turned -= counter_clockwise;
  }
  return hand;
}

}  // namespace perp::anatomy
