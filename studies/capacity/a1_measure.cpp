// A1: words and positions found by decoders that know nothing of each other, by decoders that know more, and
// by a linear map.

#include "studies/capacity/a1_measure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/squares.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/normal.hpp"
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

/// Words of mean square length 1 in the family's own proportions: V x d.
Matrix<float> unit_power_words(const Star& at, const Streams& streams, std::size_t codebook,
                               const WordInputs& inputs) {
  if (at.family == "learned") return inputs.words->unit;
  const Family family = family_from(at.family);
  Matrix<float> words = draw_words(family, at.v, at.d, streams("words", codebook));
  if (family == Family::sphere) return words;
  // Positions lie along the axes as no learned table does: turn words whose law does not do that by itself.
  if (!is_isotropic(family)) words = product(words, random_rotation(at.d, streams("rotation", codebook)));
  double power = 0;
  for (std::size_t v = 0; v < at.v; ++v) power += sum_of_squares(row(words, v)) / at.v;
  const auto scale = static_cast<float>(1 / std::sqrt(power));
  for (float& x : std::span<float>(words.data(), words.size())) x *= scale;
  return words;
}

/// Rows x_w + noise: n x d. Noise has mean square length noise².
Matrix<float> noisy_words(const Matrix<float>& words, const Indices& which, double noise,
                          const Stream& stream) {
  const std::size_t d = cols(words);
  Matrix<float> rows = matrix<float>(which.size(), d);
  if (noise > 0) fill_normal(stream, std::span<float>(rows.data(), rows.size()));
  const auto by = static_cast<float>(noise / std::sqrt(d));
  for (std::size_t i = 0; i < which.size(); ++i)
    for (std::size_t j = 0; j < d; ++j)
      rows(i, j) = words(which[i], j) + (noise > 0 ? by * rows(i, j) : 0.0F);
  return rows;
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

/// Where the share of ranges that hold a size falls below this one; NaN where it is below from the start.
double falls_below(double share, const std::vector<Range>& ranges) {
  std::vector<double> ends;
  for (const Range& range : ranges)
    if (range.from < range.to) ends.push_back(range.to);
  std::ranges::sort(ends, std::greater());
  for (std::size_t k = std::size_t(share * ranges.size()); k <= ends.size(); ++k) {
    if (k == 0) continue;
    // Of the k ranges that end here or later some may not have begun.
    const auto begun = [&](const Range& range) {
      return range.from < ends[k - 1] && ends[k - 1] <= range.to;
    };
    if (std::ranges::count_if(ranges, begun) >= share * ranges.size()) return ends[k - 1];
  }
  return NAN;
}

/// Lengths of the positions, ascending.
std::vector<double> lengths_of(const Matrix<float>& positions) {
  std::vector<double> lengths;
  for (std::size_t t = 0; t < rows(positions); ++t)
    lengths.push_back(std::sqrt(sum_of_squares(row(positions, t))));
  std::ranges::sort(lengths);
  return lengths;
}

/// The exact line for unit words, averaged over positions' lengths: equal ones for the sinusoid, in 32 groups
/// of neighbours in size for the centred one, within each of which the line is straight to four digits.
double line(const Star& at, const std::vector<double>& lengths, double size) {
  const bool equal = lengths.back() - lengths.front() < 1e-5;
  const std::size_t groups = equal ? 1 : std::min<std::size_t>(32, lengths.size());
  double sum = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = g * lengths.size() / groups, last = (g + 1) * lengths.size() / groups;
    const double count = last - first;
    double mean = 0;
    for (std::size_t t = first; t < last; ++t) mean += lengths[t] / count;
    sum += count / lengths.size() *
           theory::recovered_in_noise(at.d, at.v, size * mean, at.noise / std::sqrt(at.d));
  }
  return sum;
}

/// Where the line falls through one half, between the two sizes that have it between them; NaN if none have.
double exact_half(const Star& at, const std::vector<double>& lengths, const std::vector<double>& sizes,
                  const std::vector<double>& lines) {
  std::size_t i = 1;
  while (i < sizes.size() && !(sizes[i - 1] > 0 && lines[i - 1] >= 0.5 && lines[i] < 0.5)) ++i;
  if (i == sizes.size()) return NAN;
  double low = sizes[i - 1], high = sizes[i];
  for (int step = 0; step < 16; ++step) {
    const double middle = std::midpoint(low, high);
    (line(at, lengths, middle) < 0.5 ? high : low) = middle;
  }
  return std::midpoint(low, high);
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

/// What each decoder found, at one size.
struct DecodedShares {
  Share nothing, projected, joint, position, joint_position;

  void add_pairs(const std::vector<WordAndPosition>& found, const Sent& sent) {
    const std::size_t n = found.size();
    Hits right_word{0, n}, right_position{0, n};
    for (std::size_t i = 0; i < n; ++i) {
      right_word.right += found[i].word == sent.w[i];
      right_position.right += found[i].position == sent.t[i];
    }
    joint.add(right_word);
    joint_position.add(right_position);
  }
};

constexpr std::size_t functions = 64;
constexpr double ridge = 1e-6;  // of the mean eigenvalue: keeps the factor safe, changes no shown digit

/// Eigenvalues of the positions' covariance, descending, and the eigenfunctions t -> (p_t - p̄)·e_i/√λ_i: L x
/// k.
struct Functions {
  std::vector<double> eigenvalues;
  Matrix<double> values;
};

Functions eigenfunctions(const Matrix<double>& positions) {
  const std::size_t length = rows(positions), d = cols(positions);
  const Matrix<double> about_mean = centred(positions);
  const Eigen<double> eigen = symmetric_eigen(gram_columns(about_mean));
  Functions result;
  for (std::size_t i = 0; i < functions; ++i) result.eigenvalues.push_back(eigen.values[d - 1 - i] / length);
  result.values = product_nt(about_mean, leading_directions(eigen, functions));
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < functions; ++i) result.values(t, i) /= std::sqrt(result.eigenvalues[i]);
  return result;
}

struct Sample {
  Matrix<double> inputs, targets;
};

/// Rows x + p_t + noise of standard deviation `sd` per dimension about p_t, and the eigenfunctions at t.
Sample draw(const Matrix<double>& positions, const Functions& functions_of, std::size_t count, double sd,
            const Streams& streams, const std::string& purpose, std::size_t replicate) {
  const std::size_t d = cols(positions);
  const Matrix<float> normal = normal_matrix<float>(count, d, streams(purpose + " sums", replicate));
  const Indices t =
      below(streams(purpose + " positions", replicate), count, static_cast<std::uint32_t>(rows(positions)));
  Sample sample{matrix<double>(count, d), matrix<double>(count, functions)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < d; ++j) sample.inputs(i, j) = positions(t[i], j) + sd * double(normal(i, j));
    for (std::size_t k = 0; k < functions; ++k) sample.targets(i, k) = functions_of.values(t[i], k);
  }
  return sample;
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

Estimate half_found(const std::vector<std::vector<Range>>& by_codebook) {
  std::vector<double> halves;
  for (const std::vector<Range>& ranges : by_codebook) halves.push_back(falls_below(0.5, ranges));
  if (std::ranges::any_of(halves, [](double half) { return std::isnan(half); })) return {NAN};
  if (halves.size() > 1) return estimated(halves);
  // Trials of one codebook: between the sizes at which the share leaves Wilson's interval around one half.
  const std::vector<Range>& ranges = by_codebook.front();
  const Interval share = wilson(ranges.size() / 2, ranges.size(), shown_level);
  return {halves.front(), falls_below(share.high, ranges), falls_below(share.low, ranges), shown_level};
}

// With rows y = x_w + noise + ρ p_t, y·x_v is linear in ρ: two products serve all sizes.
void measure_star(const Star& at, const WordInputs& inputs, const Streams& streams, Rows& rows) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d, at.centred);
  std::vector<double> grid = sizes(at.d);
  grid.insert(grid.begin(), 0.0);  // no position at all: what a reader finds who knows it and takes it off
  std::vector<Share> word(grid.size()), position(grid.size());
  std::vector<std::vector<Range>> words_found;
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = unit_power_words(at, streams, c, inputs);
    const auto [w, t] = draw(at, streams, c);
    const Matrix<float> first = noisy_words(words, w, at.noise, streams("noise", c));
    const Used used = used_rows(positions, t);
    const std::vector<Range> of_words = found_between(first, used.rows, used.which, words, w),
                             of_positions = positions_between(first, positions, t);
    const auto found = [&](const std::vector<Range>& ranges, const auto& is_found) {
      return Hits{std::uint64_t(std::ranges::count_if(ranges, is_found)), at.trials};
    };
    for (std::size_t f = 0; f < grid.size(); ++f) {
      const auto there = [&](const Range& range) { return range.holds(grid[f]); };
      word[f].add(found(of_words, there));
      position[f].add(found(of_positions, there));
    }
    words_found.push_back(of_words);
  }
  const std::vector<double> lengths = lengths_of(positions);
  std::vector<double> lines;
  for (const double size : grid) lines.push_back(line(at, lengths, size));
  for (std::size_t f = 0; f < grid.size(); ++f)
    rows.add(FoundAtSize{at, grid[f], lines[f], word[f].estimate(), position[f].estimate()});
  rows.add(Thresholds{at, half_found(words_found), exact_half(at, lengths, grid, lines)});
}

void measure_decoders(const Decoding& at, const Streams& streams, Rows& out) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d, at.centred);
  const Matrix<float> basis = principal_directions(positions);
  const std::vector<double> grid = sizes(at.d);
  std::vector<DecodedShares> found(grid.size());
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, at.v, at.d, streams("words", c)),
                        outside = project_out(words, basis);
    const Sent sent = draw(at, streams, c);
    const Matrix<float> noisy = noisy_words(words, sent.w, at.noise, streams("noise", c));
    for (std::size_t k = 0; k < grid.size(); ++k) {
      Matrix<float> scaled = positions, y = noisy;
      for (float& x : std::span<float>(scaled.data(), scaled.size())) x *= static_cast<float>(grid[k]);
      for (std::size_t i = 0; i < at.trials; ++i)
        for (std::size_t j = 0; j < at.d; ++j) y(i, j) += scaled(sent.t[i], j);
      found[k].nothing.add(count_hits(nearest_words(y, words), sent.w));
      found[k].projected.add(count_hits(nearest_words(project_out(y, basis), outside), sent.w));
      found[k].position.add(count_hits(nearest_words(y, scaled), sent.t));
      found[k].add_pairs(nearest_pairs(y, words, scaled), sent);
    }
  }
  for (std::size_t k = 0; k < grid.size(); ++k)
    out.add(Decoded{at, grid[k], rows(basis), found[k].nothing.estimate(), found[k].projected.estimate(),
                    found[k].joint.estimate(), found[k].position.estimate(),
                    found[k].joint_position.estimate()});
}

void measure_read_out(const ReadingOut& at, const Streams& streams, Rows& rows) {
  const Matrix<double> positions = sinusoidal<double>(at.l, at.d);
  const Functions of = eigenfunctions(positions);
  const double sd = std::hypot(at.sigma, at.noise);  // Gaussian words and Gaussian noise: one draw
  std::vector<MomentSums> r2(functions);
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Sample train = draw(positions, of, at.rows, sd, streams, "train", c),
                 test = draw(positions, of, at.rows / 4, sd, streams, "test", c);
    const std::vector<double> values =
        read_out_r2({train.inputs, train.targets}, {test.inputs, test.targets}, ridge);
    for (std::size_t i = 0; i < functions; ++i) r2[i].add(values[i]);
  }
  for (std::size_t i = 0; i < functions; ++i)
    rows.add(ReadOut{at, i, of.eigenvalues[i], estimated(r2[i].moments())});
}

}  // namespace perp::capacity
