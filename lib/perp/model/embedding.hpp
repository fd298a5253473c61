#pragma once
// From tokens to the input of the first block: a table of words and a table of positions, and how they meet.

#include <cstdint>
#include <span>

#include "perp/model/linear.hpp"

namespace perp::model {

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

/// tokens: batch · L words, sequence after sequence, with L rows of positions -> batch · L x width. Throws
/// Error for a word outside the table, for broken sequences, and for tables that cannot meet so.
template <class T>
Matrix<T> embed(const Embedding<T>& embedding, std::span<const std::int32_t> tokens, std::size_t length);

/// Backwards: `gradient` has the embedding's shape and becomes what the loss changes by with each table that
/// is learned; dx is what it changes by with embed(...).
template <class T>
void backward(const Embedding<T>& embedding, std::span<const std::int32_t> tokens, std::size_t length,
              ViewLike<T> dx, Embedding<T>& gradient);

}  // namespace perp::model
