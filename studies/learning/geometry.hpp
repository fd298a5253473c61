#pragma once
// What training does to the two tables and to what attention makes of them.

#include "studies/learning/arms.hpp"

namespace perp::learning {

/// Lengths and directions of words and positions; a word is a row of the table, every one as good as another
/// (a task draws all of its words). Lengths are root mean squares over rows.
/// Always:
///   word_norm      of the words
///   word_spread    of the words less their mean
/// Where there are positions:
///   position_norm  of the positions
///   ratio          position_norm / word_norm
/// Where they are added; and for words alone with the sinusoid's directions instead, as a control that knows
/// nothing of them:
///   rank           r: leading directions of the positions that hold 99 % of their energy (uncentred)
///   inside         mean share of a word's energy inside them; chance r/d
///   inside_sd      its standard deviation if the words were turned at random together
///   inside_norm    length of the words' part inside them
/// Where they are added:
///   square         mean square cosine of words and positions, times d; chance 1
///   square_sd      its standard deviation if one table were turned at random, times d
///   square_centred, square_centred_sd
///                  the same with the positions less their mean, which carries no position
///   cosine         mean cosine of words and positions; chance 0
///   cosine_sd      its standard deviation, likewise
Coordinates geometry(const model::Embedding<float>& embedding);

/// Of the first block, head by head, where positions are added or concatenated:
///   word_word, word_position, position_word, position_position
///                  variances of the four terms of the scores over all pairs of a word at a position
///   distance_only  of the last, the part that is a function of the distance alone
///   key_bias       variance over keys of what a query scores them by before it has seen anything
///   r2             share of the position scores' variance, over the pairs that the mask lets through, that
///   is
///                  a function of the distance alone; random scores: distance_null
///   lag            the distance s - t, at most L/2, of the largest mean position score of query t and key s
/// The LayerNorm before attention is folded in as gain, bias and centring; its division by a token's own
/// length is not, so that variances compare within a model only.
Records position_scores(const model::Predictor<float>& predictor);

/// Mean of `r2` for independent scores of one variance: (lags - 1)/(pairs - 1), counted over the pairs that
/// the mask lets through; 2/(L + 1) without one.
double distance_null(std::size_t length, bool causal);

/// Word and position read linearly (linear_classes) from what enters the first block ("input") and from what
/// leaves the last ("output"), on tokens not learned from, drawn as the task draws them. Of each:
///   word, position                share right
///   word_chance, position_chance  of who knows a token's position alone, or its word alone, and how often
///                                 they went together
Records probes(const model::Predictor<float>& predictor, const Task& task, const Streams& shared);

}  // namespace perp::learning
