#pragma once
// Claim O2: what two fixed tables show of one another when nothing relates them.

#include <cstddef>
#include <vector>

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

/// tr A, tr A^2 and tr A^3.
struct TraceMoments {
  double first = 0, second = 0, third = 0;
};

/// Skewness of the same statistic, from its third moment about the mean,
///   8 d / ((d-1)(d-2)(d+2)(d+4)) tr A0^3 tr B0^3,   A0 = A - (tr A/d) 1,
/// 0 for d = 2. Exact: tr X^3 is the one invariant cubic form on the traceless symmetric matrices (Weyl 1939,
/// The classical groups), and A = aa', B = bb' give its factor, for (a'Qb)^2 ~ Beta(1/2, (d-1)/2). It lies
/// between -sqrt 8 and sqrt 8, that of chi-square with one degree of freedom. NaN where A or B is a multiple of
/// 1, as nothing varies. Throws Error{unusable} below two dimensions.
double overlap_skewness(std::size_t d, const TraceMoments& a, const TraceMoments& b);

/// Least value of d tr(A Q B Q')/(tr A tr B) over all rotations Q, 1 on average: what the overlap of two
/// tables of these spectra cannot fall below, however far apart they are turned. tr(A Q B Q') is the sum of
/// a_i Q_ij^2 b_j, and least where the largest eigenvalue of the one meets the smallest of the other and so
/// on (von Neumann 1937, Tomsk Univ. Rev. 1, 286; the lower bound Ruhe 1970, BIT 10, 343). Above 0 wherever
/// the ranks add up to more than d.
///
/// a, b: eigenvalues of A and of B, d each in any order, of one unit each; those below 0 by rounding count as
/// 0. A pure number. Throws Error{unusable} for different or no numbers of them, numbers that are not finite,
/// and eigenvalues none of which is above 0.
double least_overlap(std::vector<double> a, std::vector<double> b);

}  // namespace perp::theory
