#pragma once
// How strongly two tables point into the same directions, with all that theory::overlap_null needs to say
// what unrelated tables would show (claim O2).

#include <cstddef>
#include <cstdint>
#include <span>

#include "perp/base/array.hpp"

namespace perp {

/// With A, B the mean outer products of the rows.
struct TableOverlap {
  double mean_square = 0;           ///< mean square cosine over all pairs (row of a, row of b): tr(A B)
  double trace_a = 0, trace_b = 0;  ///< 1 for unit rows, to rounding
  double trace_square_a = 0,
         trace_square_b = 0;  ///< tr A², tr B²: 1/d for isotropic rows, 1 for parallel ones
};

/// a: m x d, b: n x d, unit rows (unit_rows); O((m + n) d²), no pair is ever formed. Throws Error for
/// different d and for empty tables.
TableOverlap table_overlap(View<float> a, View<float> b);

// ---- of covariances, or of mean outer products: A, B (d x d) symmetric, of traces above 0

/// d tr(AB)/(tr A tr B): 1 if one of them is turned at random, on average.
double overlap(const Matrix<double>& a, const Matrix<double>& b);
/// The least that turning one of them can make of it (theory::least_overlap).
double least_overlap(const Matrix<double>& a, const Matrix<double>& b);
/// Mean squared principal cosine of the first k of some orthonormal directions and the first r of others,
/// from their `products`: the sum of the squares of k x r of them over min(k, r); by chance max(k, r)/d.
double mean_square_cosine(const Matrix<double>& products, std::size_t k, std::size_t r);

}  // namespace perp
