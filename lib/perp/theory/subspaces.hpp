#pragma once
// Claims O2, O3 and O4: overlap of tables, angles between subspaces, dimension of a table.

#include <cstddef>
#include <vector>

namespace perp::theory {

// Claim O2: what two fixed tables show of one another when nothing relates them.

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
/// d: dimension; throws Error{unusable} below 2. tr_a, tr_b: traces, not negative. tr_a2, tr_b2: traces of the
/// squares, each between (trace)^2/d and (trace)^2 up to rounding. All pure numbers.
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
/// 1, as nothing varies.
double overlap_skewness(std::size_t d, const TraceMoments& a, const TraceMoments& b);

/// Least value of d tr(A Q B Q')/(tr A tr B) over all rotations Q, 1 on average: what the overlap of two
/// tables of these spectra cannot fall below, however far apart they are turned. tr(A Q B Q') is the sum of
/// a_i Q_ij^2 b_j, and least where the largest eigenvalue of the one meets the smallest of the other and so
/// on (von Neumann 1937, Tomsk Univ. Rev. 1, 286; the lower bound Ruhe 1970, BIT 10, 343). Above 0 wherever
/// the ranks add up to more than d.
///
/// a, b: eigenvalues of A and of B, d each in any order, of one unit each; those below 0 by rounding count as
/// 0. A pure number.
double least_overlap(std::vector<double> a, std::vector<double> b);

// Claim O4: principal angles between a k- and an r-dimensional subspace of R^d, one of them uniformly random.
//
// There are min(k, r) angles; their squared cosines are the eigenvalues of P_k P_r P_k. The largest cosine has a law
// (Johnstone 2008, Ann. Statist. 36, 2638, theorem 1); overlap_null has the mean of the squares, exactly.

/// Whether that law is to be trusted, logit(cos^2 of the largest cosine) ~ mu + sigma TW1: with (k, r) replaced by
/// (d-k, d-r) when k + r > d, min(k, r) >= 8 and k + r is more than 8 away from d. Simulated at the border of this region (d = 64, k = 28, r = 27), the
/// mean of the largest cosine is .13 of its own sd off and the sd 14 %; inside, at 512/64/128, the mean is
/// .7635, standard error .0001, against a line of .7636.
bool johnstone_applies(std::size_t d, std::size_t k, std::size_t r);

/// Mean of the largest cosine under that law, E sqrt(logistic(mu + sigma TW1)), 1 for k + r >= d; by a rule
/// of three points with TW1's first four moments. At 512/64/128 .76358, where sqrt(logistic(mu - 1.2065
/// sigma)), the transform of the mean, is .76369.
double largest_cosine_expected(std::size_t d, std::size_t k, std::size_t r);

/// Standard deviation of the largest cosine (a cosine, not a squared one), by the delta method:
/// 1.268 sigma c (1 - c^2)/2 at c = sqrt(logistic(mu - 1.2065 sigma)). 0 for k + r >= d.
double largest_cosine_sd(std::size_t d, std::size_t k, std::size_t r);

// Claim O3: how many dimensions the sinusoidal table fills.
//
// Table: L positions, d columns, frequencies omega_i = T^(-2i/d). r99 is the smallest number of leading
// eigenvalues of the table's Gram matrix that sum to at least .99 of its trace.
//
// The formula is the project's own. Frequencies are uniform in ln omega: d/ln T columns per unit, sine and
// cosine together. A table of L positions resolves at most L/pi directions per unit of omega. The two
// densities meet at omega = 1/x, x = L ln T/(pi d): below it, directions are limited by L, above it by the
// columns, and
//   r = integral of min(L/pi, d/(omega ln T)) d omega over 1/T < omega < 1,
// of which the last hundredth of the energy is taken off, and a constant fitted for the logarithmic edge is
// added:
//   x <= 1:      (L/pi) T^-.01 + 1.4
//   1 < x < T:   (d/ln T)(1 - x/T + ln x) - .015 d + 1.4
//   beyond:      .99 d
// Measured against eigenvalues for d = 64 ... 1024, L = 12 ... 8192, T = 1e3, 1e4, 1e5: error at most 1.9
// outside .8 < x < 1.6 and 5.8 inside (stated as 2.3 and 7.3), where it is mostly too low, in proportion to
// d: -5.3 at d = 1024, -11.8 at d = 2048, T = 1e4. Report it, gate nothing on it.
//
// L >= 1, d >= 2 and even, T > 1 and finite. Results are real numbers, not whole
// ones, and never above d, nor above the table's rank, L (centred: L - 1).

/// Effective dimension r99 of the table as it is.
double sinusoid_r99(std::size_t positions, std::size_t d, double base);

/// Effective dimension r99 after the mean row was subtracted, which holds the share f = (ln(T/L) + .923)/ln T of the
/// energy, within [0, 1]: columns slower than L positions are constants. What is taken off shrinks, T^-.01 to
/// T^(-.01(1-f)) and .015 d to .015 d (1-f), and the mean's own dimension is lost. Once f reaches 0 (L
/// above 2.5 T) there is no mean to lose, and this is sinusoid_r99. Error at most 1.9 outside .8 < x < 1.6,
/// at most 5.1 inside, same grid.
double sinusoid_r99_centred(std::size_t positions, std::size_t d, double base);

}  // namespace perp::theory
