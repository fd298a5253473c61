#include "perp/vectors/corpus.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/text.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/embedding.hpp"

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
  for_each_word(text, [&](std::string_view word) { corpus.tokens.push_back(tally.count(word)); });
  corpus.distinct = tally.words.size();

  std::vector<std::uint32_t> rank(corpus.distinct, outside_vocabulary);
  for (const std::uint32_t id : most_frequent(tally, vocabulary)) {
    rank[id] = static_cast<std::uint32_t>(corpus.words.size());
    corpus.words.push_back(*tally.words[id]);
  }
  for (std::uint32_t& token : corpus.tokens) token = rank[token];
  return corpus;
}

namespace {

// Raised whenever the same text and options would give other vectors: it is part of every cache key.
constexpr int algorithm_version = 2;

// Shares of the whole time that lie behind each stage; measured once, good enough for a progress line.
constexpr double counted_from = 0.05, weighted_from = 0.12, decomposed_from = 0.15;

void check_size(const Corpus& corpus, const CorpusOptions& options) {
  require(!corpus.tokens.empty(), "the text has no words (runs of letters); a text of English was expected");
  require(corpus.words.size() > options.dimension,
          "{} of the text's {} different words are kept (vocabulary {}); vectors of {} dimensions need at "
          "least {}",
          corpus.words.size(), corpus.distinct, options.vocabulary, options.dimension, options.dimension + 1);
}

/// Rows U sqrt(S) from U.
void weight_columns(Matrix<float>& left, const std::vector<double>& values) {
  for (std::size_t i = 0; i < rows(left); ++i)
    for (std::size_t j = 0; j < cols(left); ++j)
      left(i, j) = static_cast<float>(left(i, j) * std::sqrt(values[j]));
}

}  // namespace

std::string describe(const CorpusOptions& options) {
  return fmt::format(
      "learned words, algorithm {}: vocabulary {}, dimension {}, window {}, smoothing {}, oversampling {}, "
      "power iterations {}, seed {}{}",
      algorithm_version, options.vocabulary, options.dimension, options.window, options.smoothing,
      options.oversampling, options.power_iterations, options.seed,
      options.text_bytes == CorpusOptions{}.text_bytes ? ""
                                                       : fmt::format(", first {} bytes", options.text_bytes));
}

LearnedWords learn_words(std::string_view text, const CorpusOptions& options, std::size_t threads,
                         const Progress& progress) {
  const auto tell = [&](double fraction, std::string_view stage) {
    if (progress) progress(fraction, stage);
  };
  tell(0, "reading words");
  Corpus corpus = read_corpus(text.substr(0, options.text_bytes), options.vocabulary);
  check_size(corpus, options);

  tell(counted_from, "counting neighbours");
  Sparse<std::uint64_t> counts =
      count_cooccurrences(corpus.tokens, corpus.words.size(), options.window, threads);
  LearnedWords learned;
  learned.tokens = corpus.tokens.size();
  learned.distinct = corpus.distinct;
  learned.words = std::move(corpus.words);
  corpus = {};

  tell(weighted_from, "weighing pairs");
  const SparsePair pmi = positive_pmi(counts, options.smoothing, threads);
  counts = {};

  const auto tell_svd = [&](double done) {
    tell(decomposed_from + (1 - decomposed_from) * done, "finding dimensions");
  };
  tell_svd(0);
  TruncatedSvd svd = truncated_svd(pmi, {options.dimension, options.oversampling, options.power_iterations},
                                   stream(options.seed, "learned words", "", 0, "sketch"), threads, tell_svd);
  learned.vectors = std::move(svd.left);
  weight_columns(learned.vectors, svd.values);
  return learned;
}

namespace {

constexpr std::string_view title = "learned words, file format 2";

/// One item per line: title, SHA-256 of the vectors' file, counts, words; the SHA-256 of all that last.
std::string to_text(const LearnedWords& learned, const std::string& vectors_sha256) {
  const std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", title, vectors_sha256, learned.tokens,
                                       learned.distinct, fmt::join(learned.words, "\n"));
  return text + sha256_hex(text) + '\n';
}

/// Nothing for what is not whole or makes no sense. Throws Error for files that cannot be read.
std::optional<LearnedWords> read_entry(const CacheEntry& entry) {
  const std::string text = read_file(entry.words);
  std::vector<std::string> lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) lines.push_back(std::move(line));
  constexpr std::size_t before_words = 4, last_line = 64 + 1;
  if (lines.size() <= before_words || lines[0] != title ||
      lines.back() != sha256_hex(std::string_view(text).substr(0, text.size() - last_line)) ||
      lines[1] != sha256_file(entry.vectors))
    return {};
  const auto tokens = parse_whole(lines[2]), distinct = parse_whole(lines[3]);
  if (!tokens || !distinct) return {};
  LearnedWords learned{
      {lines.begin() + before_words, lines.end() - 1}, read_npy<float>(entry.vectors), *tokens, *distinct};
  if (rows(learned.vectors) != learned.words.size()) return {};
  return learned;
}

/// Nothing for an entry that is not there or not whole: it is only a copy of what can be learned again.
std::optional<LearnedWords> try_entry(const CacheEntry& entry) {
  if (!std::filesystem::exists(entry.words) || !std::filesystem::exists(entry.vectors)) return {};
  try {
    return read_entry(entry);
  } catch (const Error&) {
    return {};
  }
}

void write_entry(const CacheEntry& entry, const LearnedWords& learned) {
  make_folders(entry.words.parent_path());
  set_aside(entry.words);
  set_aside(entry.vectors);
  write_npy(entry.vectors, learned.vectors);
  // The words name the vectors' checksum, so they come last: an entry cut off in between does not match.
  write_whole(entry.words, to_text(learned, sha256_file(entry.vectors)));
}

}  // namespace

CacheEntry cache_entry(const std::filesystem::path& folder, const CorpusOptions& options,
                       const std::string& text_sha256) {
  const std::string key = sha256_hex(describe(options) + "\n" + text_sha256);
  return {folder / (key + ".npy"), folder / (key + ".txt")};
}

CachedWords learn_words_cached(const std::filesystem::path& text_path, const CorpusOptions& options,
                               const std::filesystem::path& folder, std::size_t threads,
                               const Progress& progress) {
  if (progress) progress(0, "reading the text");
  const std::string text = read_gzip_or_plain(text_path, largest_text_bytes);
  CachedWords result;
  result.text_sha256 = sha256_hex(text);
  const CacheEntry entry = cache_entry(folder, options, result.text_sha256);
  if (std::optional<LearnedWords> kept = try_entry(entry)) {
    result.learned = std::move(*kept);
    result.from_cache = true;
    return result;
  }
  result.learned = learn_words(text, options, threads, progress);
  write_entry(entry, result.learned);
  return result;
}

}  // namespace perp
