#pragma once
// What the models learn: tasks whose right answers are known exactly, drawn afresh at every step, so that a
// batch not yet learned from is also a test.

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "perp/model/predictor.hpp"
#include "perp/study/experiment.hpp"

namespace perp::learning {

inline constexpr std::size_t task_length = 32;
/// Tasks with exact labels, none of which can be done without the order.
inline constexpr std::array<std::string_view, 3> tasks{"copy2", "named", "bite"};

/// One task: its sizes and where its batches come from.
struct Task {
  std::size_t words = 0;    ///< tokens are 0 … words - 1
  std::size_t classes = 0;  ///< answers are 0 … classes - 1
  std::size_t length = task_length;
  std::size_t head_width = 8;
  model::Activation activation = model::Activation::relu;
  bool causal = false;  ///< a token sees itself and what stands before it
  /// `sequences` of them from one stream.
  std::function<model::Batch(std::size_t sequences, const Stream& stream)> draw{};
  /// The same for the test; where batches come from a text, from a part that is not learned from.
  std::function<model::Batch(std::size_t sequences, const Stream& stream)> draw_test{};
};

/// "copy2": the word two places before. "named": the first half of a sequence are words, the second half
/// are names of places 0 … 15 in it; the answer to a name is the word that stands there. "bite": sentences of
/// four tokens: somebody, bites, somebody, and "who?" or "whom?", whose answer is the first or the second
/// somebody.
/// Throws Error{unusable} for another name.
Task task_of(std::string_view name);

}  // namespace perp::learning
