#pragma once
// The cells of M10: what an encoder's layers hold of word, position and text.

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

/// The words that a probe tells apart, the most frequent ones; how often one must occur to have a mean.
inline constexpr std::size_t probed_words = 100, fewest_occurrences = 20;

/// One pass over all texts: "none", every token sees its whole text, as the model was trained; or "causal",
/// it sees what stands before it.
struct Pass : OfModel {
  std::string mask;
};
PERP_ROW_OF(Pass, OfModel, mask)

/// The states at one depth: 0 for what enters the first block, k after block k. A state h of text c at
/// position t is mean + position_t + text_c + rest (Song & Zhong 2023, arXiv 2310.04861): the means over
/// texts and over positions, each less the overall mean. Shares are of the states' variance, and add up to 1.
struct Depth : Pass {
  std::size_t depth;
  double position, text, rest;
  double position_chance;  ///< share that the mean of so few texts would have, did positions mean nothing
  /// Of the positions: Σλ/λ₁ of their covariance, as it is and less what the mean of so few texts adds to it.
  double stable_rank, stable_rank_corrected;
  /// √(λ₁ of the positions' covariance/λ₁ of the states'), about the states' mean and about the origin.
  double relative_norm, relative_norm_uncentred;
  double word;     ///< share of the frequent words' variance that the word explains (Kelley's ε²)
  double overlap;  ///< ω of words' and positions' covariances; 1 by chance
  Estimate word_right, position_right;  ///< shares that linear_classes reads right, mean over the other texts
  double word_right_chance,
      position_right_chance;            ///< of who always answers the most frequent word, or one position
  std::size_t texts, positions, words;  ///< how many of each; words: that have a mean
};
PERP_ROW_OF(Depth, Pass, depth, position, text, rest, position_chance, stable_rank, stable_rank_corrected,
            relative_norm, relative_norm_uncentred, word, overlap, word_right, position_right,
            word_right_chance, position_right_chance, texts, positions, words)

/// A row per depth.
void measure_pass(const EncodedTexts& texts, const Pass& at, Rows& rows);

}  // namespace perp::inspect
