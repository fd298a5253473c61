#pragma once
// The cross-entropy loss: mean negative log-likelihood of the right answers, and how many are right.

#include <cstdint>
#include <span>

#include "perp/base/array.hpp"

namespace perp::model {

/// A row with this label is not asked: it adds nothing to the loss (elsewhere called ignore_index).
inline constexpr std::int32_t ignored_target = -1;

struct LossAndAccuracy {
  double nats = 0;  ///< mean of -ln softmax(logits)[label] over the rows asked
  std::size_t asked = 0;
  std::size_t right = 0;  ///< rows asked whose largest logit is the label's, the first of equal ones
};

/// logits: rows x classes, become what the mean changes by with each: (softmax - [class = label])/asked, 0 in
/// rows not asked. Throws Error{failed} if a logit asked for is not finite and for another number of labels,
/// Error{unusable} for a label that is no class, or if nothing is asked.
template <class T>
LossAndAccuracy cross_entropy(Matrix<T>& logits, std::span<const std::int32_t> labels);

}  // namespace perp::model
