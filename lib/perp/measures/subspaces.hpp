#pragma once
// Angles, overlap and energy between the spaces of two tables.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

// Principal angles between subspaces (claim O4; Björck & Golub 1973, Math. Comp. 27, 579). A subspace is
// given by rows that span it. Angles are reported as their cosines, min(k, r) of them, descending, within [0,
// 1].

/// Between the spans of the rows of `a` (k x d) and of `b` (r x d), k, r <= d; the rows need not be
/// orthonormal but must be independent. T is float or double, and u its machine epsilon.
///
/// Well-conditioned rows are whitened with Cholesky factors of their Gram matrices, which loses u·κ² (κ:
/// condition of the rows). Where a factor's diagonal ratio, a lower bound of κ, exceeds u^(-1/8) (90 in
/// double, 7 in float) the way is Householder QR, which loses u·κ: the limit keeps either loss near u^(3/4),
/// 2e-12 or 7e-6. Cosines below u^(1/4) come from singular values, not from eigenvalues, whose root would
/// lose half the digits.
///
/// Throws Error for rows that are dependent to rounding: they do not determine a subspace.
template <class T>
std::vector<double> principal_cosines(const Matrix<T>& a, const Matrix<T>& b);

/// Between the spans of the first k rows of `basis_a` and the first r rows of `basis_b` for every k of `ks`
/// and r of `rs`: element ks-index · rs.size() + rs-index. Both bases are d x d, orthonormal rows
/// (complete_basis). One d x d product serves all pairs; where k + r > d, k + r - d cosines are exactly 1 and
/// the others are those of the complements, so that no eigenproblem is larger than d/2.
template <class T>
std::vector<std::vector<double>> principal_cosines_nested(const Matrix<T>& basis_a, const Matrix<T>& basis_b,
                                                          std::span<const std::size_t> ks,
                                                          std::span<const std::size_t> rs);

// How strongly two tables point into the same directions, with all that theory::overlap_null needs to say
// what unrelated tables would show (claim O2).

/// With A, B the mean outer products of the rows.
struct TableOverlap {
  double mean_square = 0;           ///< mean square cosine over all pairs (row of a, row of b): tr(A B)
  double trace_a = 0, trace_b = 0;  ///< 1 for unit rows, to rounding
  double trace_square_a = 0,
         trace_square_b = 0;  ///< tr A², tr B²: 1/d for isotropic rows, 1 for parallel ones
};

/// a: m x d, b: n x d, unit rows (unit_rows); O((m + n) d²), no pair is ever formed.
TableOverlap table_overlap(View<float> a, View<float> b);

// ---- of covariances, or of mean outer products: A, B (d x d) symmetric, of traces above 0

/// d tr(AB)/(tr A tr B): 1 if one of them is turned at random, on average.
double overlap(const Matrix<double>& a, const Matrix<double>& b);
/// The least that turning one of them can make of it (theory::least_overlap).
double least_overlap(const Matrix<double>& a, const Matrix<double>& b);
/// Mean squared principal cosine of the first k of some orthonormal directions and the first r of others,
/// from their `products`: the sum of the squares of k x r of them over min(k, r); by chance max(k, r)/d.
double mean_square_cosine(const Matrix<double>& products, std::size_t k, std::size_t r);

// How much of each vector lies inside a subspace (claim O4).

/// ‖Πx‖²/‖x‖² for every non-zero row x of `words` (V x d), in order; Π projects onto the span of `basis` (r x
/// d, orthonormal rows). A random r-dimensional subspace gives Beta(r/2, (d-r)/2). Streams through `words`;
/// results in [0, 1].
std::vector<double> energy_inside(View<float> words, const Matrix<float>& basis);

}  // namespace perp
