#include "studies/inspect/m3_measure.hpp"

#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/theory/overlap.hpp"
#include "studies/inspect/clouds.hpp"

namespace perp::inspect {
namespace {

/// Two tables that are compared.
struct Pair {
  const char* of;
  const Groups& groups;
  const Cloud& positions;
  bool is_centred = true;
  Matrix<double> within = {};  ///< a map that rows go through first; orthonormal rows: a subspace; or none
  std::size_t distinct = 0;    ///< words of which some count more than once, or 0
  Cloud words = pooled(groups);

  Matrix<double> second_moments(const Cloud& cloud) const {
    if (within.size() > 0) return product_nt(product(within, cloud.covariance), within);
    return is_centred ? cloud.covariance : about_origin(cloud);
  }
};

/// With its error from parts of the words. None where equal rows leave nothing to compare.
void add_overlap(const OfModel& at, const Pair& pair, Rows& rows) {
  if (pair.words.rows == 0 || pair.positions.rows == 0) return;
  const Matrix<double> a = pair.second_moments(pair.words), b = pair.second_moments(pair.positions);
  const double trace_a = trace(a), trace_b = trace(b);
  if (!(trace_a > 0 && trace_b > 0)) return;
  const theory::OverlapNull null =
      theory::overlap_null(cols(a), trace_a, trace_of_square(a), trace_b, trace_of_square(b));
  const auto of_part = [&](const Cloud& part) { return overlap(pair.second_moments(part), b); };
  const std::vector<double> errors =
      split_half_errors(pair.groups, [&](const Cloud& half) { return std::vector{of_part(half)}; });
  Overlap out{at, pair.of, trace_of_product(a, b) / null.mean, null.sd / null.mean, least_overlap(a, b)};
  out.error = errors.empty() ? left_out_error(pair.groups, of_part) : errors.front();
  out.groups = count_if(pair.groups, [](const Cloud& group) { return group.rows > 0; });
  out.words = pair.distinct > 0 ? pair.distinct : std::size_t(pair.words.rows);
  out.positions = std::size_t(pair.positions.rows);
  rows.add(out);
}

/// Without the leading directions of the positions, where these vary in others, too: in what is left, turning
/// the words at random gives 1 as before.
void add_overlap_without(const OfModel& at, const char* of, std::size_t count, const Groups& words,
                         const Cloud& positions, Rows& rows) {
  const std::size_t d = positions.mean.size();
  if (2 * count > d || numerical_rank(positions.covariance, determined_in_double) <= count) return;
  const Matrix<double> directions = leading_directions(positions.covariance, d);
  const View<double> others = block(directions, count, d);
  add_overlap(at, {of, words, positions, true, converted<double>(others)}, rows);
}

/// What a LayerNorm does to a sum's parts but for the sum's own length: each less its mean, times the gain
/// (Ba, Kiros and Hinton 2016, equation 4).
Matrix<double> through_layer_norm(const std::vector<double>& gain) {
  const std::size_t d = gain.size();
  Matrix<double> map = matrix<double>(d, d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) map(i, j) = gain[i] * (double(i == j) - 1 / double(d));
  return map;
}

PairCosines cosines_of(const OfModel& at, const Measurement& of) {
  const Between& b = of.between.value();
  const std::size_t d = of.words->numbers.dim;
  const double by = d;
  return {at,
          of.words->numbers.rows,
          of.positions->numbers.rows,
          d,
          b.mean_cosine.value,
          b.mean_cosine.sd,
          by * b.mean_square_cosine.value,
          by * b.mean_square_cosine.sd,
          by * b.mean_square_centred.value};
}

}  // namespace

void measure_overlaps(const ModelUnderTest& model, const Compared& at, const Streams& streams, Rows& rows) {
  rows.add(cosines_of(at, model.given()));
  const std::size_t count = model.tables.words->rows();
  const Groups words = grouped_words(*model.tables.word_stream(), count, streams);
  const Cloud positions = cloud_of(*model.tables.positions);
  add_overlap(at, {"centred", words, positions}, rows);
  add_overlap(at, {"uncentred", words, positions, false}, rows);
  add_overlap_without(at, "without ten", 10, words, positions, rows);
  add_overlap_without(at, "without thirty", 30, words, positions, rows);
  if (const std::vector<double> gain = model.gain(); gain.size() == model.dim())
    add_overlap(at, {"after LayerNorm", words, positions, true, through_layer_norm(gain)}, rows);
  if (const std::vector<double>& counts = model.tables.counts; !counts.empty()) {
    const Groups counted = grouped_words(*model.tables.word_stream(), count, streams, counts);
    add_overlap(
        at, {"by frequency", counted, positions, true, {}, count_if(counts, [](double n) { return n > 0; })},
        rows);
  }
}

}  // namespace perp::inspect
