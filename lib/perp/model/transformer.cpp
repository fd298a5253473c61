#include "perp/model/transformer.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/random/draws.hpp"

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

template <class T>
Matrix<T> embed(const Encoder<T>& encoder, std::span<const std::int32_t> tokens, std::size_t length) {
  const std::size_t d = cols(encoder.words);
  require(cols(encoder.positions) == d && cols(encoder.types) == d && rows(encoder.types) > 0,
          "encoder: words of {} dimensions, positions of {}, {} token types of {}", d,
          cols(encoder.positions), rows(encoder.types), cols(encoder.types));
  require(length <= rows(encoder.positions), "encoder: texts of {} tokens for {} positions", length,
          rows(encoder.positions));
  Matrix<T> sum = matrix<T>(tokens.size(), d);
  for (std::size_t r = 0; r < tokens.size(); ++r) {
    require(0 <= tokens[r] && std::size_t(tokens[r]) < rows(encoder.words),
            "encoder: token {} at place {} of text {}; expected 0 to {}", tokens[r], r % length, r / length,
            rows(encoder.words) - 1);
    const T *word = row(encoder.words, tokens[r]).data(), *type = row(encoder.types, 0).data(),
            *position = row(encoder.positions, r % length).data();
    T* out = row(sum, r).data();
    for (std::size_t j = 0; j < d; ++j) out[j] = word[j] + position[j] + type[j];
  }
  return normalise(encoder.norm, sum).out;
}

template <class T>
Matrix<T> forward_in_batches(const Transformer<T>& body, Matrix<T> x, std::size_t length,
                             std::size_t together, const LayerHook<T>& hook) {
  if (hook) hook(0, x);
  for (std::size_t k = 0; k < body.blocks.size(); ++k) {
    for (std::size_t first = 0; first < rows(x); first += together * length) {
      const std::size_t last = std::min(rows(x), first + together * length);
      const BlockActivations<T> passed =
          pass(body.blocks[k], body.shape, View<T>(block(x, first, last)), length);
      const Matrix<T>& out = passed.out(body.shape);
      std::copy_n(out.data(), out.size(), x.data() + first * cols(x));
    }
    if (hook) hook(k + 1, x);
  }
  return x;
}

#define PERP_INSTANTIATE(T)                                                                               \
  template Transformer<T> random_transformer(const Shape&, const Stream&);                                \
  template Matrix<T> forward(const Transformer<T>&, Matrix<T>, std::size_t, const AttentionPositions<T>&, \
                             const LayerHook<T>&);                                                        \
  template struct Trace<T>;                                                                               \
  template Trace<T> trace(const Transformer<T>&, Matrix<T>, std::size_t, const AttentionPositions<T>&,    \
                          std::span<const std::size_t>);                                                  \
  template Matrix<T> backward(const Transformer<T>&, const Trace<T>&, std::size_t,                        \
                              const AttentionPositions<T>&, Matrix<T>, Transformer<T>&);                  \
  template Matrix<T> embed(const Encoder<T>&, std::span<const std::int32_t>, std::size_t);                \
  template Matrix<T> forward_in_batches(const Transformer<T>&, Matrix<T>, std::size_t, std::size_t,       \
                                        const LayerHook<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
