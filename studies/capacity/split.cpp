#include "studies/capacity/split.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

/// Bits by noise and share of power.
using ByPower = std::vector<std::array<double, std::size(shares)>>;

template <class BitsAt>
ByPower by_power(const Values& noises, const BitsAt& bits_at) {
  ByPower bits(noises.size());
  for (std::size_t k = 0; k < noises.size(); ++k)
    for (std::size_t s = 0; s < std::size(shares); ++s) bits[k][s] = bits_at(noises[k], shares[s]);
  return bits;
}

/// Words on the first d - d_p coordinates for each d_p, whatever the positions there.
struct WordBits {
  std::map<std::size_t, ByPower> by_width;
  CodeProducts all;  ///< products over all d
};
WordBits word_bits(const Book& at, const Matrix<float>& words, const Samples& samples, const Values& noises) {
  Sizes ends{0};  // of the words that splits leave, from the narrowest on
  for (const std::size_t width : position_widths(at.d)) ends.insert(ends.begin() + 1, at.d - width);
  ends.push_back(at.d);
  WordBits result;
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const std::size_t first = ends[k - 1], width = ends[k] - first;
    const CodeProducts more =
        code_products(columns(words, first, width), columns(samples.noise, first, width), samples.words);
    if (k == 1)
      result.all = more;
    else
      append_columns(result.all, more);
    if (ends[k] == at.d) break;
    result.by_width[at.d - ends[k]] = by_power(noises, [&](double noise, double share) {
      return channel_bits(result.all, noise_at(at.d, noise), word_amplitude(at.d, ends[k], share)).value;
    });
  }
  return result;
}

ByPower sum_bits(const Book& at, const CodeProducts& words, const CodeProducts& positions,
                 const CrossTable& cross, const Values& noises) {
  return by_power(noises, [&](double noise, double share) {
    const Scales scales{word_amplitude(at.d, at.d, share), position_amplitude(at.d, share)};
    return shared_bits(words, positions, cross, noise_at(at.d, noise), scales).both.value;
  });
}
/// The word's bits and those of a channel of the position's own.
ByPower split_bits(const Book& at, const ByPower& word, const CodeProducts& positions, const Values& noises) {
  ByPower bits = by_power(noises, [&](double noise, double share) {
    return channel_bits(positions, noise_at(at.d, noise), position_amplitude(at.d, share)).value;
  });
  for (std::size_t k = 0; k < bits.size(); ++k)
    std::ranges::transform(bits[k], word[k], bits[k].begin(), std::plus());
  return bits;
}

std::size_t group_of(std::size_t book, std::size_t books) { return book * choosing_groups / books; }

/// The arm with the largest mean over the codebooks that count: choosing and measuring on the same draws would
/// flatter the chosen one.
template <class Counts>
std::size_t best_arm(const std::vector<Arm>& arms, const Counts& counts) {
  Values means;
  for (const Arm& arm : arms) {
    MomentSums counted;
    for (std::size_t book = 0; book < arm.bits.size(); ++book)
      if (counts(book)) counted.add(arm.bits[book]);
    means.push_back(counted.moments().mean);
  }
  return first_of_best(means);
}

}  // namespace

std::string name_of(Positions positions) {
  return positions == Positions::sinusoidal ? "sinusoidal"
         : positions == Positions::centred  ? "centred"
                                            : "random";
}

Positions family_named(const std::string& name) {
  const auto* family = std::ranges::find(all_positions, name, name_of);
  if (family == std::end(all_positions)) refuse("positions '{}': sinusoidal, centred or random", name);
  return *family;
}

Sizes position_widths(std::size_t d) {
  Sizes widths;
  for (std::size_t eighth = 1; eighth < 8; ++eighth) widths.push_back(eighth * d / 16 * 2);
  return widths;
}

Matrix<float> word_table(std::size_t count, std::size_t d, const Stream& stream) {
  return normal_matrix<float>(count, d, stream);
}

Matrix<float> position_table(Positions positions, std::size_t length, std::size_t width,
                             const Stream& stream) {
  Matrix<double> table = positions == Positions::random ? normal_matrix<double>(length, width, stream)
                                                        : sinusoidal<double>(length, width);
  if (positions == Positions::centred) table = centred(table);
  const double scale = 1 / std::sqrt(mean_square_length(table));
  Matrix<float> result = matrix<float>(length, width);
  std::ranges::transform(table, result.begin(), [scale](double x) { return float(scale * x); });
  return result;
}

Sizes Samples::positions(std::size_t length) const {
  Sizes result(words.size());
  const std::size_t n = words.size();
  for (std::size_t i = 0; i < n; ++i) result[i] = n < length ? i * length / n : i % length;
  return result;
}

Samples draw_samples(std::size_t count, std::size_t words, std::size_t d, const Stream& sent,
                     const Stream& noise) {
  Samples samples{{}, normal_matrix<float>(count, d, noise)};
  for (const std::uint32_t w : below(sent, count, static_cast<std::uint32_t>(words)))
    samples.words.push_back(w);
  return samples;
}

View<float> columns(const Matrix<float>& table, std::size_t first, std::size_t width) {
  return {table.data() + first, rows(table), width, cols(table)};
}

CodeProducts position_products(const Matrix<float>& positions, const Samples& samples) {
  const std::size_t width = cols(positions);
  return code_products(positions, columns(samples.noise, cols(samples.noise) - width, width),
                       samples.positions(rows(positions)));
}

CrossTable narrow_cross(const Matrix<float>& words, const Matrix<float>& positions) {
  return cross_table(columns(words, cols(words) - cols(positions), cols(positions)), View(positions));
}

std::vector<Joined> measure_joined(const Book& at, const Streams& streams) {
  std::vector<Joined> found;
  const Values noises(std::begin(joined_noises), std::end(joined_noises));
  const Matrix<float> words = word_table(at.v, at.d, streams("words"));
  const Samples samples = draw_samples(at.samples, at.v, at.d, streams("sent"), streams("noise"));
  const WordBits word = word_bits(at, words, samples, noises);
  Sizes widths = position_widths(at.d);
  widths.push_back(at.d);
  for (const Positions family : all_positions)
    for (const std::size_t width : widths) {
      const Matrix<float> table = position_table(family, at.l, width, streams("positions", width));
      const CodeProducts positions = position_products(table, samples);
      const auto add = [&](const char* joined, const ByPower& bits) {
        for (std::size_t k = 0; k < noises.size(); ++k)
          for (std::size_t s = 0; s < std::size(shares); ++s)
            found.push_back({name_of(family), noises[k], joined, width, shares[s], bits[k][s]});
      };
      if (width < at.d) add("split", split_bits(at, word.by_width.at(width), positions, noises));
      if (width <= at.d / 2 || width == at.d)
        add("sum", sum_bits(at, word.all, positions, narrow_cross(words, table), noises));
    }
  return found;
}

double joined_cost(const Book& at) {
  return 4e-8 * double(at.samples * at.v * std::size(joined_noises)) * (20 + at.l / 10.0);
}

std::vector<Arm> arms_of(const Frame& place) {
  std::vector<Arm> arms;
  for (const Frame& way : place.by("joined width share")) {
    const Row& at = way.front();
    arms.push_back(
        {at.text("joined"), at.whole("d"), at.whole("width"), at.number("share"), way.numbers("bits")});
  }
  return arms;
}

std::vector<Arm> splits_of(std::vector<Arm> arms) {
  std::erase_if(arms, [](const Arm& arm) { return arm.joined != "split" || arm.width > arm.d / 2; });
  return arms;
}
std::vector<Arm> sums_of(std::vector<Arm> arms) {
  std::erase_if(arms, [](const Arm& arm) { return arm.joined != "sum"; });
  return arms;
}

Choice choose(const std::vector<Arm>& arms, const std::vector<Arm>& chosen_on, Choosers choosers) {
  const std::size_t books = chosen_on.front().bits.size();
  const auto chooses_for = [choosers, books](std::size_t other, std::size_t book) {
    if (choosers == Choosers::others) return other != book;
    return (group_of(other, books) + 1) % choosing_groups == group_of(book, books);
  };
  Choice choice;
  choice.overall = arms[best_arm(chosen_on, [](std::size_t) { return true; })];
  for (std::size_t book = 0; book < books; ++book) {
    const auto chooses = [&](std::size_t other) { return chooses_for(other, book); };
    choice.arms.push_back(arms[best_arm(chosen_on, chooses)]);
    choice.bits.push_back(choice.arms.back().bits[book]);
  }
  return choice;
}

Estimate over_codebooks(const Values& values) {
  Estimate result = estimated(moments_of(values));
  result.value = std::accumulate(values.begin(), values.end(), 0.0) / values.size();
  return result;
}

Estimate over_groups(const Values& values) {
  std::vector<MomentSums> groups(choosing_groups);
  for (std::size_t book = 0; book < values.size(); ++book)
    groups[group_of(book, values.size())].add(values[book]);
  Values means;
  for (const MomentSums& group : groups) means.push_back(group.moments().mean);
  return over_codebooks(means);
}

Values difference(Values a, const Values& b) {
  std::ranges::transform(a, b, a.begin(), std::minus());
  return a;
}

std::size_t first_of_best(std::span<const double> means) {
  constexpr double level_bits = 1e-6;
  const double least = std::ranges::max(means) - level_bits;
  return std::ranges::find_if(means, [least](double mean) { return mean >= least; }) - means.begin();
}

}  // namespace perp::capacity
