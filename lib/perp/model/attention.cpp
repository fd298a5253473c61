#include "perp/model/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"
#include "perp/base/lanes.hpp"

namespace perp::model {

template <class T>
void softmax(std::span<T> scores, std::size_t visible) {
  const std::span<T> seen = scores.first(visible);
  // Counted, not branched upon, so that the loop is vector code.
  std::uint32_t finite = 0;
  for (const T score : seen) finite += std::abs(score) <= std::numeric_limits<T>::max();
  if (finite < visible) fail("softmax: {} of {} scores are not finite", visible - finite, visible);
  exp_in_place(seen.data(), visible, largest_of(seen.data(), visible));
  const T inverse = 1 / sum_of(seen.data(), visible);
  for (T& score : seen) score *= inverse;
  std::ranges::fill(scores.subspan(visible), T{0});
}

template <class T>
void softmax_backward(std::span<const T> weights, std::span<T> d) {
  const T mean = sum_of_products(weights.data(), d.data(), d.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = weights[i] * (d[i] - mean);
}

namespace {

/// An operand read as it lies or turned: entry (i, k) at data[i * row_step + k * inner_step].
template <class T>
struct Operand {
  const T* data;
  std::size_t rows, inner, row_step, inner_step;
};

#ifdef __AVX512F__
constexpr std::size_t register_bytes = 64;
#elif defined(__aarch64__)
constexpr std::size_t register_bytes = 16;
#else
constexpr std::size_t register_bytes = 32;
#endif

/// `high` rows and `vectors` times `wide` columns of a b, held in registers while the inner index runs.
template <std::size_t high, std::size_t wide, std::size_t vectors, class T>
void tile(const Operand<T>& a, std::size_t row, const T* b, std::size_t b_stride, T* out,
          std::size_t stride) {
  Lanes<T, wide> sums[high * vectors] = {}, next[vectors];
  const T* entry = a.data + row * a.row_step;
  for (std::size_t k = 0; k < a.inner; ++k, entry += a.inner_step, b += b_stride) {
    for (std::size_t v = 0; v < vectors; ++v) load(b + v * wide, next[v]);
    for (std::size_t i = 0; i < high; ++i)
      for (std::size_t v = 0; v < vectors; ++v) sums[i * vectors + v] += entry[i * a.row_step] * next[v];
  }
  for (std::size_t i = 0; i < high; ++i)
    for (std::size_t v = 0; v < vectors; ++v)
      store(sums[i * vectors + v], out + (row + i) * stride + v * wide);
}

/// Columns from `first` on, as many at once as fit; the first that is left.
template <std::size_t wide, std::size_t vectors, class T>
std::size_t columns(const Operand<T>& a, View<T> b, std::size_t first, T* out, std::size_t stride) {
  constexpr std::size_t high = 8, step = wide * vectors;
  for (; first + step <= b.cols; first += step) {
    const T* from = b.data + first;
    std::size_t row = 0;
    for (; row + high <= a.rows; row += high)
      tile<high, wide, vectors>(a, row, from, b.stride, out + first, stride);
    for (; row < a.rows; ++row) tile<1, wide, vectors>(a, row, from, b.stride, out + first, stride);
  }
  return first;
}

template <class T>
void multiply(const Operand<T>& a, View<T> b, T* out, std::size_t stride) {
  // Not wider: g++ keeps vectors that are wider than the processor's in memory, at a tenth of the speed.
  constexpr std::size_t wide = register_bytes / sizeof(T);
  std::size_t first = 0;
  // Two registers a row need sixteen for eight rows, which is all that AVX2 has; the others have 32.
  if constexpr (register_bytes != 32) first = columns<wide, 2>(a, b, first, out, stride);
  first = columns<wide, 1>(a, b, first, out, stride);
  if constexpr (wide > 8) first = columns<8, 1>(a, b, first, out, stride);
  columns<1, 1>(a, b, first, out, stride);
}

}  // namespace

template <class T>
void head_product(View<T> a, View<T> b, T* out, std::size_t stride) {
  multiply<T>({a.data, a.rows, a.cols, a.stride, 1}, b, out, stride);
}

template <class T>
void head_product_tn(View<T> a, View<T> b, T* out, std::size_t stride) {
  multiply<T>({a.data, a.cols, a.rows, 1, a.stride}, b, out, stride);
}

template <class T>
void transpose_head(View<T> x, T* out) {
  for (std::size_t j = 0; j < x.cols; ++j)
    for (std::size_t i = 0; i < x.rows; ++i) out[j * x.rows + i] = x(i, j);
}

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
  rotate_heads(positions, length, head_width, query, T{-1});
  rotate_heads(positions, length, head_width, key, T{-1});
  Matrix<T> dx = backward(attention.query, x, query, gradient.query);
  add_to(dx, backward(attention.key, x, key, gradient.key));
  add_to(dx, backward(attention.value, x, value, gradient.value));
  return dx;
}

#define PERP_INSTANTIATE(T)                                                                              \
  template void softmax(std::span<T>, std::size_t);                                                      \
  template void softmax_backward(std::span<const T>, std::span<T>);                                      \
  template void head_product(View<T>, View<T>, T*, std::size_t);                                         \
  template void head_product_tn(View<T>, View<T>, T*, std::size_t);                                      \
  template void transpose_head(View<T>, T*);                                                             \
  template struct Attention<T>;                                                                          \
  template Matrix<T> backward(const Attention<T>&, const AttentionActivations<T>&, View<T>, std::size_t, \
                              const AttentionPositions<T>&, View<T>, Attention<T>&);                     \
  template AttentionActivations<T> attend(const Attention<T>&, View<T>, std::size_t,                     \
                                          const AttentionPositions<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
