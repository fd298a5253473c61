#include "perp/vectors/corpus.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/stream.hpp"
#include "perp/vectors/cooccurrence.hpp"
#include "perp/vectors/corpus_text.hpp"
#include "perp/vectors/embedding_svd.hpp"

namespace perp {
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
  learned.singular_values = std::move(svd.values);
  weight_columns(learned.vectors, learned.singular_values);
  return learned;
}

}  // namespace perp
