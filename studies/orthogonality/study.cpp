#include <algorithm>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
/// Eigenvectors of the Gram matrix, leading ones first, as far as they are determined; then a random completion.
Matrix<double> position_basis(std::size_t length, std::size_t d) {
  const Eigen<double> eigen = symmetric_eigen(gram_columns(sinusoidal<double>(length, d)));  // ascending
  Matrix<double> rows = normal_matrix<double>(d, d, stream(0, "position basis", "", d, "completion"));
  const std::size_t rank = numerical_rank(eigen.values, determined_in_double);
  for (std::size_t i = 0; i < rank; ++i)
    std::ranges::copy(row(eigen.vectors, d - 1 - i), row(rows, i).begin());
  return orthonormal_rows(rows);
}

std::size_t measured_r99(std::size_t length, std::size_t d) {
  return effective_dimension(sinusoid_spectra(frequencies(d), length).uncentred).r99;
}

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
