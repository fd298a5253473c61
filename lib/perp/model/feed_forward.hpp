#pragma once
// The feed-forward layer (Vaswani et al. 2017, section 3.3): outer(activation(inner(x))), each token by
// itself.

#include <cstdint>

#include "perp/model/linear.hpp"
#include "perp/model/shape.hpp"

namespace perp::model {

template <class T>
struct FeedForward {
  Linear<T> inner, outer;  ///< inner width x width, width x inner width
  Activation activation = Activation::gelu;

  std::uint64_t parameters() const { return inner.parameters() + outer.parameters(); }
};

/// The output and all that a derivative asks for.
template <class T>
struct FeedForwardActivations {
  Matrix<T> slope, after;  ///< rows x inner width: the activation's derivative, and what comes out of it
  Matrix<T> out;           ///< rows x width
};

/// gelu'(x) = Φ(x) + x φ(x); relu'(0) is taken as 0.
template <class T>
FeedForwardActivations<T> feed_forward(const FeedForward<T>& layer, ViewLike<T> x);

/// Backwards, from `activations` = feed_forward(layer, x) and what a loss changes by with its output, to dx.
/// `gradient` becomes what it changes by with both maps.
template <class T>
Matrix<T> backward(const FeedForward<T>& layer, const FeedForwardActivations<T>& activations, ViewLike<T> x,
                   ViewLike<T> dout, FeedForward<T>& gradient);

}  // namespace perp::model
