#pragma once
// How strongly two tables point into the same directions, with all that theory::overlap_null needs to say
// what unrelated tables would show (claim O2).

#include <cstddef>

#include "perp/base/array.hpp"

namespace perp {

/// With A, B the mean outer products of the rows.
struct TableOverlap {
  double mean_square = 0;           ///< mean square cosine over all pairs (row of a, row of b): tr(A B)
  double trace_a = 0, trace_b = 0;  ///< 1 for unit rows, to rounding
  double trace_square_a = 0,
         trace_square_b = 0;  ///< tr A², tr B²: 1/d for isotropic rows, 1 for parallel ones
  std::size_t rows_a = 0, rows_b = 0;
};

/// a: m x d, b: n x d, unit rows (unit_rows); O((m + n) d²), no pair is ever formed. Throws Error for
/// different d and for empty tables.
TableOverlap table_overlap(View<float> a, View<float> b);

}  // namespace perp
