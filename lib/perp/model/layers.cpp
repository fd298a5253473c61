#include "perp/model/layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"
#include "perp/base/linalg.hpp"

namespace perp::model {

void check(const Shape& shape) {
  require(shape.width > 0 && shape.heads > 0 && shape.width % shape.heads == 0,
          "Transformer: {} heads of a width of {}; expected heads that divide it", shape.heads, shape.width);
  require(!shape.feed_forward || shape.inner > 0, "Transformer: a feed-forward of inner width 0");
}

template <class T>
Matrix<T> apply(const Linear<T>& linear, ViewLike<T> x) {
  Matrix<T> y = product_nt(x, linear.weight);
  const std::size_t width = cols(y);
  for (std::size_t i = 0; i < rows(y); ++i) {
    T* out = y.data() + i * width;
    for (std::size_t j = 0; j < width; ++j) out[j] += linear.bias[j];
  }
  return y;
}

template <class T>
Matrix<T> backward(const Linear<T>& linear, ViewLike<T> x, ViewLike<T> dy, Linear<T>& gradient) {
  product_tn_into(dy, x, gradient.weight.data());
  column_sums(dy, gradient.bias.data());
  return product(dy, linear.weight);
}

template <class T>
Normalised<T> normalise(const LayerNorm<T>& norm, ViewLike<T> x) {
  Normalised<T> result{matrix<T>(x.rows, x.cols), matrix<T>(x.rows, x.cols), std::vector<T>(x.rows)};
  const T d = static_cast<T>(x.cols), *gain = norm.gain.data(), *bias = norm.bias.data();
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* in = x.row(i).data();
    T* __restrict standard = row(result.standard, i).data(), * __restrict out = row(result.out, i).data();
    const T mean = sum_of(in, x.cols) / d;
    for (std::size_t j = 0; j < x.cols; ++j) standard[j] = in[j] - mean;
    const T variance = sum_of_products(standard, standard, x.cols) / d;
    const T inverse = result.inverse[i] = 1 / std::sqrt(variance + norm.epsilon);
    for (std::size_t j = 0; j < x.cols; ++j) {
      standard[j] *= inverse;
      out[j] = gain[j] * standard[j] + bias[j];
    }
  }
  return result;
}

template <class T>
Matrix<T> backward(const LayerNorm<T>& norm, const Normalised<T>& normalised, ViewLike<T> dout,
                   LayerNorm<T>& gradient) {
  const std::size_t d = norm.gain.size();
  column_sums(dout, View(normalised.standard), gradient.gain.data());
  column_sums(dout, gradient.bias.data());
  const T* gain = norm.gain.data();
  Matrix<T> dx = matrix<T>(dout.rows, d);
  for (std::size_t i = 0; i < dout.rows; ++i) {
    const T *out = dout.row(i).data(), *standard = normalised.standard.data() + i * d;
    T* __restrict in = dx.data() + i * d;
    for (std::size_t j = 0; j < d; ++j) in[j] = gain[j] * out[j];
    const T mean = sum_of(in, d) / static_cast<T>(d),
            along = sum_of_products(in, standard, d) / static_cast<T>(d), inverse = normalised.inverse[i];
    for (std::size_t j = 0; j < d; ++j) in[j] = inverse * (in[j] - mean - standard[j] * along);
  }
  return dx;
}

template <class T>
FeedForwardActivations<T> feed_forward(const FeedForward<T>& layer, ViewLike<T> x) {
  FeedForwardActivations<T> result{model::apply(layer.inner, x), {}, {}};
  result.after = matrix<T>(rows(result.slope), cols(result.slope));
  T* __restrict slope = result.slope.data(), * __restrict after = result.after.data();
  const std::size_t size = result.slope.size();
  if (layer.activation == Activation::gelu) {
    const T density = std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
    std::array<T, 256> exponential;  // as a loop of its own it is vector code
    for (std::size_t first = 0; first < size; first += exponential.size()) {
      const std::size_t n = std::min(size - first, exponential.size());
      for (std::size_t i = 0; i < n; ++i) exponential[i] = -slope[first + i] * slope[first + i] / 2;
      exp_in_place(exponential.data(), n, T{0});
      for (std::size_t i = 0; i < n; ++i) {
        const T in = slope[first + i], below = quick_below(in, exponential[i]);
        after[first + i] = in * below;
        slope[first + i] = below + in * density * exponential[i];
      }
    }
  } else
    for (std::size_t i = 0; i < size; ++i) {
      const T in = slope[i];
      after[i] = std::max(in, T{0});
      slope[i] = in > 0 ? T{1} : T{0};
    }
  result.out = model::apply(layer.outer, result.after);
  return result;
}

template <class T>
Matrix<T> backward(const FeedForward<T>& layer, const FeedForwardActivations<T>& activations, ViewLike<T> x,
                   ViewLike<T> dout, FeedForward<T>& gradient) {
  Matrix<T> hidden = backward(layer.outer, activations.after, dout, gradient.outer);
  for (std::size_t i = 0; i < hidden.size(); ++i) hidden.data()[i] *= activations.slope.data()[i];
  return backward(layer.inner, x, hidden, gradient.inner);
}

#define PERP_INSTANTIATE(T)                                                                              \
  template Matrix<T> apply(const Linear<T>&, View<T>);                                                   \
  template Matrix<T> backward(const Linear<T>&, View<T>, View<T>, Linear<T>&);                           \
  template Normalised<T> normalise(const LayerNorm<T>&, View<T>);                                        \
  template Matrix<T> backward(const LayerNorm<T>&, const Normalised<T>&, View<T>, LayerNorm<T>&);        \
  template FeedForwardActivations<T> feed_forward(const FeedForward<T>&, View<T>);                       \
  template Matrix<T> backward(const FeedForward<T>&, const FeedForwardActivations<T>&, View<T>, View<T>, \
                              FeedForward<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
