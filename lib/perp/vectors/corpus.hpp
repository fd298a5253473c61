#pragma once
// Words learned from a text: co-occurrence counts, positive PMI, truncated SVD (Levy, Goldberg, Dagan 2015,
// "Improving distributional similarity with lessons learned from word embeddings", TACL 3: "SVD" with context
// smoothing, eigenvalue weighting 1/2). Real word vectors without a download, and the same ones on every run.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

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
  std::vector<double> singular_values;  ///< d of them, descending
  std::uint64_t tokens = 0;             ///< words in the text
  std::size_t distinct = 0;             ///< different words in the text
};

/// Told the fraction done and what is being done, on the calling thread.
using Progress = std::function<void(double fraction, std::string_view stage)>;

/// Learns from `text` (UTF-8). A word that co-occurs with nothing in the vocabulary gets the zero vector.
/// Same bytes for any `threads` if BLAS runs one thread. Throws Error{Exit::unusable} for a text without
/// words, and for fewer than dimension + 1 words to keep, and as `count_cooccurrences`, `positive_pmi`,
/// `truncated_svd`.
LearnedWords learn_words(std::string_view text, const CorpusOptions& options, std::size_t threads,
                         const Progress& progress = {});

/// Words whose neighbours anyone can judge.
inline constexpr std::array<std::string_view, 12> everyday_words{
    "king", "red", "water", "dog", "bread", "music", "winter", "mother", "ship", "gold", "doctor", "seven"};

}  // namespace perp
