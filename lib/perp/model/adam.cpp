#include "perp/model/adam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/base/expect.hpp"

namespace perp::model {

template <class T>
void Adam<T>::step(std::span<const std::span<T>> values, std::span<const std::span<T>> gradients,
                   double rate) {
  if (steps_ == 0)
    for (const std::span<T> part : values) {
      mean_.emplace_back(part.size(), T{0});
      square_.emplace_back(part.size(), T{0});
    }
  expect(values.size() == mean_.size() && gradients.size() == values.size(),
         "Adam: {} parts, {} gradients; expected {}", values.size(), gradients.size(), mean_.size());
  ++steps_;
  const double n = static_cast<double>(steps_);
  const T beta1 = static_cast<T>(settings_.beta1), beta2 = static_cast<T>(settings_.beta2);
  // m̂ = m/(1 - β₁ⁿ) and v̂ = v/(1 - β₂ⁿ), with both divisions outside the loop.
  const double root = std::sqrt(1 - std::pow(settings_.beta2, n));
  const T scale = static_cast<T>(rate * root / (1 - std::pow(settings_.beta1, n))),
          epsilon = static_cast<T>(settings_.epsilon * root);
  for (std::size_t part = 0; part < values.size(); ++part) {
    expect(values[part].size() == mean_[part].size() && gradients[part].size() == values[part].size(),
           "Adam: part {} has {} values and {} derivatives; expected {}", part, values[part].size(),
           gradients[part].size(), mean_[part].size());
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
  require(warm_up > 0, "warmed_up_rate: no steps to warm up in");
  return peak * static_cast<double>(std::min(step + 1, warm_up)) / static_cast<double>(warm_up);
}

double cosine_rate(std::size_t step, std::size_t warm_up, std::size_t steps, double peak) {
  if (step < warm_up) return warmed_up_rate(step, warm_up, peak);
  expect(step <= steps && steps > warm_up, "cosine_rate: step {} of {}, {} to warm up", step, steps, warm_up);
  const double part = static_cast<double>(step - warm_up) / static_cast<double>(steps - warm_up);
  return peak * (1 + std::cos(std::numbers::pi * part)) / 2;
}

template class Adam<float>;
template class Adam<double>;

}  // namespace perp::model
