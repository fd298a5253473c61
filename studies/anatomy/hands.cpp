#include "studies/anatomy/hands.hpp"

#include <algorithm>
#include <cmath>

#include "perp/measures/squares.hpp"
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

Nearest nearest_to_first(const Matrix<double>& table) {
  Nearest nearest{0, INFINITY};
  for (std::size_t t = 1; t < rows(table); ++t) {
    double square = 0;
    for (std::size_t j = 0; j < cols(table); ++j) square += squared(table(t, j) - table(0, j));
    if (std::sqrt(square) < nearest.distance) nearest = {t, std::sqrt(square)};
  }
  return nearest;
}

Nearest hand_returns(const Matrix<double>& table, std::size_t pair) {
  Nearest nearest{0, INFINITY};
  for (std::size_t t = 1; t < rows(table); ++t) {
    const double x0 = table(0, 2 * pair), y0 = table(0, 2 * pair + 1);
    const double x = table(t, 2 * pair), y = table(t, 2 * pair + 1);
    const double off = std::abs(std::atan2(x0 * y - y0 * x, x0 * x + y0 * y));
    if (off < nearest.distance) nearest = {t, off};
  }
  return nearest;
}

}  // namespace perp::anatomy
