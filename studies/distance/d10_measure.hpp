#pragma once
// D10: which rotary bases keep Σ_i cos(m T^(-2i/d)) above 0 at every lag m up to a context's length.

#include <cstddef>
#include <string>
#include <vector>

#include "perp/study/claim.hpp"
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

/// Every base, by taking out what each lag forbids; contexts from the shortest to `longest`.
struct Sieved {
  std::string measure;
  std::size_t d;
  double tolerance;
  std::size_t longest;
};
PERP_ROW(Sieved, measure, d, tolerance, longest)
struct Bases : Sieved {
  std::size_t l;
  /// Where the first good stretch begins, and the last; NaN if there is none.
  double least, safe;
  std::size_t bad;  ///< bad stretches above the least base
};
PERP_ROW_OF(Bases, Sieved, l, least, safe, bad)

/// A grid of bases, and how far each goes.
struct Gridded {
  std::string measure;
  std::size_t d, per_octave, longest;
};
PERP_ROW(Gridded, measure, d, per_octave, longest)
struct Reached : Gridded {
  double base;
  std::size_t good_to;  ///< last lag before the first below 0
};
PERP_ROW_OF(Reached, Gridded, base, good_to)

/// A base that models use.
struct InUse {
  std::string measure, model;    ///< the model: an example, or a dash
  std::size_t d, base, context;  ///< the context that it was trained for, or 0
};
PERP_ROW(InUse, measure, model, d, base, context)
struct Placed : InUse {
  std::size_t good_to, nearly_to;  ///< last lag before the first below 0, and below the tolerance
};
PERP_ROW_OF(Placed, InUse, good_to, nearly_to)

void measure_sieved(const Sieved& at, const Streams&, Rows& rows);
void measure_gridded(const Gridded& at, const Streams&, Rows& rows);
void measure_in_use(const InUse& at, const Streams&, Rows& rows);

struct GridBases {
  std::size_t d, per_octave, l;
  double least, safe;  ///< NaN if no base of the grid is good
  std::size_t bad;     ///< runs of bad bases above the least
};
/// `reached`: one grid, bases rising.
GridBases on_grid(const std::vector<Reached>& reached, std::size_t length);

}  // namespace perp::distance
