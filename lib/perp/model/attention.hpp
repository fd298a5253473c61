#pragma once
// Attention: weights from scores, positions, and the products of heads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/model/layers.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp::model {

// From scores to weights.

/// Turns the first `visible` scores into exp(s - max)/Σ exp(s - max), the rest into 0, in place. A score that
/// is masked is never read, so it may be anything; the largest is subtracted first, so scores of any finite
/// size work. Throws Error{failed} if a visible score is not finite.
template <class T>
void softmax(std::span<T> scores, std::size_t visible);

/// Backwards, in place: from what a loss changes by with the weights w to what it changes by with the scores,
/// w_i (d_i - Σ_j w_j d_j). What is masked has weight 0 and gets 0.
template <class T>
void softmax_backward(std::span<const T> weights, std::span<T> d);

// What attention itself knows about positions: queries and keys turned, scores biased, or nothing. Encodings
// that add a vector act before the first block: `embed`.

/// Either part may be empty: then it does nothing.
template <class T>
struct AttentionPositions {
  Matrix<T> cosine = zeros<T>(0, 0),
            sine = zeros<T>(0, 0);  ///< length x head width/2: pair (2i, 2i+1) of row t turns by angle (t, i)
  std::vector<Matrix<T>> bias;  ///< one per head, length x length: added to the score of query t and key s
};

/// The angles of an encoding that turns neighbouring pairs, for `length` positions.
template <class T>
AttentionPositions<T> rotary_positions(const Encoding& encoding, std::size_t length, std::size_t head_width);

/// The biases of encodings that bias scores, one per head.
template <class T>
AttentionPositions<T> biased_positions(const std::vector<EncodingPointer>& per_head, std::size_t length);

/// Turns every head of x (batch · length rows, heads · head width columns) in place, row r as position r mod
/// length. Nothing happens without angles. A sense of -1 turns them the other way round, which undoes it and is its
/// derivative backwards.
template <class T>
void rotate_heads(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width,
                  Matrix<T>& x, T sense = 1);

/// Words and encodings to the input of the first block, at one row per token.
/// x_i + p_(i mod length): words are batch · length x d, positions length x d.
Matrix<float> add_positions(View<float> words, View<double> positions);
Matrix<double> add_positions(View<double> words, View<double> positions);
/// [x_i, p_(i mod length)].
Matrix<float> append_positions(View<float> words, View<double> positions);

// Products of the size of one head: some dozens of tokens, eight or sixteen columns. A call of BLAS takes
// about as long as such a product itself. Sums run over the inner index in order, whatever the processor.

/// a b, to `out`, whose rows lie `stride` values apart; a's columns must be b's rows.
template <class T>
void head_product(View<T> a, View<T> b, T* out, std::size_t stride);
/// aᵀ b, likewise; a's rows must be b's.
template <class T>
void head_product_tn(View<T> a, View<T> b, T* out, std::size_t stride);
/// xᵀ, to cols x rows values one after the other.
template <class T>
void transpose_head(View<T> x, T* out);

// Multi-head attention (Vaswani et al. 2017, section 3.2): every token takes a mean of the values of the
// tokens it sees, weighted by softmax(q·k/√head width (+ bias)).
//
// Tokens lie one per row, sequence after sequence: batch · length rows. Head h owns columns h·w … (h+1)·w - 1
// of queries, keys and values.

template <class T>
struct Attention {
  Linear<T> query, key, value, output;  ///< width x width each
  std::size_t heads = 1;
  bool causal = false;

  std::uint64_t parameters() const;
};

/// The output and all that a derivative asks for.
template <class T>
struct AttentionActivations {
  Matrix<T> query, key, value;  ///< batch · length x width; queries and keys as turned
  Matrix<T> weights;  ///< (batch · heads · length) x length: rows sum to 1, masked entries are exactly 0
  Matrix<T> mixed;    ///< batch · length x width: mean values, before the output map
  Matrix<T> out;      ///< batch · length x width
};

/// x: batch · length x width.
template <class T>
AttentionActivations<T> attend(const Attention<T>& attention, ViewLike<T> x, std::size_t length,
                               const AttentionPositions<T>& positions = {});

/// Backwards, from `activations` = attend(attention, x, length, positions) and what a loss changes by with
/// its output, to dx. `gradient` becomes what it changes by with the four maps.
template <class T>
Matrix<T> backward(const Attention<T>& attention, const AttentionActivations<T>& activations, ViewLike<T> x,
                   std::size_t length, const AttentionPositions<T>& positions, ViewLike<T> dout,
                   Attention<T>& gradient);

}  // namespace perp::model
