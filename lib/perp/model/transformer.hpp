#pragma once
// A stack of blocks, with random weights to start from. There is no table of words, no LayerNorm after the
// last block and no head (`Predictor` has them): what goes in is a vector per token, what comes out is one.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perp/model/block.hpp"
#include "perp/random/draws.hpp"

namespace perp::model {

template <class T>
struct Transformer {
  Shape shape;
  std::vector<Block<T>> blocks;
};

/// Weights iid normal of variance 1/(number of inputs), so that sums of independent inputs keep their size (LeCun,
/// Bottou, Orr & Müller 1998, "Efficient BackProp", eq. 16), biases 0, gains 1. With residuals the maps that end a
/// layer (attention's output, the feed-forward's outer) are divided by √(2 depth), so that the stream keeps its
/// size (Radford et al. 2019, section 2.3). The numbers are float32 ones in either type: both models are the
/// same function, up to rounding. Throws Error as check(shape) does.
template <class T>
Transformer<T> random_transformer(const Shape& shape, const Stream& stream);

/// What a depth's states are shown to: 0 for the input, k after block k.
template <class T>
using LayerHook = std::function<void(std::size_t depth, const Matrix<T>& states)>;

/// x: batch · length x width -> the same shape. `hook` sees the states of every depth.
template <class T>
Matrix<T> forward(const Transformer<T>& transformer, Matrix<T> x, std::size_t length,
                  const AttentionPositions<T>& positions = {}, const LayerHook<T>& hook = {});

/// What a pass kept: all that a derivative asks for.
template <class T>
struct Trace {
  Matrix<T> in;                                  ///< batch · length x width
  std::vector<BlockActivations<T>> activations;  ///< by block

  /// The states of the last block; the input if there is none.
  const Matrix<T>& out(const Shape& shape) const;
};

/// forward(), with everything kept. `asked`: the rows of the last block's states that are wanted; none: all.
template <class T>
Trace<T> trace(const Transformer<T>& transformer, Matrix<T> x, std::size_t length,
               const AttentionPositions<T>& positions = {}, std::span<const std::size_t> asked = {});

/// Backwards, from what a loss changes by with the trace's output to what it changes by with its input.
/// `gradient` has the transformer's shape and becomes what the loss changes by with every parameter.
template <class T>
Matrix<T> backward(const Transformer<T>& transformer, const Trace<T>& trace, std::size_t length,
                   const AttentionPositions<T>& positions, Matrix<T> dout, Transformer<T>& gradient);

/// How far two outputs may lie apart by rounding, relative to the output's length, where exact ones are
/// equal:
///   2 · products · √longest · u.
/// Two passes, each a chain of so many products, each off by about √m u relative to the lengths of its
/// factors, because rounding errors of either sign add up like a random walk over the m terms of a sum
/// (Higham & Mary 2019, "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41,
/// A2815).
double rounding_bound(std::size_t products, std::size_t longest, double unit_roundoff);

/// The same after `depth` blocks on `length` tokens: six products in a row a block (map to query or key,
/// scores, mixing, output, inner, outer), the longest of max(inner, width, length) terms: 12 · depth · √m ·
/// u. A block is taken to pass errors on at their size, as residuals and normalisation do in practice; a
/// worst case would grow by a factor per block.
double permutation_bound(const Shape& shape, std::size_t depth, std::size_t length, double unit_roundoff);

// An encoder as BERT is one (Devlin et al. 2019, arXiv 1810.04805): words, positions and token types added
// and normalised, then blocks that normalise their sums; every token sees all of its text. What is computed
// is in block.hpp; here is what goes in, and a pass over more texts than fit into memory layer by layer.

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
/// position + type 0). Throws Error for a word outside the table, texts longer than the positions, and tables of
/// different d.
template <class T>
Matrix<T> embed(const Encoder<T>& encoder, std::span<const std::int32_t> tokens, std::size_t length);

/// As forward(body, x, length, {}, hook), each block on `together` texts at a time: what a block keeps of its
/// pass is as large as these, not as all.
template <class T>
Matrix<T> forward_in_batches(const Transformer<T>& body, Matrix<T> x, std::size_t length,
                             std::size_t together, const LayerHook<T>& hook = {});

}  // namespace perp::model
