#pragma once
// What a Transformer is made of, as plain values.

#include <cstddef>

namespace perp::model {

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

}  // namespace perp::model
