#pragma once
// Word vectors learned from a text, and kept between runs.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

// From a text to numbered words: what counts as a word, and which words are kept.

/// Calls visit(word) for every word of `text`, in order. A word is a maximal run of ASCII letters and of
/// bytes from 0x80 on (so that accented letters stay inside words), ASCII letters lower-cased. Everything else
/// separates. A bracket [...] of at most 40 characters (UTF-8, line breaks included) without a bracket inside
/// is dropped: in dictionaries it holds editors' marks and pronunciation codes, which would become the most
/// frequent "words". A longer or unclosed bracket is text. The view is valid during the call only.
void for_each_word(std::string_view text, const std::function<void(std::string_view word)>& visit);

/// Stands for a word outside the vocabulary in `Corpus::tokens`.
inline constexpr std::uint32_t outside_vocabulary = std::numeric_limits<std::uint32_t>::max();

struct Corpus {
  std::vector<std::string> words;     ///< the vocabulary, most frequent first; equally frequent ones by bytes
  std::vector<std::uint32_t> tokens;  ///< the text as indices into `words`, or `outside_vocabulary`
  std::size_t distinct = 0;           ///< different words in the text, kept or not
};

/// Reads the text and keeps its `vocabulary` most frequent words, or all if there are fewer. A word that is
/// not valid UTF-8 keeps its place in `tokens` but is never kept, so every word may be printed anywhere. Of texts up
/// to largest_text_bytes words are fewer than 2^32 - 1.
Corpus read_corpus(std::string_view text, std::size_t vocabulary);

// Words learned from a text: co-occurrence counts, positive PMI, truncated SVD (Levy, Goldberg, Dagan 2015,
// "Improving distributional similarity with lessons learned from word embeddings", TACL 3: "SVD" with context
// smoothing, eigenvalue weighting 1/2). Real word vectors without a download, and the same ones on every run.

struct CorpusOptions {
  std::size_t text_bytes = std::numeric_limits<std::size_t>::max();  ///< read no further than this
  std::size_t vocabulary = 20000;  ///< the most frequent words, or as many as there are
  std::size_t dimension = 300;
  std::size_t window = 5;   ///< words to either side, weighted 1/distance
  double smoothing = 0.75;  ///< exponent of the context distribution

  // Chosen on the GNU Collaborative International Dictionary of English, where values 100 to 300 fall by a
  // sixth only: against 60 iterations on 640 columns every singular value is right to 0.2 %, 97 % of ten
  // nearest neighbours are the same (0.5 % and 95 % after 12 iterations, 1.2 % and 92 % after 8).
  std::size_t oversampling = 84;
  std::size_t power_iterations = 16;

  std::uint64_t seed = 1;  ///< of the sketch; changes what the SVD leaves unconverged and nothing else
};

/// The options and the algorithm's version on one line: equal lines and equal texts give equal words.
std::string describe(const CorpusOptions& options);

struct LearnedWords {
  std::vector<std::string> words;  ///< V of them, most frequent first
  Matrix<float> vectors;           ///< V x d: row i = (left singular vectors)_i times the root of the values
  std::uint64_t tokens = 0;        ///< words in the text
  std::size_t distinct = 0;        ///< different words in the text
};

/// Told the fraction done and what is being done, on the calling thread.
using Progress = std::function<void(double fraction, std::string_view stage)>;

/// Learns from `text` (UTF-8). A word that co-occurs with nothing in the vocabulary gets the zero vector.
/// Same bytes for any `threads` if BLAS runs one thread. Throws Error{Exit::unusable} for a text without
/// words, and for fewer than dimension + 1 words to keep, and as `truncated_svd`.
LearnedWords learn_words(std::string_view text, const CorpusOptions& options, std::size_t threads,
                         const Progress& progress = {});

// Learned words kept on disk, so that a text is learned from once.

struct CachedWords {
  LearnedWords learned;
  std::string text_sha256;  ///< of the text after decompression
  bool from_cache = false;
};

/// Learns from the file at `text_path` (plain or gzip, dictd's .dz included), or takes what was learned
/// before from the same text with the same options. Creates `folder`; an entry is
///   <key>.npy  the vectors, V x d float32
///   <key>.txt  counts, words, and the SHA-256 of both files
/// key = SHA-256 of describe(options) and the text's SHA-256. An entry that is incomplete or does not match
/// its checksums is learned again and replaced. Throws Error as `read_gzip_or_plain`, `learn_words`,
/// `write_whole`.
CachedWords learn_words_cached(const std::filesystem::path& text_path, const CorpusOptions& options,
                               const std::filesystem::path& folder, std::size_t threads,
                               const Progress& progress = {});

/// The two files of the entry for a text of that SHA-256.
struct CacheEntry {
  std::filesystem::path vectors, words;
};
CacheEntry cache_entry(const std::filesystem::path& folder, const CorpusOptions& options,
                       const std::string& text_sha256);

/// Longest text read, 4 GiB after decompression: what a broken or hostile .gz may take of memory.
inline constexpr std::size_t largest_text_bytes = std::size_t{4} << 30;

}  // namespace perp
