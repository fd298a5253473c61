#pragma once
// Principal angles between subspaces (claim O4; Björck & Golub 1973, Math. Comp. 27, 579). A subspace is
// given by rows that span it. Angles are reported as their cosines, min(k, r) of them, descending, within [0,
// 1].

#include <cstddef>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// Between the spans of the rows of `a` (k x d) and of `b` (r x d), k, r <= d; the rows need not be
/// orthonormal but must be independent. T is float or double, and u its machine epsilon.
///
/// Well-conditioned rows are whitened with Cholesky factors of their Gram matrices, which loses u·κ² (κ:
/// condition of the rows). Where a factor's diagonal ratio, a lower bound of κ, exceeds u^(-1/8) (90 in
/// double, 7 in float) the way is Householder QR, which loses u·κ: the limit keeps either loss near u^(3/4),
/// 2e-12 or 7e-6. Cosines below u^(1/4) come from singular values, not from eigenvalues, whose root would
/// lose half the digits.
///
/// Throws Error for different d, k or r of 0 or above d, values that are not finite, and rows that are
/// dependent to rounding: they do not determine a subspace.
template <class T>
std::vector<double> principal_cosines(const Matrix<T>& a, const Matrix<T>& b);

/// Between the spans of the first k rows of `basis_a` and the first r rows of `basis_b` for every k of `ks`
/// and r of `rs`: element ks-index · rs.size() + rs-index. Both bases are d x d, orthonormal rows
/// (complete_basis). One d x d product serves all pairs; where k + r > d, k + r - d cosines are exactly 1 and
/// the others are those of the complements, so that no eigenproblem is larger than d/2. Throws Error for
/// different shapes, ranks of 0 or above d.
template <class T>
std::vector<std::vector<double>> principal_cosines_nested(const Matrix<T>& basis_a, const Matrix<T>& basis_b,
                                                          std::span<const std::size_t> ks,
                                                          std::span<const std::size_t> rs);

}  // namespace perp
