#pragma once
// A1 for released models: words found in sums with the model's own positions, at the size that these have.

#include "studies/inspect/model_under_test.hpp"

namespace perp::capacity {

/// A cell for each model that has words and positions; the others say nothing here.
void measure_released(Experiment& claim, const inspect::Models& models, Preset preset);
/// Their table and findings, and what they add to the claim's sentence. Returns a condition for each, or one
/// that waits for a model.
Rule add_released(const Cells& cells, const inspect::Models& models, double ruined, Summary& summary);

/// One sentence in models whose file of tokens says what their rows stand for: what the nearest word to x + p
/// is for its first tokens. Nothing without a model that has them all.
void measure_example(Experiment& claim, const inspect::Models& models);
void add_example(const Cells& cells, const inspect::Models& models, Summary& summary);

}  // namespace perp::capacity
