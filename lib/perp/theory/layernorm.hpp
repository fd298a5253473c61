#pragma once
// Question Q2: what layer normalisation (gain 1, bias 0) does to a vector x in R^d. It takes off the mean
// entry, which is the projection C = 1 - 11ᵀ/d onto the d-1 directions across (1, …, 1), and divides by the
// standard deviation of the entries: the direction of Cx is left alone.
//
// Throws Error{unusable} outside the stated ranges, and for NaN.

#include <cstddef>

namespace perp::theory {

/// Share of a vector's energy along (1, …, 1), which is lost: for uniform directions Beta(1/2, (d-1)/2), mean
/// 1/d (energy_mean(d, 1)); for the sinusoid at position t it is 2 (Σ_i sin ω_i t + cos ω_i t)²/d², one half
/// at t = 0. d even and at least 2, T > 1, t >= 0.
double sinusoid_mean_direction(std::size_t d, double base, double t);

/// Root mean square change of the cosine of two independent uniform directions: 1/d to leading order. With a,
/// b their components along (1, …, 1)/√d and c' the cosine afterwards, c = ab + c' √((1-a²)(1-b²)), and the
/// three are independent, so that the mean square of c' - c is
///   1/d² + (1 + (1 - 1/d)² - 2m²)/(d-1),   m = E√(1-a²) = Γ(d/2)²/(Γ((d-1)/2) Γ((d+1)/2)).
/// d >= 2.
double normalised_cosine_change(std::size_t d);

}  // namespace perp::theory
