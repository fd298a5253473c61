// S1: without an encoding of positions "Tom bit a dog" is "A dog bit Tom". Every arrangement of a text goes
// through the same model, and outputs are compared word by word and pooled.

#include "studies/order/s1_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "perp/model/transformer.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/order.hpp"
#include "perp/vectors/encoding.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

using Words = std::vector<std::string>;

std::vector<Cell> cells(const Options& options) {
  const std::size_t draws = pick<std::size_t>(options.preset, 2, 5, 20),
                    permutations = pick<std::size_t>(options.preset, 4, 50, 250);
  std::vector<std::string> names{std::string(no_encoding)};
  for (const EncodingPointer& encoding : encodings()) names.push_back(encoding->name());
  std::vector<Cell> cells;
  for (const std::string& name : names)
    for (std::size_t draw = 0; draw < draws; ++draw)
      cells.push_back({{{"encoding", name}, {"draw", whole(draw)}, {"permutations", whole(permutations)}},
                       1e-3 * static_cast<double>(permutations + 3)});
  return cells;
}

/// A text in several orders: the text itself, its partner, its reverse, then random ones.
struct Arrangements {
  std::vector<Words> texts;
  static constexpr std::size_t partner = 1, reversed = 2, first_random = 3;
};

Arrangements arrange(const Text& text, std::size_t permutations, const Streams& streams) {
  const Words words = words_of(text.words);
  Arrangements all{{words, words_of(text.partner), Words(words.rbegin(), words.rend())}};
  const auto n = static_cast<std::uint32_t>(words.size());
  // The text itself and its reverse are compared by themselves, so random orders that hit them are drawn
  // again.
  for (std::uint64_t draw = 0; all.texts.size() < Arrangements::first_random + permutations; ++draw) {
    Words other;
    for (const std::uint32_t from : permutation(streams(text.name, draw), n)) other.push_back(words[from]);
    if (other != all.texts[0] && other != all.texts[Arrangements::reversed]) all.texts.push_back(other);
  }
  return all;
}

/// Vectors of the words of all texts, numbered in order of appearance: the same in every text.
class Vocabulary {
 public:
  explicit Vocabulary(const Stream& stream) {
    for (const Text& text : texts)
      for (const std::string& word : words_of(text.words)) numbers_.emplace(word, numbers_.size());
    vectors_ = draw_words(Family::gaussian, numbers_.size(), sentence_shape.width, stream);
  }

  /// Rows of all tokens of all arrangements, one arrangement after the other.
  template <class T>
  Matrix<T> rows_of(const Arrangements& all) const {
    const std::size_t n = all.texts.front().size();
    Matrix<T> out = matrix<T>(all.texts.size() * n, sentence_shape.width);
    for (std::size_t a = 0; a < all.texts.size(); ++a)
      for (std::size_t i = 0; i < n; ++i) {
        const std::span<const float> from = row(vectors_, numbers_.at(all.texts[a][i]));
        std::ranges::copy(from, row(out, a * n + i).begin());
      }
    return out;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  Matrix<float> vectors_ = matrix<float>(0, 0);
};

double length_of(std::span<const double> x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

/// Relative distances of an arrangement's outputs from those of the text itself.
struct Distance {
  double token = 0;   ///< of a word's output, the largest over the words
  double pooled = 0;  ///< of the mean output
};

template <class T>
Distance distance(const Matrix<T>& states, std::size_t arrangement, const std::vector<std::size_t>& match) {
  const std::size_t n = match.size(), d = cols(states);
  Distance result;
  std::vector<double> mean(d, 0), mean_apart(d, 0), own(d), apart(d);
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const T> a = row(states, i), b = row(states, arrangement * n + match[i]);
    for (std::size_t j = 0; j < d; ++j) {
      own[j] = static_cast<double>(a[j]);
      apart[j] = static_cast<double>(b[j]) - own[j];
      mean[j] += own[j];
      mean_apart[j] += apart[j];
    }
    result.token = std::max(result.token, length_of(apart) / length_of(own));
  }
  result.pooled = length_of(mean_apart) / length_of(mean);
  return result;
}

/// Distances of the random orders of all texts, by depth.
using Randoms = std::map<std::size_t, std::vector<Distance>>;

template <class T>
void measure(const Text& text, const std::string& encoding, const Arrangements& all,
             const Vocabulary& vocabulary, const model::Transformer<T>& transformer, const Streams& streams,
             Randoms& randoms, Records& records) {
  const std::size_t n = all.texts.front().size();
  const PositionalInput<T> positions = positional_input<T>(encoding, n, transformer.shape, streams);
  std::vector<std::vector<std::size_t>> matches;
  for (const Words& other : all.texts) matches.push_back(matched(all.texts.front(), other));
  // In the reverse a repeated word is matched with its mirror image, not first with first.
  for (std::size_t i = 0; i < n; ++i) matches[Arrangements::reversed][i] = n - 1 - i;
  const auto hook = [&](std::size_t depth, const Matrix<T>& states) {
    if (!std::ranges::count(sentence_depths, depth)) return;
    const Distance partner = distance(states, Arrangements::partner, matches[Arrangements::partner]),
                   reversed = distance(states, Arrangements::reversed, matches[Arrangements::reversed]);
    records.push_back({"text",
                       {{"text", std::string(text.name)},
                        {"precision", std::string(sizeof(T) == 4 ? "float32" : "float64")},
                        {"depth", whole(depth)},
                        {"length", whole(n)},
                        {"partner_token", partner.token},
                        {"partner_pooled", partner.pooled},
                        {"reversed_token", reversed.token},
                        {"reversed_pooled", reversed.pooled}}});
    for (std::size_t a = Arrangements::first_random; a < all.texts.size(); ++a)
      randoms[depth].push_back(distance(states, a, matches[a]));
  };
  model::forward<T>(transformer, input(vocabulary.rows_of<T>(all), positions), n, positions.attention, hook);
}

template <class T>
void measure_all(const Cell& cell, const Streams& draw, Records& records) {
  const Vocabulary vocabulary(draw("words"));
  const auto transformer =
      model::random_transformer<T>(sentence_shape, model::Initialisation::fan_in, draw("weights"));
  Randoms randoms;
  for (const Text& text : texts)
    measure(text, text_at(cell.at, "encoding"), arrange(text, size_at(cell.at, "permutations"), draw),
            vocabulary, transformer, draw, randoms, records);
  for (const auto& [depth, distances] : randoms) {
    std::vector<double> token, pooled;
    for (const Distance& each : distances) {
      token.push_back(each.token);
      pooled.push_back(each.pooled);
    }
    records.push_back({"random",
                       {{"precision", std::string(sizeof(T) == 4 ? "float32" : "float64")},
                        {"depth", whole(depth)},
                        {"n", whole(distances.size())},
                        {"token_least", *std::ranges::min_element(token)},
                        {"token_median", median(token)},
                        {"token_largest", *std::ranges::max_element(token)},
                        {"pooled_least", *std::ranges::min_element(pooled)},
                        {"pooled_median", median(pooled)},
                        {"pooled_largest", *std::ranges::max_element(pooled)}}});
  }
}

Records run(const Cell& cell, const Streams& streams) {
  const Streams draw = of_draw(streams, size_at(cell.at, "draw"));
  Records records;
  measure_all<float>(cell, draw, records);
  measure_all<double>(cell, draw, records);
  return records;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t last = std::min(text.find(' ', first), text.size());
    words.emplace_back(text.substr(first, last - first));
    first = last + 1;
  }
  return words;
}

std::vector<std::size_t> matched(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  require(a.size() == b.size(), "matched: texts of {} and {} words", a.size(), b.size());
  std::vector<std::size_t> match;
  std::vector<bool> taken(b.size(), false);
  for (const std::string& word : a) {
    std::size_t at = 0;
    while (at < b.size() && (taken[at] || b[at] != word)) ++at;
    require(at < b.size(), "matched: '{}' is in one text only", word);
    taken[at] = true;
    match.push_back(at);
  }
  return match;
}

Experiment same_sentence(const Options& options) {
  return {"S1",
          "Without positional encoding a Transformer takes ‘Tom bit a dog’ for ‘A dog bit Tom’.",
          "[b, c]",
          {},
          cells(options),
          run,
          summarise_sentences};
}

}  // namespace perp::order
