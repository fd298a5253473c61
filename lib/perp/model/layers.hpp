#pragma once
// What blocks are made of: shapes, linear maps, LayerNorm and the feed-forward pair.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/base/lanes.hpp"

namespace perp::model {

// Sums over the tokens of a batch, which the derivatives of biases and gains are.

/// sums[j] = Σ x_ij y_ij, row by row.
template <class T>
void column_sums(View<T> x, View<T> y, T* sums) {
  std::size_t j = 0;
  for (; j + lanes <= x.cols; j += lanes) {
    Lanes<T> sum{}, a, b;
    for (std::size_t i = 0; i < x.rows; ++i) {
      load(x.data + i * x.stride + j, a);
      load(y.data + i * y.stride + j, b);
      sum += a * b;
    }
    store(sum, sums + j);
  }
  for (; j < x.cols; ++j) {
    sums[j] = 0;
    for (std::size_t i = 0; i < x.rows; ++i) sums[j] += x(i, j) * y(i, j);
  }
}

/// sums[j] = Σ x_ij.
template <class T>
void column_sums(View<T> x, T* sums) {
  std::size_t j = 0;
  for (; j + lanes <= x.cols; j += lanes) {
    Lanes<T> sum{}, a;
    for (std::size_t i = 0; i < x.rows; ++i) {
      load(x.data + i * x.stride + j, a);
      sum += a;
    }
    store(sum, sums + j);
  }
  for (; j < x.cols; ++j) {
    sums[j] = 0;
    for (std::size_t i = 0; i < x.rows; ++i) sums[j] += x(i, j);
  }
}

// What a Transformer is made of, as plain values.

/// Where a layer normalises: its input (GPT-2: x + f(norm(x))), its sum (Vaswani et al. 2017, BERT: norm(x +
/// f(x))), or nowhere.
enum class Norm { before, after, none };

/// gelu: x Φ(x) with the normal distribution's Φ (Hendrycks & Gimpel 2016, arXiv 1606.08415), exact, not by tanh.
enum class Activation { gelu, relu };

struct Shape {
  std::size_t width = 0;  ///< d
  std::size_t heads = 1;  ///< divide the width
  std::size_t inner = 0;  ///< width of the feed-forward's hidden layer, usually 4 d
  std::size_t depth = 1;  ///< blocks
  bool causal = false;    ///< a token sees itself and what stands before it, no more
  Norm norm = Norm::before;
  Activation activation = Activation::gelu;
  bool residual = true;      ///< x + f(x); without it f(x)
  bool feed_forward = true;  ///< without it a block is attention alone

  std::size_t head_width() const { return width / heads; }
};

/// Throws Error{unusable} for a width, an inner width or a number of heads of 0 (an inner width is not asked
/// for without feed-forward), and for heads that do not divide the width.
void check(const Shape& shape);

// A linear map of every row: y = x Wᵀ + b, W: out x in, as frameworks store it.

template <class T>
struct Linear {
  Matrix<T> weight;     ///< out x in
  std::vector<T> bias;  ///< out

  std::uint64_t parameters() const { return weight.size() + bias.size(); }
};

/// x: rows x in -> rows x out, one product. With a Matrix call it model::apply: unqualified, std::apply would be
/// found by way of the matrix and fit better.
template <class T>
Matrix<T> apply(const Linear<T>& linear, ViewLike<T> x);

/// Backwards: from what a loss changes by with y (rows x out) to what it changes by with x (rows x in),
/// dx = dy W. `gradient`, of the map's shape, becomes what it changes by with weight, dyᵀ x, and bias, the
/// column sums of dy; its memory stays where it is, here and in every other backward.
template <class T>
Matrix<T> backward(const Linear<T>& linear, ViewLike<T> x, ViewLike<T> dy, Linear<T>& gradient);

// Layer normalisation of every row (Ba, Kiros & Hinton 2016, arXiv 1607.06450, eq. 4), with what its
// derivative needs. `perp::layer_norm` of measures is the same for tables of doubles.

template <class T>
struct LayerNorm {
  std::vector<T> gain, bias;  ///< d each
  T epsilon = T(1e-5);

  std::uint64_t parameters() const { return gain.size() + bias.size(); }
};

template <class T>
struct Normalised {
  Matrix<T> out;           ///< gain · standard + bias
  Matrix<T> standard;      ///< (x - x̄)/√(var x + epsilon), var over d
  std::vector<T> inverse;  ///< 1/√(var x + epsilon) of each row
};

/// x: rows x d.
template <class T>
Normalised<T> normalise(const LayerNorm<T>& norm, ViewLike<T> x);

/// Backwards: with s the standard rows, e = gain · dout and means over a row,
/// dx = inverse (e - mean(e) - s mean(e s)). `gradient` becomes what the loss changes by with gain, Σ dout s,
/// and bias, Σ dout.
template <class T>
Matrix<T> backward(const LayerNorm<T>& norm, const Normalised<T>& normalised, ViewLike<T> dout,
                   LayerNorm<T>& gradient);

// The feed-forward layer (Vaswani et al. 2017, section 3.3): outer(activation(inner(x))), each token by
// itself.

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
