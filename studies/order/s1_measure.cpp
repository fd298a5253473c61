#include "studies/order/s1_measure.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>

#include "perp/random/uniform.hpp"
#include "perp/statistics/order.hpp"
#include "perp/vectors/words.hpp"

namespace perp::order {
namespace {

using Words = std::vector<std::string>;

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
    std::vector<std::size_t> tokens;
    for (const Words& words : all.texts)
      for (const std::string& word : words) tokens.push_back(numbers_.at(word));
    return converted<T>(select_rows(vectors_, tokens));
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
using Randoms = std::map<std::size_t, Group<Distance>>;

template <class T>
void measure_text(const Setting& at, const Text& text, const Vocabulary& vocabulary,
                  const model::Transformer<T>& transformer, const Streams& draw, Randoms& randoms,
                  Rows& rows) {
  const Arrangements all = arrange(text, at.permutations, draw);
  const std::size_t n = all.texts.front().size();
  const PositionalInput<T> positions = positional_input<T>(at.encoding, n, transformer.shape, draw);
  std::vector<std::vector<std::size_t>> matches;
  for (const Words& other : all.texts) matches.push_back(matched(all.texts.front(), other));
  // In the reverse a repeated word is matched with its mirror image, not first with first.
  for (std::size_t i = 0; i < n; ++i) matches[Arrangements::reversed][i] = n - 1 - i;
  const auto hook = [&](std::size_t depth, const Matrix<T>& states) {
    if (!std::ranges::count(sentence_depths, depth)) return;
    const Distance partner = distance(states, Arrangements::partner, matches[Arrangements::partner]),
                   reversed = distance(states, Arrangements::reversed, matches[Arrangements::reversed]);
    rows.add(OfText{{at, precision_name<T>(), depth},
                    std::string(text.name),
                    partner.token,
                    partner.pooled,
                    reversed.token});
    for (std::size_t a = Arrangements::first_random; a < all.texts.size(); ++a)
      randoms[depth].push_back(distance(states, a, matches[a]));
  };
  model::forward<T>(transformer, input(vocabulary.rows_of<T>(all), positions), n, positions.attention, hook);
}

template <class T>
void measure_all(const Setting& at, const Streams& draw, Rows& rows) {
  const Vocabulary vocabulary(draw("words"));
  const auto transformer = model::random_transformer<T>(sentence_shape, draw("weights"));
  Randoms randoms;
  for (const Text& text : texts) measure_text(at, text, vocabulary, transformer, draw, randoms, rows);
  for (const auto& [depth, distances] : randoms) {
    rows.add(OfRandom{{at, precision_name<T>(), depth},
                      distances.size(),
                      least(distances, &Distance::token),
                      median(distances.values(&Distance::token)),
                      most(distances, &Distance::token),
                      least(distances, &Distance::pooled),
                      most(distances, &Distance::pooled)});
  }
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
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

void measure_sentences(const Setting& at, const Streams& streams, Rows& rows) {
  const Streams draw = of_draw(streams, at.draw);
  measure_all<float>(at, draw, rows);
  measure_all<double>(at, draw, rows);
}

}  // namespace perp::order
