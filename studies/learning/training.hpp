#pragma once
// One run: a model, a task, a seed, some hundred steps. All claims read its records.

#include <vector>

#include "perp/study/experiment.hpp"
#include "studies/learning/arms.hpp"
#include "studies/learning/text.hpp"

namespace perp::learning {

using Runs = std::vector<Run>;
/// The runs of A10 on tasks, with rates and sizes chosen in advance (choices.hpp); of A8 and A9 at one rate and size for
/// all; of those that add and of RoPE, with more seeds of "bite", which RoPE fails to learn on some; the same from words
/// that start small.
Runs measured_runs(const Options& options);
Runs looked_at_runs(const Options& options);
Runs control_runs(const Options& options);
inline constexpr double small_start = 0.2;
Runs small_start_runs(const Options& options);

/// The steps that a "Trained" row's run took to learn, all that it made where it did not.
double steps_used(const Row& trained);
bool has_learned(const Row& trained);

/// Sums over batches, of the loss weighted by the answers asked for.
struct Sums {
  double nats = 0, asked = 0, right = 0;
  void add(const model::LossAndAccuracy& result);
};
/// Over so many sequences of the test, some together.
Sums tested(const model::Predictor<float>& predictor, const Task& task, std::size_t sequences,
            std::size_t together, const Streams& shared);

/// Named by task and seed alone: whatever differs between arms, it is not the data.
Streams streams_of(const Run& run, std::uint64_t seed);
/// One step's loss and gradient. Throws Error{failed} saying so, the step and the learning rate for a number that
/// is no longer finite, or a loss far beyond guessing.
model::LossAndAccuracy checked_loss(const model::Predictor<float>& predictor, const model::Batch& batch,
                                    model::Predictor<float>& gradient, const Run& run, std::size_t step,
                                    std::size_t classes);

/// The row "Trained" that a run ends with; of a model without parameters for one that diverged.
void add_end(const model::Predictor<float>& predictor, std::size_t learned_at, double accuracy, double nats,
             Out& out);

/// Trains and writes a row "Trained": parameters, the step at which it learned (the number of steps + 1 where it did
/// not) and, of a run that makes all of its steps, means over the test, otherwise NaN. Of a run `until` the "end" also
/// "Geometry" at the start, on the way and at the end, "HeadScores" and a "Probe" before and after; of one on a text what
/// train_on_text writes. Throws Error{failed} if the loss diverges (checked_loss).
void train(const Run& run, const SharedText& text, std::uint64_t seed, Out& out);

/// The same; a run that diverges is one that did not learn, with the loss of guessing four times over.
void train_or_fail(const Run& run, const SharedText& text, std::uint64_t seed, Out& out);

/// A claim on what these runs came to. Claims of this study share their cells: a run that several of them (or
/// of these lists) name is made once.
Experiment claim_on_runs(std::string_view claim, std::string_view toml, const std::vector<Runs>& lists,
                         const SharedText& text);

// ---- One run on a text: a fixed number of steps at a rate that falls to 0, what it cost a byte of those not
// learned from, and what became of the two tables.

/// Tokens a step; steps over which the rate rises; sequences of the test.
inline constexpr std::size_t text_step_tokens = 4096, text_warm_up = 100, text_test_sequences = 2048;

/// `until` of A10's pairs, all of whose steps are made: a trial, tested on what is chosen on, and what is judged.
inline constexpr std::string_view until_tried = "tried", until_judged = "judged";

/// Writes three rows "HeldOut", the bits a byte of the test after a quarter, half and all of the steps (`share`); a row
/// "Trained" with `nats` at the end; and, of words and positions that are added or concatenated, "JoinedTables" before
/// and after, in the coordinates of the first block's input: their overlap ω (chance 1), the participation `ratio` of the
/// positions' coordinates and its mean under rotations (`turned`), the share of d that holds 80 % of the positions'
/// variance (`held`) and the words' share of variance in it (`words`). Throws Error{failed} as `train` does if the loss
/// diverges.
void train_on_text(const Run& run, const Text& text, std::uint64_t seed, Out& out);

}  // namespace perp::learning
