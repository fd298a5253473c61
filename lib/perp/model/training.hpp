#pragma once
// What training takes: a loss and an optimiser.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::model {

// The cross-entropy loss: mean negative log-likelihood of the right answers, and how many are right.

/// A row with this label is not asked: it adds nothing to the loss (elsewhere called ignore_index).
inline constexpr std::int32_t ignored_target = -1;

struct LossAndAccuracy {
  double nats = 0;  ///< mean of -ln softmax(logits)[label] over the rows asked
  std::size_t asked = 0;
  std::size_t right = 0;  ///< rows asked whose largest logit is the label's, the first of equal ones
};

/// logits: rows x classes, become what the mean changes by with each: (softmax - [class = label])/asked, 0 in
/// rows not asked, of at least one that is. Throws Error{failed} if a logit asked for is not finite.
template <class T>
LossAndAccuracy cross_entropy(Matrix<T>& logits, std::span<const std::int32_t> labels);

// How a gradient becomes a step.

/// Adam (Kingma & Ba 2015, arXiv 1412.6980, algorithm 1), without decay of weights.
template <class T>
class Adam {
 public:
  struct Settings {
    double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;  ///< Vaswani et al. 2017, section 5.3
  };
  Adam() = default;
  explicit Adam(Settings settings) : settings_(settings) {}

  /// values -= rate · m̂/(√v̂ + epsilon), part by part. The same parts in the same order at every step.
  void step(std::span<const std::span<T>> values, std::span<const std::span<T>> gradients, double rate);

 private:
  Settings settings_{};
  std::vector<std::vector<T>> mean_, square_;
  std::size_t steps_ = 0;
};

/// The rate of step 0, 1, …: rises by equal steps to `peak` over the first `warm_up` steps, then stays, so
/// that a run is the beginning of every longer one; warm_up > 0.
double warmed_up_rate(std::size_t step, std::size_t warm_up, double peak);
/// The same, falling from `peak` to 0 over the other steps of `steps` as half a cosine (Loshchilov & Hutter 2017,
/// arXiv 1608.03983, eq. 5).
double cosine_rate(std::size_t step, std::size_t warm_up, std::size_t steps, double peak);

}  // namespace perp::model
