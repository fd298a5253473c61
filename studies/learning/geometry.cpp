#include "studies/learning/geometry.hpp"

#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/energy.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/squares.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/order.hpp"
#include "perp/theory/overlap.hpp"

namespace perp::learning {
namespace {

/// Of coordinates, for the middle 99 % of an overlap.
constexpr std::size_t orders = 400;

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

}  // namespace

double root_mean_square_norm(const Matrix<float>& table) {
  return std::sqrt(sum_of_squares({table.data(), table.size()}) / rows(table));
}

double centred_overlap(const Matrix<float>& words, const Matrix<float>& positions) {
  return overlap(covariance(words), covariance(positions));
}

std::vector<Meeting> meetings(const model::Embedding<float>& embedding) {
  std::vector<Meeting> out;
  if (embedding.combination != model::Combination::add) return out;
  const std::size_t d = cols(embedding.words);
  const Matrix<double> words = leading_directions(covariance(embedding.words), d),
                       positions = leading_directions(covariance(embedding.positions), d);
  const std::size_t word_rank = rank_of(embedding.words), position_rank = rank_of(embedding.positions);
  const auto add = [&](const std::string& end, const Matrix<double>& products) {
    for (std::size_t k = 4; 2 * k <= d; k *= 2) {
      // The trailing k are what the d - k before them leave.
      if (word_rank < (end == "trailing" ? d - k : k)) continue;
      for (std::size_t r = 4; 2 * r <= d && r <= position_rank; r *= 2)
        out.push_back({{}, 0, end, k, r, mean_square_cosine(products, k, r)});
    }
  };
  const Matrix<double> products = product_nt(words, positions);
  std::vector<std::size_t> backwards;
  for (std::size_t i = d; i-- > 0;) backwards.push_back(i);
  add("leading", products);
  add("trailing", select_rows(products, backwards));
  return out;
}

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
  at.cosine = dot(column_means(unit_rows(words).rows), column_means(unit_rows(embedding.positions).rows));
  const Matrix<double> a = covariance(words), b = covariance(embedding.positions);
  if (!(trace(a) > 0 && trace(b) > 0)) return at;
  at.overlap = overlap(a, b);
  at.overlap_sd = theory::overlap_null(d, trace(a), trace_of_square(a), trace(b), trace_of_square(b)).sd * d /
                  (trace(a) * trace(b));
  at.overlap_floor = least_overlap(a, b);
  std::vector<double> permuted;
  for (std::size_t draw = 0; draw < orders; ++draw)
    permuted.push_back(
        permuted_overlap(a, b, permutation(shared("coordinates", draw), static_cast<std::uint32_t>(d))));
  at.permuted_low = quantile(permuted, (1 - shown_level) / 2);
  at.permuted_high = quantile(permuted, (1 + shown_level) / 2);
  return at;
}

}  // namespace perp::learning
