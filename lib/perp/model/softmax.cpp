#include "perp/model/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/expect.hpp"
#include "perp/measures/quick_exp.hpp"

namespace perp::model {

template <class T>
void softmax(std::span<T> scores, std::size_t visible) {
  expect(1 <= visible && visible <= scores.size(), "softmax: {} of {} scores visible", visible,
         scores.size());
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
  expect(weights.size() == d.size(), "softmax_backward: {} weights, {} derivatives", weights.size(),
         d.size());
  const T mean = sum_of_products(weights.data(), d.data(), d.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = weights[i] * (d[i] - mean);
}

#define PERP_INSTANTIATE(T)                         \
  template void softmax(std::span<T>, std::size_t); \
  template void softmax_backward(std::span<const T>, std::span<T>);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
