#pragma once
// What training does to the two tables and to what attention makes of them.

#include "studies/learning/arms.hpp"

namespace perp::learning {

/// Lengths and directions of words and positions. Always: word_norm, root mean square over words. Where there
/// are positions: position_norm. Where they are added:
///   ratio        position_norm / word_norm
///   rank         r: leading directions of the positions that hold 99 % of their energy (uncentred)
///   inside       mean share of a word's energy inside them; chance r/d
///   square       mean square cosine of words and positions, times d; chance 1
///   square_sd    its standard deviation if one table were turned at random, times d
///   cosine       mean cosine of words and positions
Coordinates geometry(const model::Embedding<float>& embedding);

/// Of the first block, head by head, where positions are added: variances of the four terms of the scores
/// over all pairs of tokens (word_word, word_position, position_word, position_position), of the latter the
/// part that is a function of the distance alone (distance_only), and its share r2 of the position scores'
/// variance. The LayerNorm before attention is folded in as gain and centring; its division by a token's own
/// length is not.
Records position_scores(const model::Predictor<float>& predictor);

/// Word and position read linearly from what enters the first block ("input") and from what leaves the last
/// ("output"): share right of a ridge regression on one-hot targets, on tokens not learned from.
Records probes(const model::Predictor<float>& predictor, const Task& task, const Streams& shared);

}  // namespace perp::learning
