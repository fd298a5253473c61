#include "perp/model/feed_forward.hpp"

#include <algorithm>
#include <numbers>

#include "perp/measures/quick_normal.hpp"

namespace perp::model {

template <class T>
T gelu(T x) {
  return x * quick_normal(x).below;
}

template <class T>
FeedForwardActivations<T> feed_forward(const FeedForward<T>& layer, ViewLike<T> x) {
  FeedForwardActivations<T> result{model::apply(layer.inner, x), {}, {}};
  result.after = matrix<T>(rows(result.before), cols(result.before));
  const T* before = result.before.data();
  T* after = result.after.data();
  const std::size_t size = result.before.size();
  if (layer.activation == Activation::gelu)
    for (std::size_t i = 0; i < size; ++i) after[i] = before[i] * quick_normal(before[i]).below;
  else
    for (std::size_t i = 0; i < size; ++i) after[i] = std::max(before[i], T{0});
  result.out = model::apply(layer.outer, result.after);
  return result;
}

template <class T>
Matrix<T> backward(const FeedForward<T>& layer, const FeedForwardActivations<T>& activations, ViewLike<T> x,
                   ViewLike<T> dout, FeedForward<T>& gradient) {
  Matrix<T> hidden = backward(layer.outer, activations.after, dout, gradient.outer);
  T* d = hidden.data();
  const T* before = activations.before.data();
  if (layer.activation == Activation::gelu) {
    const T density = std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      const Normal<T> at = quick_normal(before[i]);
      d[i] *= at.below + before[i] * density * at.density;
    }
  } else
    for (std::size_t i = 0; i < hidden.size(); ++i) d[i] = before[i] > 0 ? d[i] : T{0};
  return backward(layer.inner, x, hidden, gradient.inner);
}

#define PERP_INSTANTIATE(T)                                                                              \
  template T gelu(T);                                                                                    \
  template FeedForwardActivations<T> feed_forward(const FeedForward<T>&, View<T>);                       \
  template Matrix<T> backward(const FeedForward<T>&, const FeedForwardActivations<T>&, View<T>, View<T>, \
                              FeedForward<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
