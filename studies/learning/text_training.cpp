#include "studies/learning/text_training.hpp"

#include <cmath>
#include <numbers>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/model/training.hpp"
#include "studies/learning/geometry.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t rotations = 200;
/// Share of the positions' variance that "their" coordinates hold, as for released models (A11).
constexpr double theirs = 0.8;

double bits_of(const Sums& sums) { return sums.nats / sums.asked * std::numbers::log2e; }

/// The task with the parts of the text that a run learns from and is tested on.
Task task_of(const Run& run, const Text& text) {
  using enum Text::Part;
  if (run.until == until_tried || run.until == until_judged)
    return text.task(run.task, run.until == until_tried ? chosen_on : judged_on, learned_by_pairs);
  return text.task(run.task, run.until == "choice" ? chosen_on : tested);
}

void add_joined_tables(const model::Embedding<float>& embedding, const char* moment, const Streams& shared,
                       Out& out) {
  const std::size_t d = embedding.width();
  const Matrix<double> of_words = covariance(placed(embedding.words, 0, d)),
                       of_positions =
                           covariance(placed(embedding.positions, d - cols(embedding.positions), d));
  const std::vector<double> own = variance_shares(of_positions), beside = variance_shares(of_words);
  double turned_ratio = 0, words = 0;
  for (const Concentration& turned :
       turned_concentrations(covariance_spectrum(of_positions, d), rotations, shared("turned"), 1))
    turned_ratio += turned.participation_ratio / rotations;
  const std::vector<std::size_t> held = columns_holding(own, theirs);
  for (const std::size_t j : held) words += beside[j];
  out("JoinedTables", {{"moment", moment},
                       {"overlap", overlap(of_words, of_positions)},
                       {"ratio", concentration(own).participation_ratio},
                       {"turned", turned_ratio},
                       {"held", double(held.size()) / double(d)},
                       {"words", words}});
}

}  // namespace

void train_on_text(const Run& run, const Text& text, std::uint64_t seed, Out& out) {
  require(run.steps >= 4, "learning: {} steps on a text; expected 4 or more", run.steps);
  const Task task = task_of(run, text);
  const Streams shared = streams_of(run, seed);
  model::Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
  const std::vector<std::span<float>> values = parts(predictor), derivatives = parts(gradient);
  model::Adam<float> adam;
  const bool has_both = run.arm == "add" || run.arm == "framed" || run.arm == "concat";
  if (has_both) add_joined_tables(predictor.embedding, "before", shared, out);
  const std::size_t together = text_step_tokens / task.length;
  double end = NAN;
  for (std::size_t step = 0; step < run.steps; ++step) {
    const model::Batch batch = task.draw(together, shared("data", step));
    checked_loss(predictor, batch, gradient, run, step, task.classes);
    adam.step(values, derivatives, model::cosine_rate(step, text_warm_up, run.steps, run.rate));
    for (const std::size_t parts_of_steps : {4, 2, 1})
      if (step + 1 == run.steps / parts_of_steps) {
        end = bits_of(tested(predictor, task, text_test_sequences, together, shared));
        out("HeldOut", {{"share", 1.0 / double(parts_of_steps)}, {"bits", end}});
      }
  }
  if (has_both) add_joined_tables(predictor.embedding, "after", shared, out);
  add_end(predictor, run.steps + 1, NAN, end / std::numbers::log2e, out);
}

}  // namespace perp::learning
