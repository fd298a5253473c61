#include "studies/inspect/overlap_nulls.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"

namespace perp::inspect {
namespace {

constexpr std::size_t tile_rows = 512, least_words_in_group = 8;

std::vector<double> times(const Matrix<double>& a, std::span<const double> u) {
  std::vector<double> out(rows(a));
  for (std::size_t i = 0; i < rows(a); ++i) out[i] = dot(row(a, i), u);
  return out;
}

/// Sums over some words x, with M the positions' matrix and u the direction left out (or 0).
struct WordSums {
  double count = 0, inside = 0, square = 0;  ///< words, Σ xᵀMx, Σ |x|² - (ux)²
  std::vector<double> sum;                   ///< Σ x

  void add(const WordSums& other) {
    count += other.count;
    inside += other.inside;
    square += other.square;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += other.sum[j];
  }
};

double square_beside(std::span<const double> x, std::span<const double> u) {
  const double along = u.empty() ? 0 : dot(x, u);
  return dot(x, x) - along * along;
}

/// Of each group, in one pass.
std::vector<WordSums> sums_by_group(const SeenWords& words, const Matrix<double>& m,
                                    const std::vector<std::uint32_t>& groups) {
  const std::size_t d = rows(m);
  const Matrix<float> products_with = converted<float>(m);
  std::vector<WordSums> sums(word_groups, {.sum = std::vector<double>(d)});
  Matrix<float> tile = matrix<float>(tile_rows, d);
  std::vector<double> x(d);
  for (std::size_t at = 0;;) {
    const std::size_t got = words.stream.next(tile_rows, tile.data());
    if (got == 0) return sums;
    const Matrix<float> products = product(tile, products_with);
    for (std::size_t i = 0; i < got; ++i, ++at) {
      if (!words.kept[at]) continue;
      WordSums& of = sums[groups[at]];
      std::ranges::copy(row(tile, i), x.begin());
      ++of.count;
      of.inside += dot(row(products, i), row(tile, i));
      of.square += square_beside(x, words.without);
      for (std::size_t j = 0; j < d; ++j) of.sum[j] += x[j];
    }
  }
}

double overlap_of(const WordSums& of, const Matrix<double>& m, bool is_centred,
                  std::span<const double> without) {
  std::vector<double> mean = of.sum;
  for (double& x : mean) x /= of.count;
  double inside = of.inside / of.count, square = of.square / of.count;
  if (is_centred) {
    inside -= dot(mean, times(m, mean));
    square -= square_beside(mean, without);
  }
  const double dimensions = double(rows(m)) - (without.empty() ? 0 : 1);
  return dimensions * inside / (square * trace(m));
}

}  // namespace

double overlap(const Matrix<double>& a, const Matrix<double>& b) {
  return double(rows(a)) * trace_of_product(a, b) / (trace(a) * trace(b));
}

std::vector<double> permuted_overlaps(const Matrix<double>& a, const Matrix<double>& b, std::size_t count,
                                      const Streams& streams) {
  const std::size_t d = rows(a);
  const double scale = double(d) / (trace(a) * trace(b));
  std::vector<double> overlaps;
  for (std::size_t draw = 0; draw < count; ++draw) {
    const std::vector<std::uint32_t> order =
        permutation(streams("coordinates", draw), static_cast<std::uint32_t>(d));
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const std::span<const double> from = row(b, order[i]), beside = row(a, i);
      for (std::size_t j = 0; j < d; ++j) sum += beside[j] * from[order[j]];
    }
    overlaps.push_back(scale * sum);
  }
  return overlaps;
}

std::vector<double> shared_direction(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> both = a;
  const double of_a = 1 / trace(a), of_b = 1 / trace(b);
  for (std::size_t i = 0; i < both.size(); ++i) both.data()[i] = of_a * a.data()[i] + of_b * b.data()[i];
  const Matrix<double> leading = leading_directions(both, 1);
  return {row(leading, 0).begin(), row(leading, 0).end()};
}

Matrix<double> without_direction(const Matrix<double>& a, std::span<const double> u) {
  const std::vector<double> along = times(a, u);
  const double twice = dot(along, u);
  Matrix<double> out = a;
  for (std::size_t i = 0; i < u.size(); ++i)
    for (std::size_t j = 0; j < u.size(); ++j)
      out(i, j) += twice * u[i] * u[j] - along[i] * u[j] - u[i] * along[j];
  return out;
}

double overlap_beside(const Matrix<double>& a, const Matrix<double>& b, std::span<const double> u) {
  constexpr double rounding = 1e-12;
  const Matrix<double> rest_a = without_direction(a, u), rest_b = without_direction(b, u);
  if (!(trace(rest_a) > rounding * trace(a) && trace(rest_b) > rounding * trace(b))) return NAN;
  return overlap(rest_a, rest_b) * double(u.size() - 1) / double(u.size());
}

std::vector<double> turned_overlaps_beside(const Matrix<double>& a, const Matrix<double>& b,
                                           std::size_t count, const Streams& streams) {
  const std::size_t d = rows(a);
  std::vector<double> overlaps;
  for (std::size_t draw = 0; draw < count; ++draw) {
    const Matrix<double> rotation = orthonormal_rows(normal_matrix<double>(d, d, streams("turn", draw)));
    const Matrix<double> turned = product_nt(product(rotation, b), rotation);
    overlaps.push_back(overlap_beside(a, turned, shared_direction(a, turned)));
  }
  return overlaps;
}

double split_half_error(SeenWords words, const Matrix<double>& positions, const Streams& streams) {
  if (std::size_t(std::ranges::count(words.kept, true)) < least_words_in_group * word_groups) return NAN;
  const std::vector<std::uint32_t> groups = below(streams("halves"), words.kept.size(), word_groups);
  const std::vector<WordSums> sums = sums_by_group(words, positions, groups);
  double squares = 0;
  // Rows of Hadamard's matrix of order 16 but the first.
  for (unsigned half = 1; half < word_groups; ++half) {
    std::array<WordSums, 2> of;
    for (WordSums& one : of) one.sum.resize(rows(positions));
    for (unsigned group = 0; group < word_groups; ++group)
      of[std::popcount(half & group) % 2].add(sums[group]);
    const double apart = overlap_of(of[0], positions, words.is_centred, words.without) -
                         overlap_of(of[1], positions, words.is_centred, words.without);
    squares += apart * apart / 4;
  }
  return std::sqrt(squares / (word_groups - 1));
}

}  // namespace perp::inspect
