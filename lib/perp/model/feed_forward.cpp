#include "perp/model/feed_forward.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "perp/measures/quick_normal.hpp"

namespace perp::model {

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
  template FeedForwardActivations<T> feed_forward(const FeedForward<T>&, View<T>);                       \
  template Matrix<T> backward(const FeedForward<T>&, const FeedForwardActivations<T>&, View<T>, View<T>, \
                              FeedForward<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
