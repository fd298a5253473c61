#pragma once
// A whole model that answers at every token: embedding, blocks, a last LayerNorm, and a map to the classes.
// Its loss, the loss's gradient, and the list of all that training may change.

#include <cstdint>
#include <span>
#include <vector>

#include "perp/model/cross_entropy.hpp"
#include "perp/model/embedding.hpp"
#include "perp/model/transformer.hpp"

namespace perp::model {

template <class T>
struct Predictor {
  Embedding<T> embedding;
  Transformer<T> body;
  LayerNorm<T> last;
  Linear<T> head;                             ///< classes x width, apart from the table of words
  AttentionPositions<T> attention_positions;  ///< what attention knows of positions; nothing in it is learned
  /// All but the embedding's.
  std::uint64_t inner_parameters() const;
};

/// What training may change, part by part, in one fixed order; a gradient of the same shape lists the same.
/// The spans are good as long as the predictor is not assigned to; `loss` does not move its gradient's
/// memory.
template <class T>
std::vector<std::span<T>> parts(Predictor<T>& predictor);

/// Sequences of `length` tokens one after the other, and what is to be answered at each (`ignored_target`:
/// nothing).
struct Batch {
  std::size_t length = 0;
  std::vector<std::int32_t> tokens, labels;
};

/// Answers: batch · length x classes. `states`, if given, receives what the head reads: batch · length x
/// width.
template <class T>
Matrix<T> answer(const Predictor<T>& predictor, const Batch& batch, Matrix<T>* states = nullptr);

/// The loss on a batch. `gradient` has the predictor's shape (a copy will do) and becomes what the loss
/// changes by with every part. Throws Error{failed} once a number is no longer finite.
template <class T>
LossAndAccuracy loss(const Predictor<T>& predictor, const Batch& batch, Predictor<T>& gradient);

}  // namespace perp::model
