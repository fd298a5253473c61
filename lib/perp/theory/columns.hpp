#pragma once
// Claim A2: what one column of the sinusoid, sin ωt or cos ωt read over positions t = 0 … L-1, does to the
// dimension of the word that it is added to, and what is left of a word in some of its dimensions.
//
// L positions, at least 1; ω in [0, 2π), the turn per position; d even and at least 2; base T > 1. Everything
// throws Error{unusable} outside the stated ranges, and for NaN.

#include <cstddef>

namespace perp::theory {

/// D(ω) = sin(Lω/2)/(L sin(ω/2)), so that (1/L) Σ_t e^{iωt} = D(ω) e^{iω(L-1)/2} (Dirichlet's kernel, as a
/// mean); 1 at ω = 0.
double dirichlet_mean(std::size_t length, double omega);

/// Mean over the L positions, and variance about it (population: divided by L).
struct ColumnMoments {
  double mean = 0, variance = 0;
  double mean_square() const { return variance + mean * mean; }
};

/// mean D(ω) sin(ω(L-1)/2), mean square (1 - D(2ω) cos(ω(L-1)))/2. For ωL ≪ 1 a slope: variance (ωL)²/12.
ColumnMoments sine_column(std::size_t length, double omega);
/// mean D(ω) cos(ω(L-1)/2), mean square (1 + D(2ω) cos(ω(L-1)))/2. For ωL ≪ 1 a constant: mean 1, variance
/// (ωL)⁴/45. Variances of both carry an absolute error of a few 2⁻⁵³.
ColumnMoments cosine_column(std::size_t length, double omega);

/// Column j of the interleaved sinusoid of width d: sine for even j, cosine for odd, ω = T^(-2⌊j/2⌋/d).
ColumnMoments sinusoid_column(std::size_t length, std::size_t d, std::size_t j, double base);

/// Share of the power of columns first … last-1 that is their mean, the same at every position: Σ mean² / Σ
/// mean square. It shifts all sums alike, carries no position, and goes when columns are centred. [d = 32, L
/// = 64, T = 10,000, all columns: .62.]
double constant_share(std::size_t length, std::size_t d, std::size_t first, std::size_t last, double base);

// ---- a word from some of its dimensions ---------------------------------------------------------------

/// Chance that the nearest of V words is the right one, from k >= 1 dimensions of x + z: words with iid N(0,
/// 1) entries, disturbance z of squared length s >= 0 in those dimensions, whatever its direction. A wrong
/// word is nearer if ‖x + z - x_v‖² < s, and ‖x + z - x_v‖² is noncentral chi-square about u = ‖x + z‖²,
/// which itself is noncentral chi-square about s:
///   P = ∫ χ'²_k(u; s) (1 - F'_k(s; u))^{V-1} du.
/// Exact but for the quadrature, good to 1e-8 from k = 6 on; below, where the law has a corner at u = 0, to
/// 1e-6 for k = 3 to 5, 3e-4 for k = 2 and .01 for k = 1.
double word_from_dimensions(std::size_t k, std::size_t words, double disturbance);

}  // namespace perp::theory
