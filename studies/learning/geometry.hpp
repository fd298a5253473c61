#pragma once
// What training does to the two tables and to what attention makes of them.

#include <cmath>

#include "perp/measures/scores.hpp"
#include "studies/learning/arms.hpp"

namespace perp::learning {

/// Directions of each table that stand for its leading ones.
inline constexpr std::size_t leading_rank = 8;

/// Lengths and directions of words and positions after a step; a word is a row of the table, every one as
/// good as another (a task draws all of its words). Lengths are root mean squares over rows.
struct Geometry {
  double word_norm = NAN;  ///< of the words
  double ratio = NAN;      ///< length of positions over that of words, where there are positions
  // Where they are added; and for words alone with the sinusoid's directions instead, as a control that knows
  // nothing of them:
  double rank = NAN;    ///< r: leading directions of the positions with 99 % of their energy (uncentred)
  double inside = NAN;  ///< mean share of a word's energy inside them; chance r/d
  // Where they are added; chance 1:
  double overlap = NAN;  ///< of words and positions
  double leading = NAN;  ///< of leading_rank directions of each alone: mean squared principal cosine over r/d
  // Overlap of the words, where they have all d dimensions, with the positions that a run of this seed starts
  // from, whether this one has them or not:
  double overlap_centred = NAN, overlap_learned = NAN;
};
/// `shared` names the seed's first positions.
Geometry geometry(const model::Embedding<float>& embedding, std::size_t length, const Streams& shared);

/// Variances of the terms of each head's scores in the first block over all pairs of a word at a position, where
/// positions are added or concatenated; none where words stand alone or are projected. The LayerNorm before attention
/// is folded in as gain and centring; its division by a token's own length is not, so that variances compare within a
/// model only.
std::vector<FourTerms> position_scores(const model::Predictor<float>& predictor);

/// Word and position read linearly (linear_classes) from what enters the first block, on tokens not learned from,
/// drawn as the task draws them.
struct Probe {
  double word, position;  ///< shares right
};
Probe probe(const model::Predictor<float>& predictor, const Task& task, const Streams& shared);

}  // namespace perp::learning
