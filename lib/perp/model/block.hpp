#pragma once
// One block: attention, then feed-forward, each with its residual and its LayerNorm, as the shape says.

#include <cstdint>
#include <span>
#include <vector>

#include "perp/model/attention.hpp"
#include "perp/model/layers.hpp"

namespace perp::model {

template <class T>
struct Block {
  Attention<T> attention;
  FeedForward<T> feed_forward;  ///< read only if the shape has it
  LayerNorm<T> first, second;   ///< read only if the shape normalises
};

/// What shape and arrays hold together; parts that the shape switches off are not counted.
template <class T>
std::uint64_t parameters(const Block<T>& block, const Shape& shape);

/// A layer of a block: what went in, what came out, and the normalisation between, if there is one.
template <class T>
struct Layer {
  Normalised<T> norm;  ///< before: of the layer's input; after: of its sum; none: empty
  Matrix<T> out;
};

/// The output and all that a derivative asks for.
template <class T>
struct BlockActivations {
  AttentionActivations<T> attention;
  Layer<T> middle;                         ///< after attention
  std::vector<std::size_t> asked;          ///< the rows of it that went on; empty: all
  Matrix<T> kept = zeros<T>(0, 0);         ///< these rows
  FeedForwardActivations<T> feed_forward;  ///< empty without feed-forward
  Layer<T> end;                            ///< after feed-forward
  /// What attention hands on.
  const Matrix<T>& between() const { return asked.empty() ? middle.out : kept; }
  /// rows (or those asked for) x width.
  const Matrix<T>& out(const Shape& shape) const { return shape.feed_forward ? end.out : between(); }
  Matrix<T>& out(const Shape& shape) {
    return shape.feed_forward ? end.out : asked.empty() ? middle.out : kept;
  }
};

/// x: batch · length x width. `asked`: the rows that are wanted, which attention still gathers from all; none:
/// all.
template <class T>
BlockActivations<T> pass(const Block<T>& block, const Shape& shape, ViewLike<T> x, std::size_t length,
                         const AttentionPositions<T>& positions = {},
                         std::span<const std::size_t> asked = {});

/// Backwards, from `activations` = pass(block, shape, x, length, positions, asked) and what a loss changes by with
/// its output, to dx. `gradient` becomes what it changes by with every part that the shape has; the rest of
/// it stays.
template <class T>
Matrix<T> backward(const Block<T>& block, const Shape& shape, const BlockActivations<T>& activations,
                   ViewLike<T> x, std::size_t length, const AttentionPositions<T>& positions,
                   ViewLike<T> dout, Block<T>& gradient);

}  // namespace perp::model
