#pragma once
// Claims O1 and O2: the law of the cosine between two random directions, and of the largest of many.
//
// Two independent directions in R^d, at least one of them uniform on the sphere, have cosine c with density
//   f_d(c) = Gamma(d/2) / (sqrt(pi) Gamma((d-1)/2)) (1 - c^2)^((d-3)/2),   that is   (1+c)/2 ~ Beta(a, a),
// a = (d-1)/2 (Muirhead 1982, "Aspects of Multivariate Statistical Theory", theorem 1.5.7), so c^2 ~
// Beta(1/2, a). Exact for every spherical family (Gaussian, sphere). Coordinates that are iid and symmetric
// but not Gaussian keep the variance 1/d exactly and miss the law by a little: uniform[-1,1] by .0048, .0039,
// .0024 in Kolmogorov-Smirnov distance at d = 4, 8, 16, random signs by at least half
// their largest atom, about 1/sqrt(2 pi d).
//
// Throughout: d is the dimension, at least 2 (or Error{unusable} is thrown); cosines, shares and probabilities are
// pure numbers.

#include <cstddef>

namespace perp::theory {

/// f_d(c). Zero for |c| > 1, where rounding can put a measured cosine; for d = 2 infinite at |c| = 1.
double cosine_density(std::size_t d, double c);

/// P(|cosine| > m) = I_{1-m^2}((d-1)/2, 1/2) for m in [0, 1], to full relative accuracy until it underflows.
double cosine_exceeds(std::size_t d, double m);

/// Standard deviation 1/sqrt(d); exact for every family whose coordinates are iid and symmetric, and for
/// every spherical one.
double cosine_sd(std::size_t d);

/// The m that the largest |cosine| among `pairs` independent pairs stays below with probability p in (0, 1):
/// solves (1 - P)^pairs = p, P = cosine_exceeds(d, m), through expm1, so that P of order 1e-12 keeps its
/// digits. pairs >= 1, a double because V(V-1)/2 and V L soon pass 2^32. The pairs among V directions share
/// vectors; they are still pairwise independent, and the formula describes the largest of all V(V-1)/2 pairs
/// closely (Cai, Fan and Jiang 2013, J. Mach. Learn. Res. 14, 1837). Pairs that resemble one another, as with
/// neighbouring positions, make the largest smaller than this.
double largest_cosine_quantile(std::size_t d, double pairs, double p);

/// largest_cosine_quantile at p = 1/2.
double largest_cosine_median(std::size_t d, double pairs);

/// The smallest whole d >= 2 in which at least `share` of all pairs are within m of orthogonal:
/// P(|cosine| <= m) >= share, for m and share in (0, 1).
std::size_t first_dimension(double m, double share);

}  // namespace perp::theory
