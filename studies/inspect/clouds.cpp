#include "studies/inspect/clouds.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/study/judge.hpp"

namespace perp::inspect {
namespace {

constexpr std::size_t tile_rows = 4096, least_words_in_group = 8;

/// Σ += factor · v vᵀ.
void add_square(Matrix<double>& sum, const std::vector<double>& v, double factor) {
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) sum(i, j) += factor * v[i] * v[j];
}

/// Each of these rows of a table as often as it counts.
Cloud counted_cloud(const Matrix<float>& table, const std::vector<std::size_t>& members, std::size_t before,
                    const std::vector<double>& counts) {
  Cloud out{0, std::vector<double>(cols(table)), {}};
  for (const std::size_t i : members) {
    out.rows += counts[before + i];
    for (std::size_t j = 0; j < cols(table); ++j) out.mean[j] += counts[before + i] * double(table(i, j));
  }
  if (out.rows == 0) return out;
  for (double& mean : out.mean) mean /= out.rows;
  Matrix<double> apart = converted<double>(select_rows(table, members));
  for (std::size_t r = 0; r < members.size(); ++r)
    for (std::size_t j = 0; j < cols(table); ++j)
      apart(r, j) = std::sqrt(counts[before + members[r]] / out.rows) * (apart(r, j) - out.mean[j]);
  out.covariance = product_tn(apart, apart);
  return out;
}

}  // namespace

template <class T>
Cloud cloud_of(const Matrix<T>& table) {
  return {double(rows(table)), column_means(table), covariance(table)};
}
template Cloud cloud_of(const Matrix<float>&);
template Cloud cloud_of(const Matrix<double>&);

/// Their covariances, and that of their two means.
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

Cloud pooled(std::span<const Cloud> clouds) {
  Cloud out;
  for (const Cloud& cloud : clouds) out = pooled(out, cloud);
  return out;
}

Matrix<double> about_origin(const Cloud& of) {
  Matrix<double> out = of.covariance;
  add_square(out, of.mean, 1);
  return out;
}

Groups grouped_words(const RowStream& stream, std::size_t rows, const Streams& streams,
                     const std::vector<double>& counts) {
  const std::size_t groups = word_groups(stream.cols);
  const std::vector<std::uint32_t> group_of =
      below(streams("halves"), rows, static_cast<std::uint32_t>(groups));
  Groups words(groups);
  Matrix<float> tile = matrix<float>(tile_rows, stream.cols);
  std::size_t before = 0;
  while (const std::size_t got = stream.next(tile_rows, tile.data())) {
    std::vector<std::vector<std::size_t>> members(groups);
    for (std::size_t i = 0; i < got; ++i) members.at(group_of[before + i]).push_back(i);
    for (std::size_t group = 0; group < groups; ++group)
      if (!members[group].empty())
        words[group] =
            pooled(words[group], counts.empty() ? cloud_of(select_rows(tile, members[group]))
                                                : counted_cloud(tile, members[group], before, counts));
    before += got;
  }
  return words;
}

double split_half_error(const Groups& words, const std::function<double(const Cloud&)>& of) {
  double count = 0, square = 0;
  for (const Cloud& group : words) count += group.rows;
  if (count < double(least_words_in_group * words.size())) return NAN;
  // Rows of Hadamard's matrix of that order but the first.
  for (unsigned half = 1; half < words.size(); ++half) {
    std::array<Cloud, 2> halves;
    for (unsigned group = 0; group < words.size(); ++group) {
      Cloud& own = halves[std::popcount(half & group) % 2];
      own = pooled(own, words[group]);
    }
    const double apart = of(halves[0]) - of(halves[1]);
    square += apart * apart / 4;
  }
  return std::sqrt(square / double(words.size() - 1));
}

double left_out_error(const Groups& words, const std::function<double(const Cloud&)>& of) {
  Groups groups = words;
  std::erase_if(groups, [](const Cloud& group) { return group.rows == 0; });
  if (groups.size() < fewest_replicates) return NAN;
  MomentSums sums;
  for (std::size_t out = 0; out < groups.size(); ++out) {
    Groups others = groups;
    others.erase(others.begin() + std::ptrdiff_t(out));
    sums.add(of(pooled(others)));
  }
  // (G - 1)/G times the sum of squares about their mean.
  return double(groups.size() - 1) * standard_error(sums.moments());
}

}  // namespace perp::inspect
