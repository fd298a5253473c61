#include "studies/inspect/m3_measure.hpp"

#include <functional>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/order.hpp"
#include "perp/theory/overlap.hpp"
#include "studies/inputs/trained_rows.hpp"
#include "studies/inspect/clouds.hpp"
#include "studies/inspect/overlap_nulls.hpp"

namespace perp::inspect {
namespace {

enum WordKind : std::uint8_t { never_met, frequent, middle, rare, word_kinds };

/// Thirds of the rows that training met, in their order.
std::vector<std::uint8_t> kinds_of(const std::vector<bool>& trained) {
  const auto count = std::size_t(std::ranges::count(trained, true));
  std::vector<std::uint8_t> kinds(trained.size(), never_met);
  std::size_t before = 0;
  for (std::size_t i = 0; i < trained.size(); ++i)
    if (trained[i]) kinds[i] = std::uint8_t(frequent + 3 * before++ / count);
  return kinds;
}

Matrix<double> trained_part(const Matrix<double>& positions) {
  const std::vector<bool> trained = trained_rows(row_norms(positions));
  return select_rows(positions, where(first(trained.size()), [&](std::size_t t) { return trained[t]; }));
}

/// Two tables that are compared.
struct Pair {
  const char* of;
  Groups groups;
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

/// Random draws for an overlap's bands; turning whole tables is dear.
struct Draws {
  std::size_t permutations, turns;
};
Draws draws_of(const Compared& at, std::size_t d) {
  const double affordable = 2e10 / std::pow(double(d), 3);
  return {at.rotations, std::min(at.rotations, std::size_t(std::clamp(affordable, 8.0, 100.0)))};
}

/// With its error from parts of the words.
Overlap overlap_row(const Compared& at, const Pair& pair, double value,
                    const std::function<double(const Cloud&)>& of_part) {
  const std::vector<double> errors =
      split_half_errors(pair.groups, [&](const Cloud& half) { return std::vector{of_part(half)}; });
  Overlap out{at, pair.of, value};
  out.error = errors.empty() ? left_out_error(pair.groups, of_part) : errors.front();
  out.groups = count_if(pair.groups, [](const Cloud& group) { return group.rows > 0; });
  out.words = pair.distinct > 0 ? pair.distinct : std::size_t(pair.words.rows);
  out.positions = std::size_t(pair.positions.rows);
  return out;
}

/// None where equal rows leave nothing to compare.
void add_overlap(const Compared& at, const Pair& pair, const Streams& streams, Rows& rows) {
  if (pair.words.rows == 0 || pair.positions.rows == 0) return;
  const Matrix<double> a = pair.second_moments(pair.words), b = pair.second_moments(pair.positions);
  const double trace_a = trace(a), trace_b = trace(b);
  if (!(trace_a > 0 && trace_b > 0)) return;
  const std::size_t d = cols(a);
  const theory::OverlapNull null =
      theory::overlap_null(d, trace_a, trace_of_square(a), trace_b, trace_of_square(b));
  Overlap out = overlap_row(at, pair, trace_of_product(a, b) / null.mean,
                            [&](const Cloud& half) { return overlap(pair.second_moments(half), b); });
  out.sd = null.sd / null.mean;
  out.floor = least_overlap(a, b);
  // In a subspace there are no coordinates, and behind a gain they are not alike.
  if (pair.within.size() == 0) {
    const std::vector<double> permuted = permuted_overlaps(a, b, draws_of(at, d).permutations, streams);
    out.permuted_low = quantile(permuted, (1 - shown_level) / 2);
    out.permuted_high = quantile(permuted, (1 + shown_level) / 2);
  }
  rows.add(out);
}

/// Without the leading directions of the positions, where these vary in others, too: in what is left, turning
/// the words at random gives 1 as before.
void add_overlap_without(const Compared& at, const char* of, std::size_t count, const Groups& words,
                         const Cloud& positions, const Streams& streams, Rows& rows) {
  const std::size_t d = positions.mean.size();
  if (2 * count > d || numerical_rank(positions.covariance, determined_in_double) <= count) return;
  const Matrix<double> directions = leading_directions(positions.covariance, d);
  const View<double> others = block(directions, count, d);
  add_overlap(at, {of, words, positions, true, converted<double>(others)}, streams, rows);
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

/// Without the direction that words and positions share most.
void add_overlap_beside(const Compared& at, const Pair& pair, const Streams& streams, Rows& rows) {
  const Matrix<double>&a = pair.words.covariance, &b = pair.positions.covariance;
  if (!(trace(a) > 0 && trace(b) > 0)) return;
  const std::vector<double> shared = shared_direction(a, b);
  const double value = overlap_beside(a, b, shared);
  if (std::isnan(value)) return;
  const std::vector<double> turned = turned_overlaps_beside(a, b, draws_of(at, shared.size()).turns, streams);
  Overlap out = overlap_row(at, pair, value,
                            [&](const Cloud& half) { return overlap_beside(half.covariance, b, shared); });
  out.chance = mean_of(turned);
  out.sd = sd_of(turned);
  out.floor = least_overlap_beside(without_direction(a, shared), without_direction(b, shared));
  rows.add(out);
}

/// Chance as for any overlap, the projection onto half of the words' directions being one of the tables.
void add_inside(const OfModel& at, const Matrix<double>& directions, std::size_t determined,
                const Matrix<double>& positions, Rows& rows) {
  const std::size_t d = directions.shape(0), half = d / 2;
  const double total = trace(positions);
  if (!(total > 0) || half == 0 || half > determined) return;
  const Matrix<double> leading = leading_rows(directions, half);
  const theory::OverlapNull null = theory::overlap_null(d, half, half, total, trace_of_square(positions));
  rows.add(Inside{at, trace(product_nt(product(leading, positions), leading)) / total, null.mean / total,
                  null.sd / total});
}

// ---- angles

constexpr std::size_t most_ranks[] = {8, 16, 32, 64};

/// Two subspaces of more than half of the dimensions meet by necessity; directions without variance are
/// whatever rounding makes of them, as those of a short sinusoid's positions beyond the first dozen.
std::vector<std::size_t> ranks_within(std::size_t d, std::size_t determined) {
  std::vector<std::size_t> ranks;
  for (const std::size_t rank : most_ranks)
    if (2 * rank <= d && rank <= determined) ranks.push_back(rank);
  return ranks;
}

/// Of two subspaces, from the products of orthonormal directions, of which the first k and r are taken.
struct Met {
  double mean_square, smallest, largest;
};
Met met(std::size_t k, std::size_t r, const Matrix<double>& products) {
  const std::vector<double> cosines = singular_values(converted<double>(block(products, 0, k, r)));
  double squares = 0;
  for (const double c : cosines) squares += c * c;
  const auto degrees = [](double c) { return 180 / std::numbers::pi * std::acos(std::min(1.0, c)); };
  return {squares / double(cosines.size()), degrees(cosines.front()), degrees(cosines.back())};
}

/// The last rows of a basis, from the last one on.
Matrix<double> trailing_rows(const Matrix<double>& basis, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(rows(basis) - 1 - i);
  return select_rows(basis, order);
}

/// The words' directions with the most and with the least variance, of all of them.
struct End {
  const char* name;
  Matrix<double> (*part)(const Matrix<double>& directions, std::size_t count);
};
constexpr End leading_end{
    "leading", [](const Matrix<double>&all, std::size_t count) { return leading_rows(all, count); }},
    trailing_end{"trailing", trailing_rows};

/// Dimensions beyond which the eigenproblems of thirty halves take longer than everything else.
constexpr std::size_t most_dimensions_of_halves = 1024;

/// words: all of their directions, those with the most variance first, of which so many are determined.
void add_meetings(const Compared& at, const Pair& pair, const Matrix<double>& words, std::size_t determined,
                  const Streams& streams, Rows& rows) {
  const std::size_t d = cols(words);
  const std::vector<std::size_t> word_ranks = ranks_within(d, determined),
                                 position_ranks = ranks_within(
                                     d, numerical_rank(pair.positions.covariance, determined_in_double));
  if (word_ranks.empty() || position_ranks.empty()) return;
  const std::size_t most = word_ranks.back();
  const auto for_pairs = [&](const auto& run) {
    for (const std::size_t k : word_ranks)
      for (const std::size_t r : position_ranks) run(k, r);
  };
  const auto add = [&](const char* end, const char* table, const Matrix<double>& products,
                       std::span<const double> errors = {}) {
    std::size_t next = 0;
    for_pairs([&](std::size_t k, std::size_t r) {
      const Met of = met(k, r, products);
      rows.add(Meeting{at, end, table, k, r, d, of.mean_square, of.smallest, of.largest,
                       errors.empty() ? NAN : errors[next++]});
    });
  };
  const Matrix<double> of_positions = leading_directions(pair.positions.covariance, position_ranks.back());
  std::vector<End> ends{leading_end};
  if (determined == d) ends.push_back(trailing_end);
  std::vector<double> errors;  // end by end
  if (d <= most_dimensions_of_halves && pair.words.rows > 2 * double(d))
    errors = split_half_errors(pair.groups, [&](const Cloud& half) {
      const Matrix<double> directions = leading_directions(half.covariance, d);
      std::vector<double> squares;
      for (const End& end : ends) {
        const Matrix<double> products = product_nt(end.part(directions, most), of_positions);
        for_pairs(
            [&](std::size_t k, std::size_t r) { squares.push_back(mean_square_cosine(products, k, r)); });
      }
      return squares;
    });
  const std::size_t pairs = errors.size() / ends.size();
  for (std::size_t i = 0; i < ends.size(); ++i)
    add(ends[i].name, "given", product_nt(ends[i].part(words, most), of_positions),
        std::span(errors).subspan(i * pairs, pairs));
  // The first rows of a random rotation beside the axes.
  for (std::size_t draw = 0; draw < at.rotations; ++draw)
    add("", "turned", orthonormal_rows(normal_matrix<double>(most, d, streams("rotation", draw))));
}

}  // namespace

void measure_overlaps(const ModelUnderTest& model, const Compared& at, const Streams& streams, Rows& rows) {
  const std::vector<float>& lengths = model.given().words->norms;
  const std::vector<Groups> words =
      grouped_words(*model.tables.word_stream(), kinds_of(trained_rows({lengths.begin(), lengths.end()})),
                    word_kinds, streams);
  const std::span<const Groups> all(words), trained = all.subspan(frequent);
  const Cloud positions = cloud_of(*model.tables.positions),
              trained_positions = cloud_of(trained_part(*model.tables.positions));
  const Pair of_all{"centred", together(all), positions};
  add_overlap(at, of_all, streams, rows);
  add_overlap(at, {"uncentred", of_all.groups, positions, false}, streams, rows);
  add_overlap_beside(at, {"without one direction", of_all.groups, positions}, streams, rows);
  add_overlap_without(at, "without ten", 10, of_all.groups, positions, streams, rows);
  add_overlap_without(at, "without thirty", 30, of_all.groups, positions, streams, rows);
  if (const std::vector<double> gain = model.gain(); gain.size() == model.dim())
    add_overlap(at, {"after LayerNorm", of_all.groups, positions, true, through_layer_norm(gain)}, streams,
                rows);
  if (const std::vector<double>& counts = model.tables.counts; !counts.empty()) {
    const std::vector<Groups> counted = grouped_words(
        *model.tables.word_stream(), std::vector<std::uint8_t>(counts.size()), 1, streams, counts);
    Pair pair{"by frequency", counted.front(), positions};
    pair.distinct = std::size_t(std::ranges::count_if(counts, [](double count) { return count > 0; }));
    add_overlap(at, pair, streams, rows);
  }
  add_overlap(at, {"trained rows", together(trained), trained_positions}, streams, rows);
  add_overlap(at, {"frequent", words[frequent], trained_positions}, streams, rows);
  add_overlap(at, {"middle", words[middle], trained_positions}, streams, rows);
  add_overlap(at, {"rare", words[rare], trained_positions}, streams, rows);
  const Matrix<double> directions = leading_directions(of_all.words.covariance, of_all.words.mean.size());
  const std::size_t determined = numerical_rank(of_all.words.covariance, determined_in_float);
  add_inside(at, directions, determined, positions.covariance, rows);
  add_meetings(at, of_all, directions, determined, streams, rows);
}

}  // namespace perp::inspect
