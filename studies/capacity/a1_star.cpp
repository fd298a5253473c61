// A1: words and positions found by decoders that know nothing of each other, at every size of the position at
// once. With rows y = x_w + noise + ρ p_t, y·x_v is linear in ρ: two products serve all sizes.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a1_size.hpp"

namespace perp::capacity {
namespace {

/// Words of mean square length 1 in the family's own proportions: V x d.
Matrix<float> unit_power_words(const std::string& name, std::size_t count, std::size_t d,
                               const Streams& streams, std::size_t codebook, const WordInputs& inputs) {
  if (name == "learned") return inputs.words->unit;
  const Family family = family_from(name);
  Matrix<float> words = draw_words(family, count, d, streams("words", codebook));
  if (family == Family::sphere) return words;
  // Positions lie along the axes as no learned table does: turn words whose law does not do that by itself.
  if (!is_isotropic(family))
    words = product(View<float>(words), View<float>(random_rotation(d, streams("rotation", codebook))));
  double power = 0;
  for (std::size_t v = 0; v < count; ++v) power += sum_of_squares(row(words, v)) / static_cast<double>(count);
  const auto scale = static_cast<float>(1 / std::sqrt(power));
  for (float& x : std::span<float>(words.data(), words.size())) x *= scale;
  return words;
}

/// Rows x_w + noise: n x d. Noise has mean square length noise².
Matrix<float> noisy_words(const Matrix<float>& words, const std::vector<std::uint32_t>& which, double noise,
                          const Stream& stream) {
  const std::size_t d = cols(words);
  Matrix<float> rows = matrix<float>(which.size(), d);
  if (noise > 0) fill_normal(stream, std::span<float>(rows.data(), rows.size()));
  const auto by = static_cast<float>(noise / std::sqrt(static_cast<double>(d)));
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

/// Nearest position to first_i + ρ p_t(i), for every ρ: it maximises first·p_s + ρ (p_t·p_s - ‖p_s‖²/2), and
/// the halved square goes into one more column.
Matrix<std::uint32_t> nearest_positions(const Matrix<float>& first, const Matrix<float>& positions,
                                        std::span<const std::uint32_t> which,
                                        std::span<const float> factors) {
  const Matrix<float> asked = with_column(first, [](std::size_t) { return 0.0F; }),
                      known = with_column(positions, [](std::size_t) { return -1.0F; }),
                      table = with_column(positions, [&](std::size_t t) {
                        return static_cast<float>(sum_of_squares(row(positions, t)) / 2);
                      });
  return nearest_words_of_sums(asked, known, which, factors, table, Nearness::inner_product);
}

/// The exact line for unit words, averaged over positions' lengths: equal ones for the sinusoid, in 32 groups
/// of neighbours in size for the centred one, within each of which the line is straight to four digits.
double line(std::size_t d, std::size_t words, std::vector<double> lengths, double size, double noise) {
  std::ranges::sort(lengths);
  const bool equal = lengths.back() - lengths.front() < 1e-5;
  const std::size_t groups = equal ? 1 : std::min<std::size_t>(32, lengths.size());
  double sum = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = g * lengths.size() / groups, last = (g + 1) * lengths.size() / groups;
    double mean = 0;
    for (std::size_t t = first; t < last; ++t) mean += lengths[t] / static_cast<double>(last - first);
    sum += static_cast<double>(last - first) / static_cast<double>(lengths.size()) *
           theory::recovered_in_noise(d, static_cast<double>(words), size * mean,
                                      noise / std::sqrt(static_cast<double>(d)));
  }
  return sum;
}

/// The rows that are asked for, each once, and where each query finds its own.
struct Used {
  Matrix<float> rows;
  std::vector<std::uint32_t> which;
};
Used used_rows(const Matrix<float>& table, const std::vector<std::uint32_t>& which) {
  std::vector<std::uint32_t> kept(which);
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  Used used{matrix<float>(kept.size(), cols(table)), {}};
  for (std::size_t i = 0; i < kept.size(); ++i)
    std::ranges::copy(row(table, kept[i]), row(used.rows, i).begin());
  for (const std::uint32_t s : which)
    used.which.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(kept, s) - kept.begin()));
  return used;
}

}  // namespace

Records run_star(const Cell& cell, const Streams& streams, const WordInputs& inputs) {
  const std::size_t d = size_at(cell.at, "d"), count = size_at(cell.at, "v"), length = size_at(cell.at, "l");
  const std::size_t trials = size_at(cell.at, "trials"), codebooks = size_at(cell.at, "codebooks");
  const std::string& family = text_at(cell.at, "family");
  const double noise = number_at(cell.at, "noise");
  const Matrix<float> positions = unit_power_positions(length, d, size_at(cell.at, "centred") == 1);
  const std::vector<double> grid = sizes(d);
  std::vector<float> factors{0.0F};  // no position at all: what a reader finds who knows it and takes it off
  for (const double size : grid) factors.push_back(static_cast<float>(size));

  std::vector<Share> word(factors.size()), position(factors.size());
  Share saved, lost;
  for (std::size_t c = 0; c < codebooks; ++c) {
    const Matrix<float> words = unit_power_words(family, count, d, streams, c, inputs);
    const std::vector<std::uint32_t> w = below(streams("word", c), trials, static_cast<std::uint32_t>(count)),
                                     t = below(streams("position", c), trials,
                                               static_cast<std::uint32_t>(length));
    const Matrix<float> first = noisy_words(words, w, noise, streams("noise", c));
    const Used used = used_rows(positions, t);
    const Matrix<std::uint32_t> found_words =
                                    nearest_words_of_sums(first, used.rows, used.which, factors, words),
                                found_positions = nearest_positions(first, positions, t, factors);
    std::size_t at_small = 0, at_comparable = 0;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      word[f].add(count_hits(row(found_words, f), w));
      position[f].add(count_hits(row(found_positions, f), t));
      if (f > 0 && grid[f - 1] == small) at_small = f;
      if (f > 0 && grid[f - 1] == comparable) at_comparable = f;
    }
    Hits words_saved{0, trials}, positions_lost{0, trials};
    for (std::size_t i = 0; i < trials; ++i) {
      words_saved.right += found_words(at_small, i) == w[i] && found_words(at_comparable, i) != w[i];
      positions_lost.right +=
          found_positions(at_small, i) != t[i] && found_positions(at_comparable, i) == t[i];
    }
    saved.add(words_saved);
    lost.add(positions_lost);
  }

  std::vector<double> lengths;
  for (std::size_t t = 0; t < length; ++t) lengths.push_back(std::sqrt(sum_of_squares(row(positions, t))));
  Records records;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const double size = f == 0 ? 0.0 : grid[f - 1];
    Coordinates values{
        {"rho", size}, {"n", whole(word[f].n)}, {"line", line(d, count, lengths, size, noise)}};
    values.emplace_back("gaussian_line", family == "gaussian" && noise == 0
                                             ? theory::recovered_gaussian(d, static_cast<double>(count), size)
                                             : std::nan(""));
    put(values, "word", word[f]);
    put(values, "position", position[f]);
    records.push_back({"share", values});
  }
  Coordinates values{{"n", whole(saved.n)}};
  put(values, "saved", saved);
  put(values, "lost", lost);
  records.push_back({"exchange", values});
  return records;
}

}  // namespace perp::capacity
