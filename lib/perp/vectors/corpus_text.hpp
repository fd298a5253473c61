#pragma once
// From a text to numbered words: what counts as a word, and which words are kept.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

/// Calls visit(word) for every word of `text`, in order. A word is a maximal run of ASCII letters and of
/// bytes from 0x80 on (so that accented letters stay inside words), ASCII letters lower-cased. Everything else
/// separates. A bracket [...] of at most 40 characters (UTF-8, line breaks included) without a bracket inside
/// is dropped: in dictionaries it holds editors' marks and pronunciation codes, which would become the most
/// frequent "words". A longer or unclosed bracket is text. The view is valid during the call only.
void for_each_word(std::string_view text, const std::function<void(std::string_view word)>& visit);

/// Stands for a word outside the vocabulary in `Corpus::tokens`.
inline constexpr std::uint32_t outside_vocabulary = std::numeric_limits<std::uint32_t>::max();

struct Corpus {
  std::vector<std::string> words;  ///< the vocabulary, most frequent first; equally frequent ones by bytes
  std::vector<std::uint64_t> frequencies;  ///< how often words[i] occurs
  std::vector<std::uint32_t> tokens;       ///< the text as indices into `words`, or `outside_vocabulary`
  std::size_t distinct = 0;                ///< different words in the text, kept or not
};

/// Reads the text and keeps its `vocabulary` most frequent words, or all if there are fewer. A word that is
/// not valid UTF-8 keeps its place in `tokens` but is never kept, so every word may be printed anywhere.
/// Throws Error if the text has 2^32 - 1 words or more.
Corpus read_corpus(std::string_view text, std::size_t vocabulary);

}  // namespace perp
