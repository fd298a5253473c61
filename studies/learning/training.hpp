#pragma once
// One run: a model, a task, a seed, some hundred steps. All claims read its records.

#include <array>
#include <vector>

#include "perp/study/claim.hpp"
#include "studies/learning/arms.hpp"
#include "studies/learning/text.hpp"

namespace perp::learning {

/// Tokens a step, steps over which the learning rate rises, sequences of the test.
inline constexpr std::size_t step_tokens = 512, warm_up = 50, test_sequences = 256;
/// A task counts as learned at the first step at which this share of the answers of the last `window` steps
/// was right. Every batch is new, and is answered before it is learned from.
inline constexpr double learned_share = 0.9;
inline constexpr std::size_t window = 10;

/// Tasks with exact labels, arms of the main comparison.
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
using Runs = std::vector<Run>;
/// The runs of the main comparison; of every split at the largest width on copy2; of the text (none without
/// one); of words that start small.
Runs main_runs(const Options& options);
Runs split_runs(const Options& options);
Runs text_runs(const Options& options, const SharedText& text);
Runs small_start_runs(const Options& options);

/// Accuracy and loss, mean over the batches since the last of these.
struct CurvePoint : Run {
  std::size_t step;
  double accuracy, nats;
};
PERP_ROW_OF(CurvePoint, Run, step, accuracy, nats)
/// A run at its end; accuracy and nats are means over the test.
struct Trained : Run {
  std::size_t inner_parameters, embedding_parameters;
  std::size_t learned_at;  ///< the step, or the number of steps + 1 where it was not learned
  double accuracy, nats;

  bool learned() const { return learned_at <= steps; }
};
PERP_ROW_OF(Trained, Run, inner_parameters, embedding_parameters, learned_at, accuracy, nats)

/// The name that the three claims share their cells under.
inline constexpr std::string_view work_name = "learning";

/// Trains and adds one Trained, CurvePoints on the way, Geometry at the start, on the way and at the end,
/// HeadScores before and after, Probes at the end. Throws Error{failed} saying so, the step and the learning
/// rate, if the loss diverges.
void train(const Run& run, const SharedText& text, std::uint64_t seed, Rows& rows);

/// A claim on what these runs came to. Claims of this study share their cells: a run that several of them (or
/// of these lists) name is made once.
Experiment claim_on_runs(std::string_view claim, std::string_view statement, std::string_view source,
                         const std::vector<Runs>& lists, const SharedText& text);

}  // namespace perp::learning
