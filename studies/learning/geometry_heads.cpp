// The first block's scores, head by head, as bilinear forms of what the embedding adds up.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "studies/learning/geometry.hpp"

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

FourTerms scores_of(std::size_t head, const model::Block<float>& block, const Matrix<double>& words,
                    const Matrix<double>& positions) {
  const Attention<float>& attention = block.attention;
  const std::size_t width = cols(words) / attention.heads, first = head * width;
  const Matrix<double> query = folded(attention.query, block.first, first, width),
                       key = folded(attention.key, block.first, first, width);
  Matrix<double> m = product_tn(query, key);
  for (double& x : std::span(m.data(), m.size())) x /= std::sqrt(double(width));
  return four_terms(words, positions, m);
}

}  // namespace

std::vector<FourTerms> position_scores(const model::Predictor<float>& predictor) {
  const model::Embedding<float>& embedding = predictor.embedding;
  const bool add = embedding.combination == Combination::add;
  if (!add && embedding.combination != Combination::concatenate) return {};
  const std::size_t d = embedding.width();
  const Matrix<double> words = converted<double>(placed(embedding.words, 0, d)),
                       positions =
                           converted<double>(placed(embedding.positions, add ? 0 : cols(embedding.words), d));
  std::vector<FourTerms> scores;
  for (std::size_t head = 0; head < predictor.body.shape.heads; ++head)
    scores.push_back(scores_of(head, predictor.body.blocks.front(), words, positions));
  return scores;
}

}  // namespace perp::learning
