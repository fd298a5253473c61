#include "studies/learning/geometry.hpp"

#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
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

}  // namespace perp::learning
