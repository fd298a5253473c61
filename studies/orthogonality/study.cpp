#include "studies/orthogonality/study.hpp"

#include "perp/base/error.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

Prepared prepare(const Options& options) {
  require(options.wants("O1") || !options.text("dim"), "--dim: read for O1 alone; expected O1 in --only");
  // Listing claims needs no words; measuring does.
  const SharedInputs inputs =
      std::make_shared<const WordInputs>(options.list ? WordInputs{} : load_words(options));
  return {{random_pairs(options), words_against_positions(options, inputs), smaller_subspaces(options),
           subspaces_against_chance(options), concatenation(options), room(options)},
          inputs->files,
          inputs->parameters};
}

}  // namespace

Study study() {
  return {
      "orthogonality",
      "Are word vectors and positional encodings nearly orthogonal, and compared with what chance?",
      {"O1", "O2", "O3", "O4", "O5", "O6"},
      {{"dim", "LIST", "Dimensions of O1, for example 64,128,512 or 64..4096*2"},
       {"corpus", "FILE",
        "UTF-8 text, plain or gzip, to learn word vectors from (default: Debian's dict-gcide; 'none': random "
        "words only)"},
       {"words", "FILE[:TENSOR]",
        "Word vectors to use instead of learned ones: .npy, safetensors, GGUF, or word2vec/GloVe text"},
       {"rows", "A:B", "Only these rows of --words, half-open and from 0"}},
      prepare};
}

}  // namespace perp::orthogonality
