// A1: words and positions found by decoders that know nothing of each other, and words by one that projects the
// positions' subspace out; sums of released tables.

#include "studies/capacity/a1_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"

namespace perp::capacity {
namespace {

using Indices = std::vector<std::uint32_t>;

/// As BERT's models read “Tom bit a dog.”: their first token marks the beginning, and the rest is in their
/// vocabulary as it stands. The seventh, which marks the end, is left out.
constexpr std::array<std::string_view, 6> sentence{"[CLS]", "tom", "bit", "a", "dog", "."};

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

/// Positions L x d of the sinusoid with mean square length 1.
Matrix<float> unit_power_positions(std::size_t length, std::size_t d) {
  Matrix<double> table = sinusoidal<double>(length, d);
  double power = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t t = 0; t < length; ++t) power += table(t, j) * table(t, j) / length;
  for (double& x : table) x /= std::sqrt(power);
  return converted<float>(table);
}

/// Of hits by codebook.
Estimate share_of(const std::vector<Hits>& codebooks) {
  Hits all;
  std::vector<double> shares;
  for (const Hits& hits : codebooks) {
    all.right += hits.right;
    all.n += hits.n;
    shares.push_back(hits.share());
  }
  return estimated(all.share(), share_spread(all.right, all.n, shares));
}

Hits hits_at(const std::vector<Range>& ranges, double size) {
  const auto holds = [size](const Range& range) { return range.holds(size); };
  return {std::uint64_t(std::ranges::count_if(ranges, holds)), ranges.size()};
}

/// first + factor second, row by row.
Matrix<float> sums_of(Matrix<float> first, const Matrix<float>& second, double factor = 1) {
  for (std::size_t i = 0; i < first.size(); ++i) first.data()[i] += float(factor) * second.data()[i];
  return first;
}

}  // namespace

// With rows y = x_w + ρ p_t, y·x_v is linear in ρ: two products serve all sizes.
std::vector<FoundAtSize> found_by_size(const Decoding& at, const Streams& streams) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d);
  const std::vector<double> grid = sizes(at.d);
  std::vector<std::vector<Hits>> word(grid.size()), position(grid.size());
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, at.v, at.d, streams("words", c));
    const auto [w, t] = draw(at, streams, c);
    const Matrix<float> sent = rows_at(words, w);
    const Used used = used_rows(positions, t);
    const std::vector<Range> of_words = found_between(sent, used.rows, used.which, words, w),
                             of_positions = positions_between(sent, positions, t);
    for (std::size_t f = 0; f < grid.size(); ++f) {
      word[f].push_back(hits_at(of_words, grid[f]));
      position[f].push_back(hits_at(of_positions, grid[f]));
    }
  }
  std::vector<FoundAtSize> found;
  for (std::size_t f = 0; f < grid.size(); ++f)
    found.push_back({grid[f], share_of(word[f]), share_of(position[f])});
  return found;
}

Estimate found_projected(const Decoding& at, float rho, const Streams& streams) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d), basis = principal_directions(positions);
  std::vector<Hits> found;
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, at.v, at.d, streams("words", c));
    const Sent sent = draw(at, streams, c);
    const Matrix<float> y = sums_of(rows_at(words, sent.w), rows_at(positions, sent.t), rho);
    found.push_back(count_hits(nearest_words(project_out(y, basis), project_out(words, basis)), sent.w));
  }
  return share_of(found);
}

double Released::rho() const { return std::sqrt(mean_square_length(positions) / mean_square_length(words)); }

FoundReleased found_released(const Released& tables, std::size_t trials, const Streams& streams) {
  const auto& [words, positions] = tables;
  const Indices w = below(streams("word"), trials, static_cast<std::uint32_t>(rows(words))),
                t = below(streams("position"), trials, static_cast<std::uint32_t>(rows(positions)));
  const Matrix<float> sent = rows_at(words, w), sums = sums_of(sent, rows_at(positions, t));
  return {hits_at(found_between(sent, positions, t, words, w), 1).right,
          count_hits(nearest_words(sums, positions), t).right};
}

std::vector<std::size_t> rows_of_sentence(const std::vector<std::string>& tokens) {
  std::vector<std::size_t> found;
  for (const std::string_view word : sentence) {
    const auto at = std::ranges::find(tokens, word);
    if (at == tokens.end()) return {};
    found.push_back(std::size_t(at - tokens.begin()));
  }
  return found;
}

std::vector<TokenRead> read_tokens(const Released& tables, const std::vector<std::size_t>& which,
                                   double longer) {
  const std::vector<std::size_t> places = first(which.size());
  const Matrix<float> x = select_rows(tables.words, which), p = select_rows(tables.positions, places);
  const double rho = tables.rho();
  const Indices own = nearest_words(sums_of(x, p), tables.words),
                far = nearest_words(sums_of(x, p, longer / rho), tables.words);
  const std::vector<Range> found = found_between(x, p, Indices(places.begin(), places.end()), tables.words,
                                                 Indices(which.begin(), which.end()));
  std::vector<TokenRead> read;
  for (const std::size_t i : places)
    read.push_back({own[i], far[i], std::isinf(found[i].to) ? NAN : rho * found[i].to});
  return read;
}

}  // namespace perp::capacity
