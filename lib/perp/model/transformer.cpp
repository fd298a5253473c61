#include "perp/model/transformer.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/random/normal.hpp"

namespace perp::model {
namespace {

/// Hands out the normals of one stream, map by map.
class Draw {
 public:
  explicit Draw(const Stream& stream) : stream_(stream) {}

  template <class T>
  Linear<T> linear(std::size_t out, std::size_t in, double divisor) {
    const double deviation = 1 / std::sqrt(static_cast<double>(in));
    const float scale = static_cast<float>(deviation / divisor);
    std::vector<float> normals(out * in);
    fill_normal(stream_, std::span<float>(normals), offset_);
    offset_ += (normals.size() + 63) / 64 * 64;
    Linear<T> map{matrix<T>(out, in), std::vector<T>(out, T{0})};
    for (std::size_t i = 0; i < normals.size(); ++i)
      map.weight.data()[i] = static_cast<T>(normals[i] * scale);
    return map;
  }

 private:
  Stream stream_;
  std::uint64_t offset_ = 0;
};

template <class T>
LayerNorm<T> plain_norm(const Shape& shape) {
  if (shape.norm == Norm::none) return {};
  return {std::vector<T>(shape.width, T{1}), std::vector<T>(shape.width, T{0})};
}

}  // namespace

template <class T>
Transformer<T> random_transformer(const Shape& shape, const Stream& stream) {
  check(shape);
  const double last = shape.residual ? std::sqrt(2.0 * static_cast<double>(shape.depth)) : 1.0;
  const std::size_t d = shape.width;
  Draw draw(stream);
  Transformer<T> transformer{shape, {}};
  for (std::size_t k = 0; k < shape.depth; ++k) {
    Block<T> block;
    block.attention.heads = shape.heads;
    block.attention.causal = shape.causal;
    for (Linear<T>* map : {&block.attention.query, &block.attention.key, &block.attention.value})
      *map = draw.linear<T>(d, d, 1);
    block.attention.output = draw.linear<T>(d, d, last);
    if (shape.feed_forward)
      block.feed_forward = {draw.linear<T>(shape.inner, d, 1), draw.linear<T>(d, shape.inner, last),
                            shape.activation};
    block.first = plain_norm<T>(shape);
    block.second = plain_norm<T>(shape);
    transformer.blocks.push_back(std::move(block));
  }
  return transformer;
}

template <class T>
Matrix<T> forward(const Transformer<T>& transformer, Matrix<T> x, std::size_t length,
                  const AttentionPositions<T>& positions, const LayerHook<T>& hook) {
  const Shape& shape = transformer.shape;
  expect(cols(x) == shape.width, "Transformer: tokens of width {} for a model of width {}", cols(x),
         shape.width);
  if (hook) hook(0, x);
  for (std::size_t k = 0; k < transformer.blocks.size(); ++k) {
    x = std::move(pass(transformer.blocks[k], shape, x, length, positions).out(shape));
    if (hook) hook(k + 1, x);
  }
  return x;
}

template <class T>
const Matrix<T>& Trace<T>::out(const Shape& shape) const {
  return activations.empty() ? in : activations.back().out(shape);
}

template <class T>
Trace<T> trace(const Transformer<T>& transformer, Matrix<T> x, std::size_t length,
               const AttentionPositions<T>& positions, std::span<const std::size_t> asked) {
  const Shape& shape = transformer.shape;
  expect(cols(x) == shape.width, "Transformer: tokens of width {} for a model of width {}", cols(x),
         shape.width);
  Trace<T> trace{std::move(x), {}};
  trace.activations.reserve(transformer.blocks.size());
  for (const Block<T>& block : transformer.blocks)
    trace.activations.push_back(
        pass(block, shape, trace.out(shape), length, positions,
             &block == &transformer.blocks.back() ? asked : std::span<const std::size_t>{}));
  return trace;
}

template <class T>
Matrix<T> backward(const Transformer<T>& transformer, const Trace<T>& trace, std::size_t length,
                   const AttentionPositions<T>& positions, Matrix<T> dout, Transformer<T>& gradient) {
  const Shape& shape = transformer.shape;
  expect(gradient.blocks.size() == transformer.blocks.size() &&
             trace.activations.size() == transformer.blocks.size(),
         "Transformer, backward: {} blocks, {} traced, {} of the gradient", transformer.blocks.size(),
         trace.activations.size(), gradient.blocks.size());
  for (std::size_t k = transformer.blocks.size(); k-- > 0;)
    dout = backward(transformer.blocks[k], shape, trace.activations[k],
                    View(k == 0 ? trace.in : trace.activations[k - 1].out(shape)), length, positions, dout,
                    gradient.blocks[k]);
  return dout;
}

double rounding_bound(std::size_t products, std::size_t longest, double unit_roundoff) {
  return 2 * static_cast<double>(products) * std::sqrt(static_cast<double>(longest)) * unit_roundoff;
}

double permutation_bound(const Shape& shape, std::size_t depth, std::size_t length, double unit_roundoff) {
  const std::size_t inner = shape.feed_forward ? shape.inner : 0;
  return rounding_bound(6 * depth, std::max({inner, shape.width, length}), unit_roundoff);
}

#define PERP_INSTANTIATE(T)                                                                               \
  template Transformer<T> random_transformer(const Shape&, const Stream&);                                \
  template Matrix<T> forward(const Transformer<T>&, Matrix<T>, std::size_t, const AttentionPositions<T>&, \
                             const LayerHook<T>&);                                                        \
  template struct Trace<T>;                                                                               \
  template Trace<T> trace(const Transformer<T>&, Matrix<T>, std::size_t, const AttentionPositions<T>&,    \
                          std::span<const std::size_t>);                                                  \
  template Matrix<T> backward(const Transformer<T>&, const Trace<T>&, std::size_t,                        \
                              const AttentionPositions<T>&, Matrix<T>, Transformer<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
