#include "perp/vectors/corpus_text.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::size_t longest_bracket = 40;

/// 0 for a separator, otherwise the byte as it stands in a word.
constexpr std::array<char, 256> word_bytes = [] {
  std::array<char, 256> bytes{};
  for (int c = 'a'; c <= 'z'; ++c) {
    bytes[static_cast<std::size_t>(c)] = static_cast<char>(c);
    bytes[static_cast<std::size_t>(c - 'a' + 'A')] = static_cast<char>(c);
  }
  for (std::size_t c = 0x80; c < 256; ++c) bytes[c] = static_cast<char>(c);
  return bytes;
}();

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The position after the bracket that opens at `open`, or `open` itself if it is not to be dropped.
std::size_t after_bracket(std::string_view text, std::size_t open) {
  std::size_t characters = 0;
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (text[i] == ']') return i + 1;
    if (text[i] == '[') return open;
    // Every byte but UTF-8's continuation bytes (10xxxxxx) begins a character.
    if ((byte_at(text, i) & 0xC0U) != 0x80U && ++characters > longest_bracket) return open;
  }
  return open;
}

struct ViewHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};

/// Every different word of a text, numbered by first occurrence.
struct Tally {
  std::unordered_map<std::string, std::uint32_t, ViewHash, std::equal_to<>> ids;
  std::vector<const std::string*> words;  // keys of `ids`; a node keeps its address
  std::vector<std::uint64_t> frequencies;

  std::uint32_t count(std::string_view word) {
    auto found = ids.find(word);
    if (found == ids.end()) {
      found = ids.emplace(std::string(word), static_cast<std::uint32_t>(words.size())).first;
      words.push_back(&found->first);
      frequencies.push_back(0);
    }
    ++frequencies[found->second];
    return found->second;
  }
};

/// The words to keep, in the vocabulary's order, as numbers of the tally.
std::vector<std::uint32_t> most_frequent(const Tally& tally, std::size_t vocabulary) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t id = 0; id < tally.words.size(); ++id)
    if (is_utf8(*tally.words[id])) order.push_back(id);
  const std::size_t kept = std::min(vocabulary, order.size());
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (tally.frequencies[a] != tally.frequencies[b]) return tally.frequencies[a] > tally.frequencies[b];
    return *tally.words[a] < *tally.words[b];
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), before);
  order.resize(kept);
  return order;
}

}  // namespace

void for_each_word(std::string_view text, const std::function<void(std::string_view word)>& visit) {
  std::string word;
  std::size_t i = 0;
  while (i < text.size()) {
    if (const char byte = word_bytes[byte_at(text, i)]; byte != 0) {
      word.push_back(byte);
      ++i;
      continue;
    }
    if (!word.empty()) visit(word);
    word.clear();
    i = text[i] == '[' ? std::max(after_bracket(text, i), i + 1) : i + 1;
  }
  if (!word.empty()) visit(word);
}

Corpus read_corpus(std::string_view text, std::size_t vocabulary) {
  Tally tally;
  Corpus corpus;
  for_each_word(text, [&](std::string_view word) {
    require(corpus.tokens.size() + 1 < outside_vocabulary,
            "the text has more than {} words; that many cannot be numbered", outside_vocabulary - 1);
    corpus.tokens.push_back(tally.count(word));
  });
  corpus.distinct = tally.words.size();

  std::vector<std::uint32_t> rank(corpus.distinct, outside_vocabulary);
  for (const std::uint32_t id : most_frequent(tally, vocabulary)) {
    rank[id] = static_cast<std::uint32_t>(corpus.words.size());
    corpus.words.push_back(*tally.words[id]);
    corpus.frequencies.push_back(tally.frequencies[id]);
  }
  for (std::uint32_t& token : corpus.tokens) token = rank[token];
  return corpus;
}

}  // namespace perp
