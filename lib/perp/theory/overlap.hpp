#pragma once
// Claim O2: what two fixed tables show of one another when nothing relates them.

#include <cstddef>

namespace perp::theory {

/// Mean and standard deviation of a statistic under its null model.
struct OverlapNull {
  double mean = 0;
  double sd = 0;
};

/// Two fixed tables of unit rows in R^d, one of them turned by a random rotation. The mean square cosine over
/// all pairs of rows is tr(A Q B Q'), with A and B (d x d) the mean outer products of the rows, and has
///   mean     tr A tr B / d,
///   variance 2 / ((d-1)(d+2)) (tr A^2 - (tr A)^2/d) (tr B^2 - (tr B)^2/d).
/// Exact: the traceless symmetric matrices, of dimension (d-1)(d+2)/2, are an irreducible representation of
/// the rotations, so by Schur's lemma tr(A0 Q B0 Q') has variance tr A0^2 tr B0^2 over that dimension
/// (second-order case of Collins and Sniady 2006, Commun. Math. Phys. 264, 773). It is the interval for real
/// tables, whose pairs are far from independent. Unit rows have tr A = 1; projections onto k-dimensional
/// subspaces, with tr A = tr A^2 = k, give the sum of the squared cosines of the principal angles.
///
/// d: dimension, at least 2. tr_a, tr_b: traces, not negative. tr_a2, tr_b2: traces of the squares, each
/// between (trace)^2/d and (trace)^2 up to rounding. All pure numbers. Throws Error{unusable} otherwise.
OverlapNull overlap_null(std::size_t d, double tr_a, double tr_a2, double tr_b, double tr_b2);

}  // namespace perp::theory
