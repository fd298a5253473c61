// A1: words and positions found by decoders that know nothing of each other, and words by one that projects the
// positions' subspace out.

#include "studies/capacity/a1_measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/squares.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"

namespace perp::capacity {
namespace {

using Indices = std::vector<std::uint32_t>;

/// Sizes at which every cell is read: the grid, √½ (sinusoid against words of variance 1 per dimension) and
/// √(d/2) (against words of length 1), ascending.
std::vector<double> sizes(std::size_t d) {
  std::vector<double> sizes{0.05, 0.1, 0.2, 0.35, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 11, 16};
  for (const double added : {std::numbers::sqrt2 / 2, std::sqrt(d / 2.0)})
    if (std::ranges::find(sizes, added) == sizes.end()) sizes.push_back(added);
  std::ranges::sort(sizes);
  return sizes;
}

/// Word and position of each trial.
struct Sent {
  Indices w, t;
};
Sent draw(const Decoding& at, const Streams& streams, std::size_t codebook) {
  return {below(streams("word", codebook), at.trials, static_cast<std::uint32_t>(at.v)),
          below(streams("position", codebook), at.trials, static_cast<std::uint32_t>(at.l))};
}

Matrix<float> rows_at(const Matrix<float>& table, const Indices& which) {
  return select_rows(table, std::vector<std::size_t>(which.begin(), which.end()));
}

/// A column more: `last` of each row.
template <class Last>
Matrix<float> with_column(const Matrix<float>& table, const Last& last) {
  const std::size_t d = cols(table);
  Matrix<float> wider = matrix<float>(rows(table), d + 1);
  for (std::size_t i = 0; i < rows(table); ++i) {
    std::ranges::copy(row(table, i), row(wider, i).begin());
    wider(i, d) = last(i);
  }
  return wider;
}

/// Sizes ρ at which the position nearest to first_i + ρ p_t(i) is p_t: it maximises first·p_s + ρ (p_t·p_s -
/// ‖p_s‖²/2), and the halved square goes into one more column.
std::vector<Range> positions_between(const Matrix<float>& first, const Matrix<float>& positions,
                                     const Indices& which) {
  const Matrix<float> asked = with_column(first, [](std::size_t) { return 0.0F; }),
                      known = with_column(positions, [](std::size_t) { return -1.0F; }),
                      table = with_column(positions, [&](std::size_t t) {
                        return static_cast<float>(sum_of_squares(row(positions, t)) / 2);
                      });
  return found_between(asked, known, which, table, which, Nearness::inner_product);
}

/// The rows that are asked for, each once, and where each query finds its own.
struct Used {
  Matrix<float> rows;
  Indices which;
};
Used used_rows(const Matrix<float>& table, const Indices& which) {
  std::vector<std::size_t> kept(which.begin(), which.end());
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  Used used{select_rows(table, kept), {}};
  for (const std::uint32_t s : which)
    used.which.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(kept, s) - kept.begin()));
  return used;
}

/// Orthonormal rows: the fewest principal directions (about the origin) that hold 99.9 % of the positions'
/// power.
Matrix<float> principal_directions(const Matrix<float>& positions) {
  const Eigen<double> eigen = symmetric_eigen(gram_columns(converted<double>(positions)));
  std::vector<double> descending(eigen.values.rbegin(), eigen.values.rend());
  for (double& x : descending) x = std::max(x, 0.0);
  return converted<float>(leading_directions(eigen, effective_dimension(descending).r999));
}

}  // namespace

void Share::add(const Hits& hits) {
  right += hits.right;
  n += hits.n;
  by_codebook.push_back(hits.share());
}

Interval Share::interval(double level) const {
  Interval both = wilson(right, n, level);
  if (by_codebook.size() < 2) return both;
  const Interval student = mean_interval(moments_of(by_codebook), level);
  both.low = std::max(0.0, std::min(both.low, student.low));
  both.high = std::min(1.0, std::max(both.high, student.high));
  return both;
}

Estimate Share::estimate() const {
  const Interval shown = interval(shown_level);
  return {value(), shown.low, shown.high, shown_level};
}

Matrix<float> unit_power_positions(std::size_t length, std::size_t d, bool centred) {
  Matrix<double> table = sinusoidal<double>(length, d);
  if (centred) table = perp::centred(table);
  double power = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t t = 0; t < length; ++t) power += table(t, j) * table(t, j) / length;
  for (double& x : table) x /= std::sqrt(power);
  return converted<float>(table);
}

// With rows y = x_w + ρ p_t, y·x_v is linear in ρ: two products serve all sizes.
void measure_star(const Star& at, const Streams& streams, Rows& rows) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d, at.centred);
  const std::vector<double> grid = sizes(at.d);
  std::vector<Share> word(grid.size()), position(grid.size());
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(family_from(at.family), at.v, at.d, streams("words", c));
    const auto [w, t] = draw(at, streams, c);
    const Matrix<float> sent = rows_at(words, w);
    const Used used = used_rows(positions, t);
    const std::vector<Range> of_words = found_between(sent, used.rows, used.which, words, w),
                             of_positions = positions_between(sent, positions, t);
    for (std::size_t f = 0; f < grid.size(); ++f) {
      const auto found = [&](const std::vector<Range>& ranges) {
        const auto there = [&](const Range& range) { return range.holds(grid[f]); };
        return Hits{std::uint64_t(std::ranges::count_if(ranges, there)), at.trials};
      };
      word[f].add(found(of_words));
      position[f].add(found(of_positions));
    }
  }
  for (std::size_t f = 0; f < grid.size(); ++f)
    rows.add(FoundAtSize{at, grid[f], theory::recovered(at.d, at.v, grid[f]), word[f].estimate(),
                         position[f].estimate()});
}

void measure_projected(const Decoding& at, const Streams& streams, Rows& out) {
  constexpr float rho = 16;  // of a sinusoid beside unit embeddings of 512 dimensions
  const Matrix<float> positions = unit_power_positions(at.l, at.d, at.centred),
                      basis = principal_directions(positions);
  Share found;
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, at.v, at.d, streams("words", c));
    const Sent sent = draw(at, streams, c);
    Matrix<float> y = rows_at(words, sent.w);
    for (std::size_t i = 0; i < at.trials; ++i)
      for (std::size_t j = 0; j < at.d; ++j) y(i, j) += rho * positions(sent.t[i], j);
    found.add(count_hits(nearest_words(project_out(y, basis), project_out(words, basis)), sent.w));
  }
  out.add(Projected{at, rho, found.estimate()});
}

}  // namespace perp::capacity
