#pragma once
// What the study answers at the terminal (perp dot, perp base), and the bases that D10 and perp rope look for, too.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perp/study/options.hpp"
#include "perp/theory/rotary_base.hpp"

namespace perp::distance {

/// --pairs 105:106,5:6 with --dim (default 512) and --base (default 10000): the dot products of those
/// positions' sinusoidal encodings, in float64, as {"pairs":[{"t":…,"s":…,"dot":…},…]}. Throws
/// Error{Exit::unusable} without --pairs, for a pair that is not t:s with whole numbers up to 10^15, an odd
/// dimension, a base of 1 or less.
std::string answer_pairs(const Options& options);

// ---- D10: which rotary bases keep Σ_i cos(m T^(-2i/d)) above 0 at every lag m up to a context's length.

/// Good bases are looked for from L/8 on, and no base above this one is asked.
inline constexpr double largest_base = 1e9;
inline constexpr double smallest_base(std::size_t length) { return static_cast<double>(length) / 8; }
/// The contexts whose good bases are found exactly, and above them by a grid, by doubling.
inline constexpr std::size_t shortest_context = 512, longest_exact = 16384, longest_context = 1048576;
/// How far the sum may fall below 0 where it may, as a share of its value at lag 0.
inline constexpr double usual_tolerance = 0.01;

/// Bases first, first·2^(1/n), first·2^(2/n) … below the largest base, and that one.
std::vector<double> grid_of_bases(double first, std::size_t per_octave);

/// --context L with --dim (default 128): the rotary bases T that keep Σ_i cos(m T^(-2i/d)) at 0 or above at
/// every lag m = 1 … L, as text, or with --json as
///   {"base_for":L,"dim":d,"least":…,"safe":…,"intervals":[[a,b],…],"exact":true}
/// Intervals lie in [L/8, 400 L] and are rounded inwards to ten digits; every base from `safe` to 10⁹ is
/// good; null: there is none. Beyond L = 16,384 from a grid of 16 bases to each doubling, "exact":false: an
/// interval then runs from its first good base to its last. Throws Error{Exit::unusable} without --context, for
/// L outside 16 … 1,048,576, a dimension that is odd or outside 2 … 1,024.
std::string answer_base(const Options& options);

}  // namespace perp::distance
