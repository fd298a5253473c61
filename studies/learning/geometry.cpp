#include "studies/learning/geometry.hpp"

#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/measures/subspaces.hpp"

namespace perp::learning {
namespace {

/// Of the lengths of a table's rows.
double root_mean_square_norm(const Matrix<float>& table) {
  return std::sqrt(sum_of_squares({table.data(), table.size()}) / rows(table));
}

/// ω, the `overlap` of the two tables' covariances: 1 on average when one is turned at random (claim O4), 0
/// when they share no direction.
double centred_overlap(const Matrix<float>& words, const Matrix<float>& positions) {
  return overlap(covariance(words), covariance(positions));
}

/// Share of the words' energy inside the directions that hold 99 % of the positions'.
void add_inside(const Matrix<float>& words, const Matrix<float>& positions, Geometry& at) {
  const Matrix<double> outer = mean_outer_product(positions);
  const std::size_t rank = effective_dimension(covariance_spectrum(outer, cols(positions))).r99;
  const std::vector<double> shares = energy_inside(words, converted<float>(leading_directions(outer, rank)));
  at.rank = rank;
  at.inside = std::accumulate(shares.begin(), shares.end(), 0.0) / shares.size();
}

/// Of the centred table, in float64: rounding of 1e-7 would look like directions.
std::size_t rank_of(const Matrix<float>& table) {
  return numerical_rank(gram_columns(centred(converted<double>(table))), determined_in_double);
}

/// Mean squared cosine of the leading directions of both over its mean by chance; NaN where rounding leaves these of
/// one of them undetermined.
double leading_overlap(const model::Embedding<float>& embedding, const Matrix<double>& words,
                       const Matrix<double>& positions) {
  const std::size_t d = cols(words);
  if (2 * leading_rank > d || rank_of(embedding.words) < leading_rank ||
      rank_of(embedding.positions) < leading_rank)
    return NAN;
  const Matrix<double> products = product_nt(leading_directions(words, d), leading_directions(positions, d));
  return mean_square_cosine(products, leading_rank, leading_rank) * double(d) / double(leading_rank);
}

}  // namespace

Geometry geometry(const model::Embedding<float>& embedding, std::size_t length, const Streams& shared) {
  const Matrix<float>& words = embedding.words;
  Geometry at;
  at.word_norm = root_mean_square_norm(words);
  const bool alone = embedding.combination == model::Combination::alone,
             add = embedding.combination == model::Combination::add;
  if (!alone) at.ratio = root_mean_square_norm(embedding.positions) / at.word_norm;
  if (!alone && !add) return at;
  const std::size_t d = cols(words);
  const Matrix<float> centred_sinusoid = positions_of("centred", length, d, shared);
  at.overlap_centred = centred_overlap(words, centred_sinusoid);
  at.overlap_learned = centred_overlap(words, positions_of("learned", length, d, shared));
  add_inside(words, add ? embedding.positions : centred_sinusoid, at);
  if (!add) return at;
  const Matrix<double> a = covariance(words), b = covariance(embedding.positions);
  if (!(trace(a) > 0 && trace(b) > 0)) return at;
  at.overlap = overlap(a, b);
  at.leading = leading_overlap(embedding, a, b);
  return at;
}

// ---- The first block's scores, head by head, as bilinear forms of what the embedding adds up.

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

// ---- What a linear reader finds of word and position in a model's input.

namespace {

using Labels = std::vector<std::uint32_t>;

/// Sequences to learn from, and as many to test on; the ridge keeps classes apart that do not vary at all.
constexpr std::size_t probe_sequences = 128;
constexpr double probe_ridge = 1e-4;

/// A batch's tokens and a model's input at them.
struct Tokens {
  Matrix<float> input;
  Labels words, positions;
};

Tokens tokens_of(const model::Predictor<float>& predictor, const model::Batch& batch) {
  Tokens out;
  out.input = model::embed<float>(predictor.embedding, batch.tokens, batch.length);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
    out.words.push_back(std::uint32_t(batch.tokens[r]));
    out.positions.push_back(std::uint32_t(r % batch.length));
  }
  return out;
}

double read(const Matrix<float>& examples, const Labels& classes, const Matrix<float>& queries,
            const Labels& truth) {
  return count_hits(linear_classes(examples, classes, queries, probe_ridge), truth).share();
}

}  // namespace

Probe probe(const model::Predictor<float>& predictor, const Task& task, const Streams& shared) {
  const Tokens learn = tokens_of(predictor, task.draw(probe_sequences, shared("probe", 0))),
               test = tokens_of(predictor, task.draw_test(probe_sequences, shared("probe", 1)));
  return {read(learn.input, learn.words, test.input, test.words),
          read(learn.input, learn.positions, test.input, test.positions)};
}

}  // namespace perp::learning
