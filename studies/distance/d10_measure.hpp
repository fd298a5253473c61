#pragma once
// D10: which rotary bases keep Σ_i cos(m T^(-2i/d)) above 0 at every lag m up to a context's length.

#include <cstddef>
#include <vector>

#include "perp/theory/rotary_base.hpp"

namespace perp::distance {

/// Good bases are looked for from L/8 on, and no base above this one is asked.
inline constexpr double largest_base = 1e9;
inline constexpr double smallest_base(std::size_t length) { return static_cast<double>(length) / 8; }
/// The contexts whose good bases are found exactly, and above them by a grid, by doubling.
inline constexpr std::size_t shortest_context = 512, longest_exact = 16384, longest_context = 1048576;
/// How far the sum may fall below 0 where it may, as a share of its value at lag 0.
inline constexpr double usual_tolerance = 0.01;

/// Bases first, first·2^(1/n), first·2^(2/n) … below the largest base, and that one.
std::vector<double> grid_of_bases(double first, std::size_t per_octave);

/// A base of a grid, and the last lag before the first below 0.
struct Reached {
  double base;
  std::size_t good_to;
};
/// Where the first good stretch begins, and the last; NaN if there is none.
struct GoodBases {
  double least, safe;
};
/// `reached`: one grid, bases rising; those below L/8 are not asked.
GoodBases on_grid(const std::vector<Reached>& reached, std::size_t length);

}  // namespace perp::distance
