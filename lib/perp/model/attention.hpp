#pragma once
// Multi-head attention (Vaswani et al. 2017, section 3.2): every token takes a mean of the values of the
// tokens it sees, weighted by softmax(q·k/√head width (+ bias)).
//
// Tokens lie one per row, sequence after sequence: batch · length rows. Head h owns columns h·w … (h+1)·w - 1
// of queries, keys and values.

#include <cstdint>

#include "perp/model/attention_positions.hpp"
#include "perp/model/linear.hpp"

namespace perp::model {

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

/// x: batch · length x width. Throws Error unless whole sequences of `length` >= 1 tokens are given, heads
/// divide the width, and the positions are as many, for as many heads.
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
