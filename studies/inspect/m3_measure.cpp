#include "studies/inspect/m3_measure.hpp"

#include <array>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/overlap.hpp"
#include "studies/inputs/trained_rows.hpp"

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

/// None where equal rows leave nothing to compare.
void add_overlap(const OfModel& at, const char* of, const Cloud& words, const Cloud& positions,
                 bool is_centred, Rows& rows) {
  if (words.rows == 0 || positions.rows == 0) return;
  const Matrix<double> a = is_centred ? words.covariance : about_origin(words),
                       b = is_centred ? positions.covariance : about_origin(positions);
  const double trace_a = trace(a), trace_b = trace(b);
  if (!(trace_a > 0 && trace_b > 0)) return;
  const std::size_t d = words.mean.size();
  const theory::OverlapNull null =
      theory::overlap_null(d, trace_a, trace_of_product(a, a), trace_b, trace_of_product(b, b));
  rows.add(Overlap{at, of, trace_of_product(a, b) / null.mean, null.sd / null.mean, std::size_t(words.rows),
                   std::size_t(positions.rows)});
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

/// From the products of orthonormal directions, of which the first k and r are taken.
Meeting meeting(const OfModel& at, const char* table, std::size_t k, std::size_t r, std::size_t d,
                std::size_t rotation, const Matrix<double>& products) {
  Matrix<double> part = matrix<double>(k, r);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < r; ++j) part(i, j) = products(i, j);
  const std::vector<double> cosines = singular_values(part);
  double squares = 0;
  for (const double c : cosines) squares += c * c;
  const auto degrees = [](double c) { return 180 / std::numbers::pi * std::acos(std::min(1.0, c)); };
  return {at,
          table,
          k,
          r,
          d,
          rotation,
          squares / double(cosines.size()),
          degrees(cosines.front()),
          degrees(cosines.back())};
}

void add_meetings(const Compared& at, const Cloud& words, const Cloud& positions, const Streams& streams,
                  Rows& rows) {
  const std::size_t d = words.mean.size();
  const std::vector<std::size_t> ranks = ranks_within(d);
  if (ranks.empty()) return;
  const auto add = [&](const char* table, std::size_t rotation, const Matrix<double>& products) {
    for (const std::size_t k : ranks)
      for (const std::size_t r : ranks) rows.add(meeting(at, table, k, r, d, rotation, products));
  };
  add("given", 0,
      product_nt(leading_directions(words.covariance, ranks.back()),
                 leading_directions(positions.covariance, ranks.back())));
  // The first rows of a random rotation beside the axes.
  for (std::size_t rotation = 0; rotation < at.rotations; ++rotation)
    add("turned", rotation,
        orthonormal_rows(normal_matrix<double>(ranks.back(), d, streams("rotation", rotation))));
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
  add_overlap(at, "centred", all, positions, true, rows);
  add_overlap(at, "uncentred", all, positions, false, rows);
  add_overlap(at, "trained rows", trained, trained_positions, true, rows);
  add_overlap(at, "frequent", words[frequent], trained_positions, true, rows);
  add_overlap(at, "middle", words[middle], trained_positions, true, rows);
  add_overlap(at, "rare", words[rare], trained_positions, true, rows);
  add_meetings(at, all, positions, streams, rows);
}

}  // namespace perp::inspect
