#pragma once
// Claim O4: the part of a random direction that lies inside a subspace.
//
// A uniform direction u in R^d and a projection onto r dimensions: the share of its energy inside is
//   ||Pu||^2 ~ Beta(r/2, (d-r)/2) (ratio of chi-squares; Muirhead 1982, theorem 1.5.7).
// The direction may be fixed and the subspace random instead. Shares x are pure numbers in [0, 1]. All:
// 1 <= r <= d - 1, else Error{unusable}; likewise for NaN.

#include <cstddef>

namespace perp::theory {

/// Density of the share at x; zero outside [0, 1], infinite at 0 when r = 1 and at 1 when r = d - 1.
double energy_density(std::size_t d, std::size_t r, double x);

/// P(share <= x); 0 below 0, 1 above 1.
double energy_cdf(std::size_t d, std::size_t r, double x);

/// r/d.
double energy_mean(std::size_t d, std::size_t r);

/// sqrt(2 r (d-r) / (d^2 (d+2))), of one direction's share.
double energy_sd(std::size_t d, std::size_t r);

}  // namespace perp::theory
