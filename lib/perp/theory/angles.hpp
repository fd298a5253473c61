#pragma once
// Claim O4: principal angles between a k- and an r-dimensional subspace of R^d, one of them uniformly random.
//
// There are min(k, r) angles; their squared cosines are the eigenvalues of P_k P_r P_k. Three laws: the bulk
// (Wachter), the largest (Johnstone), the mean (exact). Squared cosines, cosines and shares are pure numbers
// in [0, 1]. Everything throws Error{unusable} outside the stated ranges, and for NaN.

#include <cstddef>

#include "perp/theory/overlap.hpp"

namespace perp::theory {

// ---- the bulk: Wachter 1980 (Ann. Statist. 8, 937), d -> infinity at a = k/d, b = r/d, 0 < a <= b < 1 ----

/// Ends of the continuous part: x-, x+ = (sqrt(a(1-b)) -+ sqrt(b(1-a)))^2.
struct Edges {
  double lower = 0;
  double upper = 0;
};
Edges wachter_edges(double a, double b);

/// sqrt((x+ - x)(x - x-)) / (2 pi a x (1-x)) between the edges, 0 elsewhere; its integral is
/// 1 - wachter_atom(a, b). Infinite where an edge falls on 0 (a = b) or on 1 (a + b = 1).
double wachter_density(double a, double b, double x);

/// Share of the angles that are exactly zero (squared cosine 1): max(0, (a+b-1)/a).
double wachter_atom(double a, double b);

/// Share of the squared cosines <= x, atom included: 1 - atom between the upper edge and 1, and 1 from x = 1
/// on. Closed form (partial fractions of the density), to a few 1e-15.
double wachter_cdf(double a, double b, double x);

/// The smallest x with wachter_cdf(a, b, x) >= p, for p in [0, 1]; 1 for p beyond the continuous part.
double wachter_quantile(double a, double b, double p);

// ---- the mean: exact at every size -----------------------------------------------------------------------

/// Mean over the min(k, r) angles of cos^2: expected value max(k, r)/d, standard deviation from overlap_null
/// with the two projections. 1 <= k, r <= d.
OverlapNull mean_cosine_squared_null(std::size_t d, std::size_t k, std::size_t r);

// ---- the largest: Johnstone 2008 (Ann. Statist. 36, 2638), theorem 1 -------------------------------------

/// The Tracy-Widom law for beta = 1 (Bornemann 2010, Markov Process. Relat. Fields 16, 803), rounded.
inline constexpr double tracy_widom_mean = -1.2065;
inline constexpr double tracy_widom_sd = 1.268;
inline constexpr double tracy_widom_skewness = 0.29346;
inline constexpr double tracy_widom_kurtosis = 3.16524;

/// logit(cos^2 of the largest cosine) ~ mu + sigma TW1.
struct LargestAngle {
  double mu = 0;
  double sigma = 0;
};

/// With sin^2(g/2) = (min(k,r) - 1/2)/(d-1) and sin^2(f/2) = (max(k,r) - 1/2)/(d-1):
///   mu = 2 ln tan((f+g)/2),  sigma^3 = 16 / ((d-1)^2 sin^2(f+g) sin f sin g).
/// When k + r > d, k + r - d cosines are exactly 1 and the others are those of the complements; this is then
/// the law of the largest cosine below 1, that is, of (d-k, d-r). Throws for k + r = d and where no cosine is
/// below 1 (k = d or r = d), for k or r of 0 or above d.
LargestAngle largest_angle(std::size_t d, std::size_t k, std::size_t r);

/// Whether that law is to be trusted: with (k, r) replaced by (d-k, d-r) when k + r > d, min(k, r) >= 8 and
/// k + r is more than 8 away from d. Simulated at the border of this region (d = 64, k = 28, r = 27), the
/// mean of the largest cosine is .13 of its own sd off and the sd 14 %; inside, at 512/64/128, the mean is
/// .7635, standard error .0001, against a line of .7636. Never throws.
bool johnstone_applies(std::size_t d, std::size_t k, std::size_t r);

/// Mean of the largest cosine under that law, E sqrt(logistic(mu + sigma TW1)), 1 for k + r >= d; by a rule
/// of three points with TW1's first four moments. At 512/64/128 .76358, where sqrt(logistic(mu - 1.2065
/// sigma)), the transform of the mean, is .76369.
double largest_cosine_expected(std::size_t d, std::size_t k, std::size_t r);

/// Standard deviation of the largest cosine (a cosine, not a squared one), by the delta method:
/// 1.268 sigma c (1 - c^2)/2 at c = sqrt(logistic(mu - 1.2065 sigma)). 0 for k + r >= d.
double largest_cosine_sd(std::size_t d, std::size_t k, std::size_t r);

}  // namespace perp::theory
