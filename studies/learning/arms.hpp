#pragma once
// The arms of the comparison: how a model of one width is told where its words stand.

#include <string>

#include "perp/model/predictor.hpp"
#include "perp/study/row.hpp"
#include "studies/learning/tasks.hpp"

namespace perp::learning {

/// One run's coordinates, which are its cell's; everything else follows from them.
struct Run {
  std::string task = {}, arm = {};
  std::size_t position_width = 0;  ///< d_p of "concat", "concat_learned" and "project"; otherwise 0
  std::size_t width = 32, depth = 1;
  std::size_t steps = 500;
  double start = 1;  ///< standard deviation of the entries of words before training
  double rate = 0.01;
  std::size_t seed = 0;
};
PERP_ROW(Run, task, arm, position_width, width, depth, steps, start, rate, seed)

/// Heads of eight dimensions, at most four.
std::size_t heads_of(std::size_t width);

/// The model before its first step:
///   add_fixed       x_w + p_t, the sinusoid, which stays
///   add_learned     x_w + p_t, p_t random of the sinusoid's power at first, then learned
///   concat          [x_w, p_t], d - d_p and d_p dimensions, the sinusoid of d_p
///   concat_learned  the same, p_t as in add_learned
///   project         W [x_w, p_t] + b, words of d and sinusoids of d_p dimensions
///   rotary          x_w, queries and keys turned (interleaved pairs)
///   none            x_w
/// Words are normal with standard deviation `start`, weights normal as Initialisation::fan_in, one ReLU layer
/// of 4 d a block, LayerNorm before each layer and before the head. Runs of one seed share words, weights and
/// data as far as their shapes agree. Throws Error{unusable} for another arm and for a d_p that does not fit.
model::Predictor<float> start_of(const Run& run, const Task& task, const Streams& shared);

}  // namespace perp::learning
