#include "perp/model/attention.hpp"

#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/model/head_products.hpp"
#include "perp/model/softmax.hpp"

namespace perp::model {
namespace {

/// Columns of one head in the rows of one sequence.
template <class T>
View<T> head_of(const Matrix<T>& x, std::size_t first_row, std::size_t length, std::size_t head,
                std::size_t head_width) {
  return {x.data() + first_row * cols(x) + head * head_width, length, head_width, cols(x)};
}

/// Scores of one head to weights, row by row.
template <class T>
void scaled_softmax(T* scores, std::size_t length, T scale, bool causal, const Matrix<T>* bias) {
  for (std::size_t t = 0; t < length; ++t) {
    const std::span<T> row_t{scores + t * length, length};
    const std::size_t visible = causal ? t + 1 : length;
    for (std::size_t s = 0; s < visible; ++s) row_t[s] = row_t[s] * scale + (bias ? (*bias)(t, s) : T{0});
    softmax(row_t, visible);
  }
}

template <class T>
void add_to(Matrix<T>& sum, const Matrix<T>& x) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += x.data()[i];
}

}  // namespace

template <class T>
std::uint64_t Attention<T>::parameters() const {
  return query.parameters() + key.parameters() + value.parameters() + output.parameters();
}

template <class T>
AttentionActivations<T> attend(const Attention<T>& attention, ViewLike<T> x, std::size_t length,
                               const AttentionPositions<T>& positions) {
  const std::size_t heads = attention.heads, width = rows(attention.query.weight);
  require(length > 0 && x.rows % length == 0, "attention: {} tokens are no sequences of {}", x.rows, length);
  require(heads > 0 && width % heads == 0, "attention: {} heads of a width of {}", heads, width);
  expect(positions.bias.empty() || (positions.bias.size() == heads && rows(positions.bias.front()) == length),
         "attention: biases of {} heads and {} positions for {} heads and sequences of {}",
         positions.bias.size(), positions.bias.empty() ? 0 : rows(positions.bias.front()), heads, length);
  const std::size_t batch = x.rows / length, head_width = width / heads;
  AttentionActivations<T> result{model::apply(attention.query, x), apply(attention.key, x),
                                 model::apply(attention.value, x), matrix<T>(batch * heads * length, length),
                                 matrix<T>(x.rows, width),         {}};
  rotate_heads(positions, length, head_width, result.query);
  rotate_heads(positions, length, head_width, result.key);
  const T scale = 1 / std::sqrt(static_cast<T>(head_width));
  Matrix<T> keys = matrix<T>(head_width, length);  // of one head, turned
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t h = 0; h < heads; ++h) {
      T* weights = result.weights.data() + (b * heads + h) * length * length;
      const std::size_t first = b * length;
      transpose_head(head_of(result.key, first, length, h, head_width), keys.data());
      head_product(head_of(result.query, first, length, h, head_width), View(keys), weights, length);
      scaled_softmax(weights, length, scale, attention.causal,
                     positions.bias.empty() ? nullptr : &positions.bias[h]);
      head_product(View<T>(weights, length, length, length),
                   head_of(result.value, first, length, h, head_width),
                   result.mixed.data() + first * width + h * head_width, width);
    }
  result.out = model::apply(attention.output, result.mixed);
  return result;
}

template <class T>
Matrix<T> backward(const Attention<T>& attention, const AttentionActivations<T>& activations, ViewLike<T> x,
                   std::size_t length, const AttentionPositions<T>& positions, ViewLike<T> dout,
                   Attention<T>& gradient) {
  const std::size_t heads = attention.heads, width = cols(activations.query), head_width = width / heads;
  expect(dout.rows == rows(activations.mixed) && x.rows == dout.rows,
         "attention, backward: {} rows in, {} attended, {} derivatives", x.rows, rows(activations.mixed),
         dout.rows);
  const Matrix<T> mixed = backward(attention.output, activations.mixed, dout, gradient.output);
  Matrix<T> query = matrix<T>(x.rows, width), key = matrix<T>(x.rows, width),
            value = matrix<T>(x.rows, width), values = matrix<T>(head_width, length),
            scores = matrix<T>(length, length);  // of one head
  const T scale = 1 / std::sqrt(static_cast<T>(head_width));
  for (std::size_t b = 0; b < x.rows / length; ++b)
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t first = b * length, corner = first * width + h * head_width;
      const View<T> weights(activations.weights.data() + (b * heads + h) * length * length, length, length,
                            length);
      const View<T> dmixed = head_of(mixed, first, length, h, head_width);
      head_product_tn(weights, dmixed, value.data() + corner, width);
      transpose_head(head_of(activations.value, first, length, h, head_width), values.data());
      head_product(dmixed, View(values), scores.data(), length);
      for (std::size_t t = 0; t < length; ++t) softmax_backward(weights.row(t), row(scores, t));
      for (T& score : std::span<T>(scores.data(), scores.size())) score *= scale;
      head_product(View(scores), head_of(activations.key, first, length, h, head_width),
                   query.data() + corner, width);
      head_product_tn(View(scores), head_of(activations.query, first, length, h, head_width),
                      key.data() + corner, width);
    }
  rotate_heads_back(positions, length, head_width, query);
  rotate_heads_back(positions, length, head_width, key);
  Matrix<T> dx = backward(attention.query, x, query, gradient.query);
  add_to(dx, backward(attention.key, x, key, gradient.key));
  add_to(dx, backward(attention.value, x, value, gradient.value));
  return dx;
}

#define PERP_INSTANTIATE(T)                                                                              \
  template struct Attention<T>;                                                                          \
  template Matrix<T> backward(const Attention<T>&, const AttentionActivations<T>&, View<T>, std::size_t, \
                              const AttentionPositions<T>&, View<T>, Attention<T>&);                     \
  template AttentionActivations<T> attend(const Attention<T>&, View<T>, std::size_t,                     \
                                          const AttentionPositions<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
