#pragma once
// Eigenvalues of a positive semidefinite matrix that is numerically of low rank, from a few of its columns.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace perp {

/// Leading eigenvalues, descending, of the positive semidefinite n x n matrix with diagonal `diagonal` whose
/// column j is written by `column(j, out)`. Pivoted Cholesky stops after r columns, when what it leaves has a
/// trace of at most `tolerance` times the matrix's trace (Harbrecht, Peters & Schneider 2012, Appl. Numer.
/// Math. 62, 428); r values come back. What is left is itself positive semidefinite, so by Weyl's inequality
/// each value is at most tolerance·trace below the true one and never above it, and all the missing ones sum
/// to no more than that (rounding apart, some 1e-16·n·trace). Cost n r² + r³ and r columns (from 64 on a
/// third more, see there), where a dense solution costs n³ and n.
///
/// Throws Error for an empty diagonal, entries that are not finite or negative, tolerance not in (0, 1).
std::vector<double> low_rank_eigenvalues(std::vector<double> diagonal,
                                         const std::function<void(std::size_t, std::span<double>)>& column,
                                         double tolerance);

}  // namespace perp
