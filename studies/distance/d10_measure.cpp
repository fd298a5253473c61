#include "studies/distance/d10_measure.hpp"

#include <cmath>

namespace perp::distance {

std::vector<double> grid_of_bases(double first, std::size_t per_octave) {
  std::vector<double> bases;
  for (std::size_t i = 0;; ++i) {
    const double base = first * std::exp2(static_cast<double>(i) / static_cast<double>(per_octave));
    if (base >= largest_base) break;
    bases.push_back(base);
  }
  bases.push_back(largest_base);
  return bases;
}

GoodBases on_grid(const std::vector<Reached>& reached, std::size_t length) {
  GoodBases found{NAN, NAN};
  bool before = true;
  for (const Reached& at : reached) {
    if (at.base < smallest_base(length)) continue;
    const bool good = at.good_to >= length;
    if (good && std::isnan(found.least)) found.least = at.base;
    if (good && (!before || std::isnan(found.safe))) found.safe = at.base;
    before = good;
  }
  if (!before) found.safe = NAN;  // bad up to the last base
  return found;
}

}  // namespace perp::distance
