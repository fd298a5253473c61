#include "studies/capacity/study.hpp"

#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

Prepared prepare(const Options& options) {
  // Listing claims needs no words; measuring does.
  const SharedWords words =
      std::make_shared<const WordInputs>(options.list ? WordInputs{} : load_words(options));
  return {{size_of_positions(options, words), dimension_by_dimension(options), four_jobs(options),
           adding_contains_concatenating(options), choosing_a_split(options), cost(options),
           information_by_split(options), bag_of_sums(options)},
          words->files,
          words->parameters};
}

}  // namespace

Study study() {
  return {"capacity",
          "What do words and positions lose when they are added, and what when they are concatenated?",
          {"A1", "A2", "A3", "A4", "A5", "A6", "A7", "Q3"},
          {{"corpus", "FILE",
            "UTF-8 text, plain or gzip, to learn word vectors from (default: Debian's dict-gcide; 'none': "
            "random words only)"},
           {"words", "FILE[:TENSOR]",
            "Word vectors to use instead of learned ones: .npy, safetensors, or word2vec/GloVe text"},
           {"rows", "A:B", "Only these rows of --words, half-open and from 0"}},
          prepare};
}

}  // namespace perp::capacity
