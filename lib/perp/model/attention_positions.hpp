#pragma once
// What attention itself knows about positions: queries and keys turned, scores biased, or nothing. Encodings
// that add a vector act before the first block: `embed`.

#include <vector>

#include "perp/base/array.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp::model {

/// Either part may be empty: then it does nothing.
template <class T>
struct AttentionPositions {
  Matrix<T> cosine = zeros<T>(0, 0),
            sine = zeros<T>(0, 0);  ///< length x head width/2: pair (2i, 2i+1) of row t turns by angle (t, i)
  std::vector<Matrix<T>> bias;  ///< one per head, length x length: added to the score of query t and key s
};

/// The angles of an encoding that turns neighbouring pairs, for `length` positions. Throws Error unless it
/// turns vectors, and for one that turns other pairs (half-split).
template <class T>
AttentionPositions<T> rotary_positions(const Encoding& encoding, std::size_t length, std::size_t head_width);

/// The biases of encodings that bias scores, one per head.
template <class T>
AttentionPositions<T> biased_positions(const std::vector<EncodingPointer>& per_head, std::size_t length);

/// Turns every head of x (batch · length rows, heads · head width columns) in place, row r as position r mod
/// length. Nothing happens without angles. Throws Error if shapes do not fit.
template <class T>
void rotate_heads(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width,
                  Matrix<T>& x);
/// The same the other way round, which undoes it and is its derivative backwards.
template <class T>
void rotate_heads_back(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width,
                       Matrix<T>& x);

/// Words and encodings to the input of the first block, at one row per token.
/// x_i + p_(i mod length): words are batch · length x d, positions length x d.
template <class T>
Matrix<T> add_positions(View<T> words, View<double> positions);
/// [x_i, p_(i mod length)].
template <class T>
Matrix<T> append_positions(View<T> words, View<double> positions);
template <TableLike A>
Matrix<Entry<A>> add_positions(const A& words, View<double> positions) {
  return add_positions(View(words), positions);
}
template <TableLike A>
Matrix<Entry<A>> append_positions(const A& words, View<double> positions) {
  return append_positions(View(words), positions);
}

}  // namespace perp::model
