#include "perp/model/training.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"

namespace perp::model {

template <class T>
LossAndAccuracy cross_entropy(Matrix<T>& logits, std::span<const std::int32_t> labels) {
  const std::size_t classes = cols(logits);
  LossAndAccuracy result;
  for (const std::int32_t label : labels) result.asked += label != ignored_target;
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

template <class T>
void Adam<T>::step(std::span<const std::span<T>> values, std::span<const std::span<T>> gradients,
                   double rate) {
  if (steps_ == 0)
    for (const std::span<T> part : values) {
      mean_.emplace_back(part.size(), T{0});
      square_.emplace_back(part.size(), T{0});
    }
  ++steps_;
  const double n = static_cast<double>(steps_);
  const T beta1 = static_cast<T>(settings_.beta1), beta2 = static_cast<T>(settings_.beta2);
  // m̂ = m/(1 - β₁ⁿ) and v̂ = v/(1 - β₂ⁿ), with both divisions outside the loop.
  const double root = std::sqrt(1 - std::pow(settings_.beta2, n));
  const T scale = static_cast<T>(rate * root / (1 - std::pow(settings_.beta1, n))),
          epsilon = static_cast<T>(settings_.epsilon * root);
  for (std::size_t part = 0; part < values.size(); ++part) {
    T *x = values[part].data(), *m = mean_[part].data(), *v = square_[part].data();
    const T* g = gradients[part].data();
    for (std::size_t i = 0; i < values[part].size(); ++i) {
      m[i] = beta1 * m[i] + (1 - beta1) * g[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
      x[i] -= scale * m[i] / (std::sqrt(v[i]) + epsilon);
    }
  }
}

double warmed_up_rate(std::size_t step, std::size_t warm_up, double peak) {
  return peak * static_cast<double>(std::min(step + 1, warm_up)) / static_cast<double>(warm_up);
}

double cosine_rate(std::size_t step, std::size_t warm_up, std::size_t steps, double peak) {
  if (step < warm_up) return warmed_up_rate(step, warm_up, peak);
  const double part = static_cast<double>(step - warm_up) / static_cast<double>(steps - warm_up);
  return peak * (1 + std::cos(std::numbers::pi * part)) / 2;
}

template class Adam<float>;
template class Adam<double>;

}  // namespace perp::model
