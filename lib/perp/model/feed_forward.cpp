#include "perp/model/feed_forward.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace perp::model {

template <class T>
T gelu(T x) {
  return x / 2 * (1 + std::erf(x / std::numbers::sqrt2_v<T>));
}

template <class T>
Fed<T> feed(const FeedForward<T>& feed_forward, View<T> x) {
  Fed<T> result{apply(feed_forward.inner, x), {}, {}};
  result.after = result.before;
  const std::span<T> values{result.after.data(), result.after.size()};
  if (feed_forward.activation == Activation::gelu)
    for (T& value : values) value = gelu(value);
  else
    for (T& value : values) value = std::max(value, T{0});
  result.out = apply(feed_forward.outer, View<T>(result.after));
  return result;
}

#define PERP_INSTANTIATE(T) \
  template T gelu(T);       \
  template Fed<T> feed(const FeedForward<T>&, View<T>);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
