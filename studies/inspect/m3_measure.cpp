#include "studies/inspect/m3_measure.hpp"

#include <array>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/order.hpp"
#include "perp/theory/overlap.hpp"
#include "studies/inputs/trained_rows.hpp"
#include "studies/inspect/overlap_nulls.hpp"

namespace perp::inspect {
namespace {

/// Number, mean and covariance of some rows.
struct Cloud {
  double rows = 0;
  std::vector<double> mean;
  Matrix<double> covariance;
};

/// Σ += factor · v vᵀ.
void add_square(Matrix<double>& sum, const std::vector<double>& v, double factor) {
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) sum(i, j) += factor * v[i] * v[j];
}

/// Of two sets of rows together: their covariances, and that of their two means.
Cloud pooled(const Cloud& a, const Cloud& b) {
  if (a.rows == 0) return b;
  if (b.rows == 0) return a;
  Cloud out{a.rows + b.rows, a.mean, a.covariance};
  const double of_a = a.rows / out.rows, of_b = b.rows / out.rows;
  std::vector<double> apart = a.mean;
  for (std::size_t j = 0; j < apart.size(); ++j) {
    apart[j] -= b.mean[j];
    out.mean[j] = of_a * a.mean[j] + of_b * b.mean[j];
  }
  for (std::size_t i = 0; i < a.covariance.size(); ++i)
    out.covariance.data()[i] = of_a * a.covariance.data()[i] + of_b * b.covariance.data()[i];
  add_square(out.covariance, apart, of_a * of_b);
  return out;
}

Matrix<double> about_origin(const Cloud& of) {
  Matrix<double> out = of.covariance;
  add_square(out, of.mean, 1);
  return out;
}

/// Of the rows in one group; `stream` is read to its end.
Cloud cloud_of(RowStream stream, const std::vector<std::uint8_t>& groups, std::uint8_t group) {
  if (std::ranges::find(groups, group) == groups.end()) return {};
  auto next = [read = std::move(stream.next), d = stream.cols, at = std::size_t{0}, &groups, group,
               rows = std::vector<float>()](std::size_t most, float* out) mutable {
    rows.resize(most * d);
    std::size_t kept = 0;
    for (std::size_t got = most; kept == 0 && got > 0;) {
      got = read(most, rows.data());
      for (std::size_t i = 0; i < got; ++i)
        if (groups[at++] == group) std::copy_n(rows.data() + i * d, d, out + d * kept++);
    }
    return kept;
  };
  TableSums sums = stream_table({std::move(stream.name), stream.cols, std::move(next)}, {});
  return {double(sums.rows), std::move(sums.mean), std::move(sums.centred)};
}

Cloud cloud_of(const Matrix<double>& table) {
  Matrix<double> covariance = gram_columns(centred(table));
  for (double& x : covariance) x /= double(rows(table));
  return {double(rows(table)), column_means(table), std::move(covariance)};
}

enum Group : std::uint8_t { never_met, frequent, middle, rare };

/// Thirds of the rows that training met, in their order.
std::vector<std::uint8_t> groups_of(const std::vector<bool>& trained) {
  const auto count = std::size_t(std::ranges::count(trained, true));
  std::vector<std::uint8_t> groups(trained.size(), never_met);
  std::size_t before = 0;
  for (std::size_t i = 0; i < trained.size(); ++i)
    if (trained[i]) groups[i] = std::uint8_t(frequent + 3 * before++ / count);
  return groups;
}

Matrix<double> trained_part(const Matrix<double>& positions) {
  std::vector<double> lengths;
  for (std::size_t t = 0; t < rows(positions); ++t)
    lengths.push_back(std::sqrt(dot(row(positions, t), row(positions, t))));
  const std::vector<bool> trained = trained_rows(lengths);
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < trained.size(); ++t)
    if (trained[t]) kept.push_back(t);
  return select_rows(positions, kept);
}

/// Two tables that are compared, and the words among all rows.
struct Pair {
  const char* of;
  const Cloud &words, &positions;
  std::vector<bool> kept;
  bool is_centred = true;
};

/// Random draws for an overlap's bands; turning whole tables is dear.
struct Draws {
  std::size_t permutations, turns;
};
Draws draws_of(const Compared& at, std::size_t d) {
  const double affordable = 2e10 / std::pow(double(d), 3);
  return {at.rotations, std::min(at.rotations, std::size_t(std::clamp(affordable, 8.0, 100.0)))};
}

Overlap overlap_row(const Compared& at, const Pair& pair) {
  return {at,
          pair.of,
          NAN,
          1,
          NAN,
          NAN,
          NAN,
          NAN,
          std::size_t(pair.words.rows),
          std::size_t(pair.positions.rows)};
}

SeenWords words_of(const ModelUnderTest& model, const Pair& pair) {
  return {*model.tables.word_stream(), pair.kept, pair.is_centred};
}

/// None where equal rows leave nothing to compare.
void add_overlap(const ModelUnderTest& model, const Compared& at, const Pair& pair, const Streams& streams,
                 Rows& rows) {
  if (pair.words.rows == 0 || pair.positions.rows == 0) return;
  const Matrix<double> a = pair.is_centred ? pair.words.covariance : about_origin(pair.words),
                       b = pair.is_centred ? pair.positions.covariance : about_origin(pair.positions);
  const double trace_a = trace(a), trace_b = trace(b);
  if (!(trace_a > 0 && trace_b > 0)) return;
  const std::size_t d = pair.words.mean.size();
  const theory::OverlapNull null =
      theory::overlap_null(d, trace_a, trace_of_product(a, a), trace_b, trace_of_product(b, b));
  const std::vector<double> permuted = permuted_overlaps(a, b, draws_of(at, d).permutations, streams);
  Overlap out = overlap_row(at, pair);
  out.value = trace_of_product(a, b) / null.mean;
  out.sd = null.sd / null.mean;
  out.error = split_half_error(words_of(model, pair), b, streams);
  out.permuted_low = quantile(permuted, (1 - shown_level) / 2);
  out.permuted_high = quantile(permuted, (1 + shown_level) / 2);
  rows.add(out);
}

/// Without the direction that words and positions share most.
void add_overlap_beside(const ModelUnderTest& model, const Compared& at, const Pair& pair,
                        const Streams& streams, Rows& rows) {
  const Matrix<double>&a = pair.words.covariance, &b = pair.positions.covariance;
  if (!(trace(a) > 0 && trace(b) > 0)) return;
  const std::vector<double> shared = shared_direction(a, b);
  Overlap out = overlap_row(at, pair);
  out.value = overlap_beside(a, b, shared);
  if (std::isnan(out.value)) return;
  const std::vector<double> turned = turned_overlaps_beside(a, b, draws_of(at, shared.size()).turns, streams);
  out.chance = mean_of(turned);
  out.sd = sd_of(turned);
  SeenWords words = words_of(model, pair);
  words.without = shared;
  out.error = split_half_error(std::move(words), without_direction(b, shared), streams);
  rows.add(out);
}

/// Chance as for any overlap, the projection onto half of the words' directions being one of the tables.
void add_inside(const OfModel& at, const Matrix<double>& directions, const Matrix<double>& positions,
                Rows& rows) {
  const std::size_t d = directions.shape(0), half = d / 2;
  const double total = trace(positions);
  if (!(total > 0) || half == 0) return;
  const Matrix<double> leading = leading_rows(directions, half);
  const theory::OverlapNull null =
      theory::overlap_null(d, half, half, total, trace_of_product(positions, positions));
  rows.add(Inside{at, trace(product_nt(product(leading, positions), leading)) / total, null.mean / total,
                  null.sd / total});
}

// ---- angles

constexpr std::size_t most_ranks[] = {8, 16, 32, 64};

/// Two subspaces of more than half of the dimensions meet by necessity.
std::vector<std::size_t> ranks_within(std::size_t d) {
  std::vector<std::size_t> ranks;
  for (const std::size_t rank : most_ranks)
    if (2 * rank <= d) ranks.push_back(rank);
  return ranks;
}

/// Of two subspaces, from the products of orthonormal directions, of which the first k and r are taken.
struct Met {
  double mean_square, smallest, largest;
};
Met met(std::size_t k, std::size_t r, const Matrix<double>& products) {
  Matrix<double> part = matrix<double>(k, r);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < r; ++j) part(i, j) = products(i, j);
  const std::vector<double> cosines = singular_values(part);
  double squares = 0;
  for (const double c : cosines) squares += c * c;
  const auto degrees = [](double c) { return 180 / std::numbers::pi * std::acos(std::min(1.0, c)); };
  return {squares / double(cosines.size()), degrees(cosines.front()), degrees(cosines.back())};
}

/// The columns of `directions` in this order.
Matrix<double> reordered(const Matrix<double>& directions, const std::vector<std::uint32_t>& order) {
  Matrix<double> out = directions;
  for (std::size_t i = 0; i < rows(out); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) out(i, j) = directions(i, order[j]);
  return out;
}

/// The last rows of a basis, from the last one on.
Matrix<double> trailing_rows(const Matrix<double>& basis, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(rows(basis) - 1 - i);
  return select_rows(basis, order);
}

/// words: all of their directions, those with the most variance first.
void add_meetings(const Compared& at, const Matrix<double>& words, const Cloud& positions, bool has_trailing,
                  const Streams& streams, Rows& rows) {
  const std::size_t d = positions.mean.size();
  const std::vector<std::size_t> ranks = ranks_within(d);
  if (ranks.empty()) return;
  const std::size_t most = ranks.back();
  const auto add = [&](const char* end, const char* table, std::size_t draw, const Matrix<double>& products,
                       bool all_pairs) {
    for (const std::size_t k : ranks)
      for (const std::size_t r : ranks)
        if (all_pairs || k == r) {
          const Met of = met(k, r, products);
          rows.add(Meeting{at, end, table, k, r, d, draw, of.mean_square, of.smallest, of.largest});
        }
  };
  const Matrix<double> of_positions = leading_directions(positions.covariance, most);
  const auto add_end = [&](const char* end, const Matrix<double>& of_words) {
    add(end, "given", 0, product_nt(of_words, of_positions), true);
    for (std::size_t draw = 0; draw < at.rotations; ++draw)
      add(end, "permuted", draw,
          product_nt(of_words, reordered(of_positions, permutation(streams("coordinates", draw),
                                                                   static_cast<std::uint32_t>(d)))),
          false);
  };
  add_end("leading", leading_rows(words, most));
  if (has_trailing) add_end("trailing", trailing_rows(words, most));
  // The first rows of a random rotation beside the axes.
  for (std::size_t draw = 0; draw < at.rotations; ++draw)
    add("", "turned", draw, orthonormal_rows(normal_matrix<double>(most, d, streams("rotation", draw))),
        true);
}

}  // namespace

void measure_overlaps(const ModelUnderTest& model, const Compared& at, const Streams& streams, Rows& rows) {
  const std::vector<float>& lengths = model.given().words->norms;
  const std::vector<std::uint8_t> groups = groups_of(trained_rows({lengths.begin(), lengths.end()}));
  std::array<Cloud, 4> words;
  for (const Group group : {never_met, frequent, middle, rare})
    words[group] = cloud_of(*model.tables.word_stream(), groups, group);
  const Cloud trained = pooled(pooled(words[frequent], words[middle]), words[rare]),
              all = pooled(trained, words[never_met]);
  const Cloud positions = cloud_of(*model.tables.positions),
              trained_positions = cloud_of(trained_part(*model.tables.positions));
  const auto kept = [&](auto holds) {
    std::vector<bool> out;
    for (const std::uint8_t group : groups) out.push_back(holds(group));
    return out;
  };
  const auto only = [&](Group group) { return kept([=](std::uint8_t of) { return of == group; }); };
  const std::vector<bool> every(groups.size(), true);
  add_overlap(model, at, {"centred", all, positions, every}, streams, rows);
  add_overlap(model, at, {"uncentred", all, positions, every, false}, streams, rows);
  add_overlap_beside(model, at, {"beside one direction", all, positions, every}, streams, rows);
  add_overlap(
      model, at,
      {"trained rows", trained, trained_positions, kept([](std::uint8_t of) { return of != never_met; })},
      streams, rows);
  add_overlap(model, at, {"frequent", words[frequent], trained_positions, only(frequent)}, streams, rows);
  add_overlap(model, at, {"middle", words[middle], trained_positions, only(middle)}, streams, rows);
  add_overlap(model, at, {"rare", words[rare], trained_positions, only(rare)}, streams, rows);
  const Matrix<double> directions = leading_directions(all.covariance, all.mean.size());
  add_inside(at, directions, positions.covariance, rows);
  add_meetings(at, directions, positions, all.rows > double(all.mean.size()), streams, rows);
}

}  // namespace perp::inspect
