#pragma once
// Question Q3: n unit words, each bound to its place by a key, summed into one vector of R^d, and read at one
// place by undoing that place's key and taking the word with the largest product (matched filter).
//
// A key is an orthogonal map K_t that acts on each of d small blocks alike: signs (x ↦ ±x entry by entry) or
// turns of pairs. Undone at place t the sum is x_w + Σ_{s≠t} K_tᵀK_s x_s; K = K_tᵀK_s is what counts. All
// throw Error{unusable} outside the stated ranges, and for NaN.

#include <cstddef>
#include <span>

namespace perp::theory {

/// How the word at another place of the sum rivals the right one.
struct Rival {
  double overlap = 0;      ///< κ = tr K/d, in [-1, 1]: what its score is on average; 0 for random keys
  double mean_square = 0;  ///< m: mean over the entries or pairs of their squared overlap; κ² to 1
};
/// Random signs (κ = 0, m = 1) and random turns (κ = 0, m = 1/2), before κ's own scatter of variance 1/d.
inline constexpr Rival random_signs{0, 1}, random_turns{0, 0.5};

/// Chance that the right word of `words` has the largest score, n = 1 + rivals.size() words in the sum.
/// Differences are taken as jointly normal with correlation one half, as they are for equal independent
/// errors of all scores (their common part is the right word's):
///   P ≈ ∫ φ(z) Π_s Φ(z + √2 (1-κ_s)/τ_s) Φ(z + √2/τ)^{V-n} dz,
/// τ_s² and τ² their variances (bag.cpp). An approximation: products of unit vectors have lighter tails than
/// normal ones.
double matched_filter_share(std::size_t d, std::size_t words, std::span<const Rival> rivals, bool random_key);

/// The sum of words plus positions is the same for all n! pairings of the same words with the same places. No
/// decoder knows more than that: if every pairing is as likely, at most 1/n of the words are put where they
/// stood.
double unpaired_share(std::size_t n);

}  // namespace perp::theory
