#pragma once
// Claims A1, A2 and Q3: how often a word is told from a sum that it is part of.

#include <cstddef>
#include <span>

namespace perp::theory {

// Claim A1: how often the nearest word to y = x_w + p is x_w, when nothing is known of p.
//
// Words are drawn independently and without preference for a direction; p is any vector independent of them.
// Only its length counts, so no property of an encoding enters but its power. `ratio` is ‖p‖ over a word's
// length, V the number of words, d >= 2 the dimension. Own derivation.

/// P(nearest word is right), words of one length and any p with ‖p‖ = ratio · that length:
///   P = ∫ f_d(c) F_d((1 + ρc)/√(1 + ρ² + 2ρc))^(V-1) dc,
/// c the cosine of x_w and p, f_d and F_d the law of a random cosine (cosine.hpp): given y the other words
/// are still uniform on the sphere. Exact for nearest by distance, by cosine and by inner product, which
/// agree for words of one length. By cosine it is exact for every spherical family, ρ being ‖p‖/‖x_w‖ of the
/// word at hand. V >= 1, 0 <= ratio. Absolute error below 1e-9.
double recovered(std::size_t d, double words, double ratio);

/// √(d/(2 ln V)): the ratio at which a position is as long as the best of V random words reaches along it.
/// Errs low: the largest of V normals stays below √(2 ln V). V > 1.
double recovery_knee(std::size_t d, double words);

/// The ratio with recovered(d, words, ratio) = share, 0 < share < 1 and above chance, 1/V; V > 1.
double recovery_ratio(std::size_t d, double words, double share);

// Question Q3: n unit words, each bound to its place by a key, summed into one vector of R^d, and read at one
// place by undoing that place's key and taking the word with the largest product (matched filter).
//
// A key is an orthogonal map K_t that acts on each of d small blocks alike: signs (x ↦ ±x entry by entry) or
// turns of pairs. Undone at place t the sum is x_w + Σ_{s≠t} K_tᵀK_s x_s; K = K_tᵀK_s is what counts.

/// How the word at another place of the sum rivals the right one.
struct Rival {
  double overlap = 0;      ///< κ = tr K/d, in [-1, 1]: what its score is on average; 0 for random keys
  double mean_square = 0;  ///< m: mean over the entries or pairs of their squared overlap; κ² to 1
};
/// Random signs, before κ's own scatter of variance 1/d. Random turns of pairs have m = 1/2.
inline constexpr Rival random_signs{0, 1};

/// Chance that the right word of `words` has the largest score, n = 1 + rivals.size() words in the sum.
/// Differences are taken as jointly normal with correlation one half, as they are for equal independent
/// errors of all scores (their common part is the right word's):
///   P ≈ ∫ φ(z) Π_s Φ(z + √2 (1-κ_s)/τ_s) Φ(z + √2/τ)^{V-n} dz,
/// τ_s² and τ² their variances (recovery.cpp). An approximation: products of unit vectors have lighter tails than
/// normal ones.
double matched_filter_share(std::size_t d, std::size_t words, std::span<const Rival> rivals, bool random_key);

/// The sum of words plus positions is the same for all n! pairings of the same words with the same places. No
/// decoder knows more than that: if every pairing is as likely, at most 1/n of the words are put where they
/// stood.
double unpaired_share(std::size_t n);

// Claim A2: what one column of the sinusoid, sin ωt or cos ωt read over positions t = 0 … L-1, does to the
// dimension of the word that it is added to, and what is left of a word in some of its dimensions.
//
// L positions, at least 1; ω in [0, 2π), the turn per position; d even and at least 2; base T > 1.

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

}  // namespace perp::theory
