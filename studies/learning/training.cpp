#include "studies/learning/training.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
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

namespace {

using model::LossAndAccuracy;
using model::Predictor;

/// The name that the claims share their cells under.
constexpr std::string_view work_name = "learning";
/// Tokens a step, steps over which the learning rate rises (and then stays), sequences of the test.
constexpr std::size_t step_tokens = 512, warm_up = 50, test_sequences = 256;
/// A task counts as learned at the first step at which this share of the answers was right in each of the two
/// last windows of steps. Every batch is new, and is answered before it is learned from.
constexpr double learned_share = 0.9;
constexpr std::size_t window = 10;

/// The steps after which the tables are looked at: often where much happens.
bool is_looked_at(std::size_t step, std::size_t steps) {
  return step == steps || step == 10 || step == 25 || step % 50 == 0;
}

/// Whether enough was right in each of the two last windows.
bool is_learned(std::span<const LossAndAccuracy> results) {
  if (results.size() < 2 * window) return false;
  const auto enough = [](std::span<const LossAndAccuracy> batches) {
    Sums sums;
    for (const LossAndAccuracy& batch : batches) sums.add(batch);
    return sums.right >= learned_share * sums.asked;
  };
  return enough(results.last(window)) && enough(results.last(2 * window).first(window));
}

/// Byte values of a text, about.
constexpr double byte_kinds = 100;
/// Losses of guessing that a run is given up at.
constexpr double diverged = 4;

/// By multiplications, in A12's unit, for what is left is told by both; orders the work, nothing else.
double cost(const Run& run) {
  const double d = run.width, classes = is_text(run.task) ? byte_kinds : 32,
               tokens = is_text(run.task) ? text_step_tokens : step_tokens;
  return 8.5e-11 * run.steps * tokens * (d * d * 12 * run.depth + classes * d);
}

Runs each_once(const std::vector<Runs>& lists) {
  Runs all;
  std::set<std::string> names;
  for (const Runs& runs : lists)
    for (const Run& run : runs)
      if (names.insert(name_of(run)).second) all.push_back(run);
  return all;
}

}  // namespace

double steps_used(const Row& trained) {
  return std::min(trained.number("learned_at"), trained.number("steps"));
}
bool has_learned(const Row& trained) { return trained.whole("learned_at") <= trained.whole("steps"); }

void Sums::add(const LossAndAccuracy& result) {
  nats += result.nats * result.asked;
  asked += result.asked;
  right += result.right;
}

Sums tested(const Predictor<float>& predictor, const Task& task, std::size_t sequences, std::size_t together,
            const Streams& shared) {
  Sums sums;
  for (std::size_t i = 0; i < sequences / together; ++i) {
    const model::Batch batch = task.draw_test(together, shared("test", i));
    Matrix<float> logits = model::answer(predictor, batch);
    sums.add(model::cross_entropy(logits, batch.labels));
  }
  return sums;
}

Streams streams_of(const Run& run, std::uint64_t seed) {
  return {seed, std::string(work_name), fmt::format("task={} seed={}", run.task, run.seed)};
}

LossAndAccuracy checked_loss(const Predictor<float>& predictor, const model::Batch& batch,
                             Predictor<float>& gradient, const Run& run, std::size_t step,
                             std::size_t classes) {
  expect_no_interrupt();
  const double guessing = std::log(double(classes));
  std::string why;
  try {
    const LossAndAccuracy result = model::loss(predictor, batch, gradient);
    if (result.nats <= diverged * guessing) return result;
    why = fmt::format("the loss is {:.3g} nats, guessing costs {:.3g}", result.nats, guessing);
  } catch (const Error& error) {
    if (error.exit() != Exit::failed) throw;
    why = error.what();
  }
  fail("diverged at step {}: {}; a learning rate of {} is too large here (--rate)", step, why, run.rate);
}

void add_end(const Predictor<float>& predictor, std::size_t learned_at, double accuracy, double nats,
             Out& out) {
  out("Trained", {{"inner_parameters", predictor.inner_parameters()},
                  {"embedding_parameters", predictor.embedding.parameters()},
                  {"learned_at", learned_at},
                  {"accuracy", accuracy},
                  {"nats", nats}});
}

void train(const Run& run, const SharedText& text, std::uint64_t seed, Out& out) {
  if (is_text(run.task)) return train_on_text(run, *text, seed, out);
  const Task task = task_of(run.task);
  const bool to_the_end = run.until == "end";
  const Streams shared = streams_of(run, seed);
  Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
  const std::vector<std::span<float>> values = parts(predictor), derivatives = parts(gradient);
  model::Adam<float> adam;
  const auto add_geometry = [&](std::size_t step) {
    const Geometry at = geometry(predictor.embedding, task.length, shared);
    out("Geometry", {{"step", step},
                     {"word_norm", at.word_norm},
                     {"ratio", at.ratio},
                     {"rank", at.rank},
                     {"inside", at.inside},
                     {"overlap", at.overlap},
                     {"leading", at.leading},
                     {"overlap_centred", at.overlap_centred},
                     {"overlap_learned", at.overlap_learned}});
  };
  const auto add_moment = [&](const char* moment) {
    const std::vector<FourTerms> heads = position_scores(predictor);
    for (std::size_t head = 0; head < heads.size(); ++head)
      out("HeadScores", {{"moment", moment},
                         {"head", head},
                         {"word_word", heads[head].word_word},
                         {"word_position", heads[head].word_position},
                         {"position_word", heads[head].position_word},
                         {"position_position", heads[head].position_position}});
    const Probe read = probe(predictor, task, shared);
    out("Probe", {{"moment", moment}, {"word", read.word}, {"position", read.position}});
  };
  if (to_the_end) {
    add_geometry(0);
    add_moment("before");
  }
  std::vector<LossAndAccuracy> results;
  std::size_t learned_at = run.steps + 1;
  for (std::size_t step = 0; step < run.steps && (to_the_end || learned_at > run.steps); ++step) {
    results.push_back(checked_loss(predictor, task.draw(step_tokens / task.length, shared("data", step)),
                                   gradient, run, step, task.classes));
    if (learned_at > run.steps && is_learned(results)) learned_at = step + 1;
    adam.step(values, derivatives, model::warmed_up_rate(step, warm_up, run.rate));
    if (to_the_end && is_looked_at(step + 1, run.steps)) add_geometry(step + 1);
  }
  double accuracy = NAN, nats = NAN;
  if (to_the_end) {
    const Sums test = tested(predictor, task, test_sequences, step_tokens / task.length, shared);
    accuracy = test.right / test.asked;
    nats = test.nats / test.asked;
    add_moment("after");
  }
  add_end(predictor, learned_at, accuracy, nats, out);
}

void train_or_fail(const Run& run, const SharedText& text, std::uint64_t seed, Out& out) {
  try {
    train(run, text, seed, out);
  } catch (const Error& error) {
    if (error.exit() != Exit::failed || interrupt_requested()) throw;
    const Task task = is_text(run.task) ? text->task(run.task) : task_of(run.task);
    add_end({}, run.steps + 1, NAN, diverged * std::log(double(task.classes)), out);
  }
}

Experiment claim_on_runs(std::string_view claim, std::string_view toml, const std::vector<Runs>& lists,
                         const SharedText& text) {
  Experiment made(claim, toml, text ? std::vector{text->input().sha256} : std::vector<std::string>{});
  made.work = work_name;
  for (const Run& run : each_once(lists))
    made.cell(coordinates_of(run), cost(run),
              [=](const Streams& streams, Out& out) { train(run, text, streams.seed, out); });
  return made;
}

}  // namespace perp::learning
