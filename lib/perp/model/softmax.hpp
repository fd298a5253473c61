#pragma once
// From scores to weights.

#include <cstddef>
#include <span>

namespace perp::model {

/// Turns the first `visible` scores into exp(s - max)/Σ exp(s - max), the rest into 0, in place. A score that
/// is masked is never read, so it may be anything; the largest is subtracted first, so scores of any finite
/// size work. Throws Error{failed} if a visible score is not finite, and unless 1 <= visible <= size.
template <class T>
void softmax(std::span<T> scores, std::size_t visible);

/// Backwards, in place: from what a loss changes by with the weights w to what it changes by with the scores,
/// w_i (d_i - Σ_j w_j d_j). What is masked has weight 0 and gets 0. Throws Error unless there are as many
/// weights.
template <class T>
void softmax_backward(std::span<const T> weights, std::span<T> d);

}  // namespace perp::model
