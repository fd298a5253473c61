#pragma once
// One run: a model, a task, a seed, some hundred steps. All claims read its records.

#include <vector>

#include "studies/learning/arms.hpp"
#include "studies/learning/text.hpp"

namespace perp::learning {

/// Tokens a step, steps over which the learning rate rises, sequences of the test.
inline constexpr std::size_t step_tokens = 512, warm_up = 50, test_sequences = 256;
/// A task counts as learned at the first step at which this share of the answers of the last `window` steps
/// was right. Every batch is new, and is answered before it is learned from.
inline constexpr double learned_share = 0.9;
inline constexpr std::size_t window = 10;

/// Tasks with exact labels, arms of the main comparison, widths, seeds.
inline constexpr std::array<std::string_view, 4> tasks{"copy2", "named", "bite", "count"};
/// (arm, its d_p as a part of the width: 0, 4 for a quarter, 2 for half)
struct Arm {
  std::string_view name;
  std::size_t part = 0;
};
inline constexpr std::array<Arm, 8> arms{{{"add_fixed"},
                                          {"add_learned"},
                                          {"concat", 4},
                                          {"concat", 2},
                                          {"concat_learned", 4},
                                          {"concat_learned", 2},
                                          {"rotary"},
                                          {"none"}}};
std::vector<std::size_t> widths(const Options& options);
std::size_t seeds(const Options& options);

/// The runs of the main comparison; of every split at the largest width on copy2; of the text (none without
/// one); of words that start small.
std::vector<Run> main_runs(const Options& options);
std::vector<Run> split_runs(const Options& options);
std::vector<Run> text_runs(const Options& options, const SharedText& text);
std::vector<Run> small_start_runs(const Options& options);

/// Trains and records. Of a run's records,
///   "run"       inner_parameters, embedding_parameters, accuracy and nats (mean over the test), learned_at
///   (the
///               step, or the number of steps + 1 where it was not learned)
///   "curve"     step, accuracy and nats, mean over the batches since the last of these
///   "geometry"  step and what `geometry` says, at the start, on the way and at the end
///   "head"      what `position_scores` says, at the end ("head_start": before the first step)
///   "probe"     what `probes` says, at the end
/// Throws Error{failed} saying so, the step and the learning rate, if the loss diverges.
Records train(const Run& run, const SharedText& text, std::uint64_t seed);

/// The cells of some runs, with their costs, and the experiment's `run`.
std::vector<Cell> cells_of(const std::vector<Run>& runs);
std::function<Records(const Cell&, const Streams&)> trainer(const SharedText& text);
/// The name that the three claims share their cells under.
inline constexpr std::string_view work_name = "learning";

}  // namespace perp::learning
