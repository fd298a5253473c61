#include "perp/model/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/measures/quick_exp.hpp"

namespace perp::model {

template <class T>
LossAndAccuracy cross_entropy(Matrix<T>& logits, std::span<const std::int32_t> labels) {
  const std::size_t classes = cols(logits);
  expect(labels.size() == rows(logits), "cross entropy: {} labels for {} rows", labels.size(), rows(logits));
  LossAndAccuracy result;
  for (const std::int32_t label : labels) {
    require(label >= ignored_target && (label < 0 || static_cast<std::size_t>(label) < classes),
            "cross entropy: label {} of {} classes", label, classes);
    result.asked += label != ignored_target;
  }
  require(result.asked > 0, "cross entropy: none of {} rows has a label", labels.size());
  const double share = 1 / static_cast<double>(result.asked);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    T* row_r = logits.data() + r * classes;
    if (labels[r] == ignored_target) {
      std::fill_n(row_r, classes, T{0});
      continue;
    }
    const T largest = largest_of(row_r, classes), wanted = row_r[labels[r]];
    const auto first = static_cast<std::int32_t>(std::find(row_r, row_r + classes, largest) - row_r);
    exp_in_place(row_r, classes, largest);
    const auto sum = static_cast<double>(sum_of(row_r, classes));
    if (!std::isfinite(sum)) fail("cross entropy: a logit of row {} is not finite", r);
    result.nats += share * (std::log(sum) - (static_cast<double>(wanted) - static_cast<double>(largest)));
    result.right += first == labels[r];
    const T scale = static_cast<T>(share / sum);
    for (std::size_t j = 0; j < classes; ++j) row_r[j] *= scale;
    row_r[labels[r]] -= static_cast<T>(share);
  }
  return result;
}

template LossAndAccuracy cross_entropy(Matrix<float>&, std::span<const std::int32_t>);
template LossAndAccuracy cross_entropy(Matrix<double>&, std::span<const std::int32_t>);

}  // namespace perp::model
