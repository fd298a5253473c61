#pragma once
// A model from tokens to the scores of the next one.

#include <cstdint>
#include <span>
#include <vector>

#include "perp/model/layers.hpp"
#include "perp/model/training.hpp"
#include "perp/model/transformer.hpp"

namespace perp::model {

// From tokens to the input of the first block: a table of words and a table of positions, and how they meet.

/// How a token's vector is made of its word's and its position's.
enum class Combination {
  alone,        ///< x_w: the model learns of positions elsewhere or not at all
  add,          ///< x_w + p_t; a p_t of fewer coordinates is added to the last of x_w's
  concatenate,  ///< [x_w, p_t]
  project       ///< W [x_w, p_t] + b
};

template <class T>
struct Embedding {
  Combination combination = Combination::add;
  Matrix<T> words;                           ///< V x d_w
  Matrix<T> positions = zeros<T>(0, 0);      ///< L x d_p; empty for words alone
  bool learned_positions = false;            ///< otherwise they stay what they are
  Linear<T> projection{zeros<T>(0, 0), {}};  ///< d x (d_w + d_p); empty unless they meet so

  /// Of a token's vector.
  std::size_t width() const;
  /// What training may change.
  std::uint64_t parameters() const;
};

/// tokens: batch · L words, sequence after sequence, with L rows of positions -> batch · L x width.
template <class T>
Matrix<T> embed(const Embedding<T>& embedding, std::span<const std::int32_t> tokens, std::size_t length);

/// Backwards: `gradient` has the embedding's shape and becomes what the loss changes by with each table that
/// is learned; dx is what it changes by with embed(...).
template <class T>
void backward(const Embedding<T>& embedding, std::span<const std::int32_t> tokens, std::size_t length,
              ViewLike<T> dx, Embedding<T>& gradient);

// A whole model that answers at every token: embedding, blocks, a last LayerNorm, and a map to the classes.
// Its loss, the loss's gradient, and the list of all that training may change.

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
