// S1: without an encoding of positions "Tom bit a dog" is "A dog bit Tom". A text and the same words in the order
// that somebody asked about go through the same model, and outputs are compared word by word and pooled. In words:
// s1.toml.

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>

#include "perp/model/transformer.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"

namespace perp::order {
namespace {

/// All words of all texts, numbered in order of appearance: the same vector in every text.
std::map<std::string, std::size_t> vocabulary() {
  std::map<std::string, std::size_t> numbers;
  for (const Text& text : texts)
    for (const std::string& word : words_of(text.words)) numbers.emplace(word, numbers.size());
  return numbers;
}

double length_of(std::span<const double> x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

/// A text against its partner: relative distance of a word's outputs, the largest over the words, and of the mean
/// outputs, in units of what rounding can do.
void compare(const Text& text, const Matrix<double>& states, const Matrix<double>& others, Out& out) {
  const std::vector<std::size_t> match = matched(words_of(text.words), words_of(text.partner));
  const std::size_t d = cols(states);
  double token = 0;
  std::vector<double> mean(d, 0), mean_apart(d, 0), own(d), apart(d);
  for (std::size_t i = 0; i < match.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      own[j] = states(i, j);
      apart[j] = others(match[i], j) - own[j];
      mean[j] += own[j];
      mean_apart[j] += apart[j];
    }
    token = std::max(token, length_of(apart) / length_of(own));
  }
  const double bound = model::permutation_bound(sentence_shape, sentence_shape.depth, 1, 0x1p-53);
  out("orders", {{"text", std::string(text.name)},
                 {"token", token / bound},
                 {"pooled", length_of(mean_apart) / length_of(mean) / bound}});
}

void measure(const std::string& encoding, const Streams& streams, Out& out) {
  const Streams draw = of_draw(streams, 0);
  const auto numbers = vocabulary();
  const auto vectors =
      converted<double>(draw_words(Family::gaussian, numbers.size(), sentence_shape.width, draw("words")));
  const auto transformer = model::random_transformer<double>(sentence_shape, draw("weights"));
  for (const Text& text : texts) {
    const auto outputs = [&](std::string_view words) {
      std::vector<std::size_t> tokens;
      for (const std::string& word : words_of(words)) tokens.push_back(numbers.at(word));
      const auto positions = positional_input(encoding, tokens.size(), sentence_shape, draw);
      Matrix<double> input = select_rows(vectors, tokens);
      if (positions.added.size() > 0) input = model::add_positions(input, positions.added);
      return model::forward<double>(transformer, std::move(input), tokens.size(), positions.attention);
    };
    compare(text, outputs(text.words), outputs(text.partner), out);
  }
}

void fold(const Frames& measured, Out& out) {
  const Frame& all = measured["orders"];
  const Frame none = all.where("encoding", std::string(no_encoding)),
              told = all.where([](const Row&at) { return at.text("encoding") != no_encoding; });
  out("everywhere", {{"arithmetic", "float64"},
                     {"none", none.most("token")},
                     {"none_texts", none.size()},
                     {"pooled_none", none.most("pooled")},
                     {"least_of_all", told.least("token")},
                     {"told_texts", told.size()}});
  for (const Frame& texts_of : told.by("encoding")) {
    const std::string encoding = texts_of.front().text("encoding");
    // All entries of p_t are equal with the index, which LayerNorm takes off before any layer sees it.
    if (encoding == "sinusoidal" || encoding == "index")
      out("pooled", {{"encoding", encoding},
                     {"arithmetic", "float64"},
                     {"apart", encoding == "index" ? texts_of.most("pooled") : texts_of.least("pooled")},
                     {"texts", texts_of.size()}});
  }
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::size_t> matched(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::size_t> match;
  std::vector<bool> taken(b.size(), false);
  for (const std::string& word : a) {
    std::size_t at = 0;
    while (taken[at] || b[at] != word) ++at;
    taken[at] = true;
    match.push_back(at);
  }
  return match;
}

Experiment same_sentence(const Options&) {
  Experiment claim("S1", toml_of("s1"));
  std::vector<std::string> names{std::string(no_encoding)};
  for (const EncodingPointer& encoding : encodings()) names.push_back(encoding->name());
  for (const std::string& name : names)
    claim.cell({{"encoding", name}}, 1e-3,
               [=](const Streams& streams, Out& out) { measure(name, streams, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::order
