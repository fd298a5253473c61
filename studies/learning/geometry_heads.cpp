// The first block's scores, head by head, as bilinear forms of what the embedding adds up.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/scores.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using model::Attention;
using model::Combination;
using model::LayerNorm;

/// One head's rows of a map after LayerNorm, w x d: W diag(gain) (I - 11ᵀ/d), so that what it makes of a
/// vector is what the head makes of the vector's normalised form, times its length.
Matrix<double> folded(const model::Linear<float>& map, const LayerNorm<float>& norm, std::size_t first,
                      std::size_t width) {
  const std::size_t d = cols(map.weight);
  Matrix<double> out = matrix<double>(width, d);
  for (std::size_t i = 0; i < width; ++i) {
    double mean = 0;
    for (std::size_t j = 0; j < d; ++j) {
      out(i, j) = double(map.weight(first + i, j)) * double(norm.gain[j]);
      mean += out(i, j) / d;
    }
    for (std::size_t j = 0; j < d; ++j) out(i, j) -= mean;
  }
  return out;
}

/// What the distance alone makes of the position scores: r2 and lag.
HeadScores by_distance(const Matrix<double>& queries, const Matrix<double>& keys) {
  const LagStatistics lags = lag_statistics(queries, keys, 1);
  const auto half = std::int64_t(lags.length / 2);
  double within = 0, sum = 0, sum_square = 0, entries = 0, most = -INFINITY;
  HeadScores out;
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    const std::int64_t lag = lags.lag(i);
    const double n = lags.count[i];
    within += lags.square_deviation[i];
    sum += n * lags.mean[i];
    sum_square += n * lags.mean[i] * lags.mean[i];
    entries += n;
    if (std::abs(lag) > half || !(lags.mean[i] > most)) continue;
    most = lags.mean[i];
    out.lag = lag;
  }
  const double between = std::max(0.0, sum_square - sum * sum / entries);
  out.r2 = between / (between + within);
  return out;
}

HeadScores scores_of(std::size_t head, const model::Block<float>& block, const Matrix<double>& words,
                     const Matrix<double>& positions) {
  const Attention<float>& attention = block.attention;
  const std::size_t width = cols(words) / attention.heads, first = head * width;
  const Matrix<double> query = folded(attention.query, block.first, first, width),
                       key = folded(attention.key, block.first, first, width);
  Matrix<double> m = product_tn(query, key);
  for (double& x : std::span(m.data(), m.size())) x /= std::sqrt(double(width));
  const FourTerms terms = four_terms(words, positions, m);
  HeadScores scores = by_distance(product_nt(positions, query), product_nt(positions, key));
  scores.head = head;
  scores.word_word = terms.word_word;
  scores.word_position = terms.word_position;
  scores.position_word = terms.position_word;
  scores.position_position = terms.position_position;
  scores.distance_only = terms.distance_only;
  return scores;
}

}  // namespace

std::vector<AttentionWeight> attention_weights(const model::Predictor<float>& predictor, const Run& run,
                                               const Task& task, const Streams& shared) {
  if (run.task != "copy2" || run.arm != "add" || run.positions != "centred" || run.seed != 0 ||
      run.start != 1)
    return {};
  const std::size_t l = task.length, heads = predictor.body.shape.heads;
  const model::Batch batch = task.draw_test(test_sequences, shared("test", 0));
  const model::Trace<float> trace =
      model::trace(predictor.body, model::embed<float>(predictor.embedding, batch.tokens, l), l,
                   predictor.attention_positions);
  const Matrix<float>& weights = trace.activations.front().attention.weights;
  std::vector<double> sums(heads * l * l);
  for (std::size_t row = 0; row < rows(weights); ++row)
    for (std::size_t key = 0; key < l; ++key) sums[row % (heads * l) * l + key] += weights(row, key);
  std::vector<AttentionWeight> out;
  for (std::size_t i = 0; i < sums.size(); ++i)
    out.push_back({{}, {}, i / (l * l), i / l % l, i % l, sums[i] / test_sequences});
  return out;
}

std::vector<HeadScores> position_scores(const model::Predictor<float>& predictor) {
  const model::Embedding<float>& embedding = predictor.embedding;
  const bool add = embedding.combination == Combination::add;
  if (!add && embedding.combination != Combination::concatenate) return {};
  const std::size_t d = embedding.width();
  const Matrix<double> words = converted<double>(placed(embedding.words, 0, d)),
                       positions =
                           converted<double>(placed(embedding.positions, add ? 0 : cols(embedding.words), d));
  std::vector<HeadScores> scores;
  for (std::size_t head = 0; head < predictor.body.shape.heads; ++head)
    scores.push_back(scores_of(head, predictor.body.blocks.front(), words, positions));
  return scores;
}

}  // namespace perp::learning
