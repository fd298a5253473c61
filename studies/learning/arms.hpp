#pragma once
// The arms of the comparison: how a model of one width is told where its words stand.

#include <string>

#include "perp/model/predictor.hpp"
#include "perp/study/frame.hpp"
#include "studies/learning/tasks.hpp"

namespace perp::learning {

/// One run's coordinates, which are its cell's; everything else follows from them.
struct Run {
  std::string task = {}, arm = {}, positions = "none";
  std::size_t position_width = 0;  ///< d_p; 0: of all d dimensions, or none
  std::size_t width = 32, depth = 1;
  std::size_t inner = 0;     ///< units of a block's layer beyond 4 d
  std::size_t steps = 1000;  ///< at most
  double rate = 0.01;
  double size = 1;   ///< s: positions start at s times their own size
  double start = 1;  ///< standard deviation of the entries of words before training
  /// or "end": all steps, and the tables are looked at on the way; of a text, with other parts of it: "choice",
  /// "tried", "judged"
  std::string until = "learned";
  std::size_t seed = 0;
};
Coordinates coordinates_of(const Run& run);
/// The run of a row by these of its fields, "arm rate size"; the others are those of `like`.
Run run_from(const Row& row, std::string_view fields, Run like = {});
/// A run's name, and that of the run that a cell's row is of.
std::string name_of(const Run& run);
std::string name_of(const Row& row);
/// A group of rows in this run's place.
Frame place_of(const Run& run);

/// Of the task's head width; at most four.
std::size_t heads_of(const Task& task, std::size_t width);

/// Positions as a run starts with them (length x width), but for its size s; entries of mean square ½:
///   as_is    the sinusoid of base 10,000
///   centred  as_is less its mean over positions, scaled back to the same power
///   learned  normal, N(0, ½), and learned
///   started  learned, from where `centred` is
/// Throws Error{unusable} for another name.
Matrix<float> positions_of(const std::string& positions, std::size_t length, std::size_t width,
                           const Streams& shared);

/// The model before its first step:
///   add      x_w + s p_t; of d_p > 0, fewer than d: to the last d_p coordinates alone
///   framed   x_w + s F p_t, d_p dimensions (0: all) through a fixed random orthonormal F (d x d_p)
///   concat   [x_w, s p_t], d - d_p and d_p dimensions
///   project  W [x_w, s p_t] + b, words of d and positions of d_p dimensions
///   rotary   x_w, queries and keys turned (interleaved pairs)
///   none     x_w
/// Words are normal with standard deviation `start`, weights normal as model::random_transformer's, one layer
/// of 4 d (and `inner`) units a block, LayerNorm before each layer and before the head. Runs of one seed
/// share words, weights and data as far as their shapes agree. Throws Error{unusable} for another arm, for
/// positions that it cannot have and for a d_p that does not fit.
model::Predictor<float> start_of(const Run& run, const Task& task, const Streams& shared);

}  // namespace perp::learning
