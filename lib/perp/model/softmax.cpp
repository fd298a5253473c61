#include "perp/model/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"

namespace perp::model {

template <class T>
void softmax(std::span<T> scores, std::size_t visible) {
  require(1 <= visible && visible <= scores.size(), "softmax: {} of {} scores visible", visible,
          scores.size());
  const std::span<T> seen = scores.first(visible);
  const T largest = *std::ranges::max_element(seen);
  T sum = 0;
  for (T& score : seen) {
    if (!std::isfinite(score)) fail("softmax: a score of {} among {}", score, visible);
    score = std::exp(score - largest);
    sum += score;
  }
  for (T& score : seen) score /= sum;
  std::ranges::fill(scores.subspan(visible), T{0});
}

template void softmax(std::span<float>, std::size_t);
template void softmax(std::span<double>, std::size_t);

}  // namespace perp::model
