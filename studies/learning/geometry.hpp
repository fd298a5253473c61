#pragma once
// What training does to the two tables and to what attention makes of them.

#include <algorithm>
#include <cmath>

#include "studies/learning/arms.hpp"

namespace perp::learning {

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
  // Where they are added; _sd: the standard deviation if one table were turned at random:
  double cosine = NAN;                     ///< mean cosine of words and positions; chance 0
  double overlap = NAN, overlap_sd = NAN;  ///< of words and positions; chance 1
  double overlap_floor = NAN;              ///< the least that turning one of the tables could make of it
  double permuted_low = NAN, permuted_high = NAN;  ///< middle 99 % with one table's coordinates reordered
  // Overlap of the words, where they have all d dimensions, with the positions that a run of this seed starts
  // from, whether this one has them or not:
  double overlap_centred = NAN, overlap_learned = NAN;
};
PERP_ROW_OF(Geometry, Run, step, word_norm, ratio, rank, inside, cosine, overlap, overlap_sd, overlap_floor,
            permuted_low, permuted_high, overlap_centred, overlap_learned)
/// Of no run and step yet; `shared` names the seed's first positions.
Geometry geometry(const model::Embedding<float>& embedding, std::size_t length, const Streams& shared);

/// Of the lengths of a table's rows.
double root_mean_square_norm(const Matrix<float>& table);
/// ω, the `overlap` of the two tables' covariances: 1 on average when one is turned at random (claim O4), 0
/// when they share no direction.
double centred_overlap(const Matrix<float>& words, const Matrix<float>& positions);

/// How k directions of the centred words, with the most ("leading") or the least ("trailing") of their
/// variance, meet the leading r of the centred positions after a step.
struct Meeting : Run {
  std::size_t step = 0;
  std::string end;
  std::size_t k = 0, r = 0;
  double mean_square = NAN;  ///< squared principal cosine; chance max(k, r)/d

  double ratio() const { return mean_square * double(width) / double(std::max(k, r)); }
};
PERP_ROW_OF(Meeting, Run, step, end, k, r, mean_square)
/// For k and r of 4, 8, 16 … up to half of the dimensions, where rounding leaves both subspaces determined
/// (`numerical_rank`), of no run and step yet; none unless positions are added.
std::vector<Meeting> meetings(const model::Embedding<float>& embedding);

/// One head of the first block, where positions are added or concatenated. The LayerNorm before attention is
/// folded in as gain and centring; its division by a token's own length is not, so that variances
/// compare within a model only.
struct HeadScores : Run {
  std::string moment;  ///< "before" or "after" training
  std::size_t head = 0;
  /// Variances of the four terms of the scores over all pairs of a word at a position.
  double word_word = NAN, word_position = NAN, position_word = NAN, position_position = NAN;
  double distance_only = NAN;  ///< of the last, the part that is a function of the distance alone
  double r2 = NAN;       ///< share of the position scores' variance that is a function of the distance alone;
                         ///< random scores: theory::toeplitz_null
  std::int64_t lag = 0;  ///< distance s - t, at most L/2, of the largest mean position score
};
PERP_ROW_OF(HeadScores, Run, moment, head, word_word, word_position, position_word, position_position,
            distance_only, r2, lag)
/// Head by head, of no run and moment yet; none where words stand alone or are projected.
std::vector<HeadScores> position_scores(const model::Predictor<float>& predictor);

/// Where a head of the first block looks: its weight on the key at one position for the query at another,
/// mean over the sequences of the test.
struct AttentionWeight : Run {
  std::string moment = {};  ///< "before" or "after" training
  std::size_t head = 0, query = 0, key = 0;
  double weight = NAN;

  bool is_two_before() const { return key + 2 == query; }
};
PERP_ROW_OF(AttentionWeight, Run, moment, head, query, key, weight)
/// Of the one run that is shown, the first seed's on copying with the centred sinusoid added; none of
/// another.
std::vector<AttentionWeight> attention_weights(const model::Predictor<float>& predictor, const Run& run,
                                               const Task& task, const Streams& shared);

/// Word and position read linearly (linear_classes) on tokens not learned from, drawn as the task draws them.
struct Probe : Run {
  std::string moment = {};  ///< "before" or "after" training
  std::string where;        ///< from what enters the first block, "input", or leaves the last, "output"
  double word = NAN, position = NAN;  ///< shares right
  /// The same by who knows a token's position alone, or its word alone, and how often they went together.
  double word_chance = NAN, position_chance = NAN;
};
PERP_ROW_OF(Probe, Run, moment, where, word, position, word_chance, position_chance)
/// Of the input and of the output, of no run and moment yet.
std::vector<Probe> probes(const model::Predictor<float>& predictor, const Task& task, const Streams& shared);

}  // namespace perp::learning
