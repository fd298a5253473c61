// Study `orthogonality`: claims O1 to O6.

#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

Prepared prepare(const Options& options) {
  return {{random_pairs(options)}, {}, {}};
}

}  // namespace
}  // namespace perp::orthogonality

int main(int argc, char** argv) {
  const perp::Study study{
      "orthogonality",
      "Are word vectors and positional encodings nearly orthogonal, and compared with what chance?",
      {"O1"},
      {{"dim", "LIST", "Dimensions of O1, for example 64,128,512 or 64..4096*2"},
       {"corpus", "FILE", "UTF-8 text, plain or gzip, to learn word vectors from (default: Debian's dict-gcide)"},
       {"words", "FILE", "Word vectors to use instead of learned ones: .npy, or word2vec/GloVe text"}},
      perp::orthogonality::prepare};
  return perp::run_study(study, argc, argv);
}
