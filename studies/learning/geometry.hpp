#pragma once
// What training does to the two tables and to what attention makes of them.

#include <cmath>

#include "studies/learning/arms.hpp"

namespace perp::learning {

/// Directions of each table that stand for its leading ones.
inline constexpr std::size_t leading_rank = 8;

/// Lengths and directions of words and positions after a step; a word is a row of the table, every one as
/// good as another (a task draws all of its words). Lengths are root mean squares over rows.
struct Geometry : Run {
  std::size_t step = 0;
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
PERP_ROW_OF(Geometry, Run, step, word_norm, ratio, rank, inside, overlap, leading, overlap_centred,
            overlap_learned)
/// Of no run and step yet; `shared` names the seed's first positions.
Geometry geometry(const model::Embedding<float>& embedding, std::size_t length, const Streams& shared);

/// Of the lengths of a table's rows.
double root_mean_square_norm(const Matrix<float>& table);
/// ω, the `overlap` of the two tables' covariances: 1 on average when one is turned at random (claim O4), 0
/// when they share no direction.
double centred_overlap(const Matrix<float>& words, const Matrix<float>& positions);

/// One head of the first block, where positions are added or concatenated. The LayerNorm before attention is
/// folded in as gain and centring; its division by a token's own length is not, so that variances
/// compare within a model only.
struct HeadScores : Run {
  std::string moment;  ///< "before" or "after" training
  std::size_t head = 0;
  /// Variances of the four terms of the scores over all pairs of a word at a position.
  double word_word = NAN, word_position = NAN, position_word = NAN, position_position = NAN;
};
PERP_ROW_OF(HeadScores, Run, moment, head, word_word, word_position, position_word, position_position)
/// Head by head, of no run and moment yet; none where words stand alone or are projected.
std::vector<HeadScores> position_scores(const model::Predictor<float>& predictor);

/// Word and position read linearly (linear_classes) from what enters the first block, on tokens not learned from,
/// drawn as the task draws them.
struct Probe : Run {
  std::string moment = {};            ///< "before" or "after" training
  double word = NAN, position = NAN;  ///< shares right
};
PERP_ROW_OF(Probe, Run, moment, word, position)
/// Of no run and moment yet.
Probe probe(const model::Predictor<float>& predictor, const Task& task, const Streams& shared);

}  // namespace perp::learning
