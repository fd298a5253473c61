#pragma once
// An encoder as BERT is one (Devlin et al. 2019, arXiv 1810.04805): words, positions and token types added
// and normalised, then blocks that normalise their sums; every token sees all of its text. What is computed
// is in block.hpp; here is what goes in, and a pass over more texts than fit into memory layer by layer.

#include <cstdint>
#include <span>

#include "perp/model/transformer.hpp"

namespace perp::model {

/// BERT's own, of every LayerNorm.
inline constexpr double bert_epsilon = 1e-12;

template <class T>
struct Encoder {
  Matrix<T> words;      ///< V x d
  Matrix<T> positions;  ///< L x d
  Matrix<T> types;      ///< token types x d; a text alone is of type 0
  LayerNorm<T> norm;    ///< of the sum
  Transformer<T> body;
};

/// tokens: texts of `length` words, one after the other -> texts · length x d, the rows LayerNorm(word +
/// position + type 0). Throws Error for a word outside the table, broken texts, texts longer than the
/// positions, and tables of different d.
template <class T>
Matrix<T> embed(const Encoder<T>& encoder, std::span<const std::int32_t> tokens, std::size_t length);

/// As forward(body, x, length, {}, hook), each block on `together` texts at a time: what a block keeps of its
/// pass is as large as these, not as all. Throws Error as forward does, and for together = 0.
template <class T>
Matrix<T> forward_in_batches(const Transformer<T>& body, Matrix<T> x, std::size_t length,
                             std::size_t together, const LayerHook<T>& hook = {});

}  // namespace perp::model
