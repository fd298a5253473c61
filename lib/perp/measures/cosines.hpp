#pragma once
// Cosines of many pairs of vectors, counted as they are made: the table of cosines never exists.
//
// Tables are of *unit* rows (make them with unit_rows), one vector per row; a cosine is then an inner
// product. Tile by tile, a float32 product is followed by one pass that counts and sums it; sums are carried
// in float64. The result is the same for every number of threads. Cosines that rounding put beyond ±1 are
// taken as ±1.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/statistics/histogram.hpp"

namespace perp {

struct UnitRows {
  Matrix<float> rows;             ///< V' x d, each of length 1 to rounding, in the table's order
  std::vector<std::size_t> kept;  ///< numbers of the V' rows in the table, ascending; a row of length 0 has
                                  ///< no direction and is left out
};
/// The rows of `table` (V x d) divided by their lengths. Throws Error for a value that is not finite.
UnitRows unit_rows(View<float> table);

struct CosineSummary {
  Histogram histogram;      ///< over [-1, 1]
  std::uint64_t count = 0;  ///< pairs
  double sum = 0, sum_square = 0, max_abs = 0;

  double mean() const { return sum / static_cast<double>(count); }
  double mean_square() const { return sum_square / static_cast<double>(count); }
};

/// All pairs of a row of `a` (m x d) with a row of `b` (n x d).
CosineSummary cosines_between(View<float> a, View<float> b, std::size_t bins, std::size_t threads);

}  // namespace perp
