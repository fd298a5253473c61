#include "perp/model/block.hpp"

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"

namespace perp::model {
namespace {

/// out = f + x, or f alone.
template <class T>
Matrix<T> sum(const Shape& shape, ViewLike<T> x, const Matrix<T>& f) {
  Matrix<T> out = f;
  if (shape.residual)
    for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] += x.data[i];
  return out;
}

/// One layer around `function`, which keeps what it computed and returns its output.
template <class T, class Function>
Layer<T> residual_block(const Shape& shape, const LayerNorm<T>& norm, ViewLike<T> x, Function function) {
  Layer<T> layer;
  if (shape.norm == Norm::before) layer.norm = normalise(norm, x);
  layer.out = sum(shape, x, function(shape.norm == Norm::before ? View(layer.norm.out) : x));
  if (shape.norm == Norm::after) {
    layer.norm = normalise(norm, layer.out);
    layer.out = layer.norm.out;
  }
  return layer;
}

/// Backwards through `residual_block`: `function_backward` takes what goes into the function and what the
/// loss changes by with what comes out.
template <class T, class Backward>
Matrix<T> residual_block_backward(const Shape& shape, const LayerNorm<T>& norm, const Layer<T>& layer,
                                  ViewLike<T> x, ViewLike<T> dout, LayerNorm<T>& gradient,
                                  Backward&& function_backward) {
  Matrix<T> dsum = matrix<T>(0, 0);
  if (shape.norm == Norm::after) {
    dsum = backward(norm, layer.norm, dout, gradient);
    dout = View(dsum);
  }
  Matrix<T> dx = function_backward(shape.norm == Norm::before ? View(layer.norm.out) : x, dout);
  if (shape.norm == Norm::before) dx = backward(norm, layer.norm, dx, gradient);
  if (shape.residual)
    for (std::size_t i = 0; i < dx.size(); ++i) dx.data()[i] += dout.data[i];
  return dx;
}

}  // namespace

template <class T>
std::uint64_t parameters(const Block<T>& block, const Shape& shape) {
  std::uint64_t count = block.attention.parameters();
  if (shape.feed_forward) count += block.feed_forward.parameters();
  if (shape.norm == Norm::none) return count;
  return count + block.first.parameters() + (shape.feed_forward ? block.second.parameters() : 0);
}

template <class T>
BlockActivations<T> pass(const Block<T>& block, const Shape& shape, ViewLike<T> x, std::size_t length,
                         const AttentionPositions<T>& positions, std::span<const std::size_t> asked) {
  BlockActivations<T> activations;
  activations.middle = residual_block(shape, block.first, x, [&](View<T> in) -> const Matrix<T>& {
    activations.attention = attend(block.attention, in, length, positions);
    return activations.attention.out;
  });
  if (!asked.empty()) {
    activations.asked.assign(asked.begin(), asked.end());
    activations.kept = select_rows(activations.middle.out, asked);
  }
  if (shape.feed_forward)
    activations.end =
        residual_block(shape, block.second, activations.between(), [&](View<T> in) -> const Matrix<T>& {
          activations.feed_forward = feed_forward(block.feed_forward, in);
          return activations.feed_forward.out;
        });
  return activations;
}

template <class T>
Matrix<T> backward(const Block<T>& block, const Shape& shape, const BlockActivations<T>& activations,
                   ViewLike<T> x, std::size_t length, const AttentionPositions<T>& positions,
                   ViewLike<T> dout, Block<T>& gradient) {
  Matrix<T> dmiddle = matrix<T>(0, 0);
  if (shape.feed_forward) {
    dmiddle = residual_block_backward(shape, block.second, activations.end, activations.between(), dout,
                                      gradient.second, [&](View<T> in, View<T> d) {
                                        return backward(block.feed_forward, activations.feed_forward, in, d,
                                                        gradient.feed_forward);
                                      });
    dout = View(dmiddle);
  }
  Matrix<T> scattered = zeros<T>(activations.asked.empty() ? 0 : x.rows, x.cols);
  if (!activations.asked.empty()) {
    for (std::size_t i = 0; i < activations.asked.size(); ++i)
      std::ranges::copy(dout.row(i), row(scattered, activations.asked[i]).begin());
    dout = View(scattered);
  }
  return residual_block_backward(
      shape, block.first, activations.middle, x, dout, gradient.first, [&](View<T> in, View<T> d) {
        return backward(block.attention, activations.attention, in, length, positions, d, gradient.attention);
      });
}

#define PERP_INSTANTIATE(T)                                                                       \
  template std::uint64_t parameters(const Block<T>&, const Shape&);                               \
  template BlockActivations<T> pass(const Block<T>&, const Shape&, View<T>, std::size_t,          \
                                    const AttentionPositions<T>&, std::span<const std::size_t>);  \
  template Matrix<T> backward(const Block<T>&, const Shape&, const BlockActivations<T>&, View<T>, \
                              std::size_t, const AttentionPositions<T>&, View<T>, Block<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
