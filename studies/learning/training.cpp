#include "studies/learning/training.hpp"

#include <array>
#include <cmath>
#include <set>

#include "perp/model/adam.hpp"
#include "studies/learning/geometry.hpp"

namespace perp::learning {
namespace {

using model::LossAndAccuracy;
using model::Predictor;

constexpr std::size_t curve_steps = 20;

/// The steps after which the tables are looked at: often where much happens.
bool is_looked_at(std::size_t step, std::size_t steps) {
  return step == steps || step == 10 || step == 25 || step % 50 == 0;
}

/// Share right over the last `window` steps.
class Recent {
 public:
  void add(const LossAndAccuracy& result) { entries_[next_++ % window] = {result.right, result.asked}; }
  double share() const {
    double right = 0, asked = 0;
    for (const auto& [r, a] : entries_) {
      right += static_cast<double>(r);
      asked += static_cast<double>(a);
    }
    return next_ < window ? 0 : right / asked;
  }

 private:
  std::array<std::pair<std::size_t, std::size_t>, window> entries_{};
  std::size_t next_ = 0;
};

/// Mean over batches, weighted by the answers asked for.
struct Sums {
  double nats = 0, asked = 0, right = 0;
  void add(const LossAndAccuracy& result) {
    const double n = static_cast<double>(result.asked);
    nats += result.nats * n;
    asked += n;
    right += static_cast<double>(result.right);
  }
  Coordinates values() const { return {{"accuracy", right / asked}, {"nats", nats / asked}}; }
};

Coordinates with(Coordinates first, const Coordinates& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// One step's loss and gradient; a number that is no longer finite, or a loss far beyond guessing, ends the
/// run.
LossAndAccuracy checked_loss(const Predictor<float>& predictor, const model::Batch& batch,
                             Predictor<float>& gradient, const Run& run, std::size_t step, double most) {
  std::string why;
  try {
    const LossAndAccuracy result = model::loss(predictor, batch, gradient);
    if (result.nats <= most) return result;
    why = fmt::format("the loss is {:.3g} nats, guessing costs {:.3g}", result.nats, most / 4);
  } catch (const Error& error) {
    if (error.exit() != Exit::failed) throw;
    why = error.what();
  }
  fail("diverged at step {}: {}; a learning rate of {} is too large here (--rate)", step, why, run.rate);
}

Coordinates tested(const Predictor<float>& predictor, const Task& task, const Streams& shared) {
  Sums sums;
  const std::size_t sequences = step_tokens / task.length;
  for (std::size_t i = 0; i < test_sequences / sequences; ++i) {
    const model::Batch batch = task.draw_test(sequences, shared("test", i));
    Matrix<float> logits = model::answer(predictor, batch);
    sums.add(model::cross_entropy(logits, batch.labels));
  }
  return sums.values();
}

}  // namespace

Records train(const Run& run, const SharedText& text, std::uint64_t seed) {
  const Task task = run.task == "text" ? text->task() : task_of(run.task);
  // Named by task and seed alone: whatever differs between arms, it is not the data.
  const Streams shared{seed, std::string(work_name), fmt::format("task={} seed={}", run.task, run.seed)};
  Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
  const std::vector<std::span<float>> values = parts(predictor), derivatives = parts(gradient);
  model::Adam<float> adam;
  Records records;
  const auto look = [&](std::size_t step) {
    records.push_back({"geometry", with({{"step", whole(step)}}, geometry(predictor.embedding))});
  };
  look(0);
  for (Record& head : position_scores(predictor)) records.push_back({"head_start", std::move(head.values)});
  Recent recent;
  Sums sums;
  std::size_t learned_at = run.steps + 1;
  const double most = 4 * std::log(static_cast<double>(task.classes));
  for (std::size_t step = 0; step < run.steps; ++step) {
    const LossAndAccuracy result = checked_loss(
        predictor, task.draw(step_tokens / task.length, shared("data", step)), gradient, run, step, most);
    sums.add(result);
    recent.add(result);
    if (learned_at > run.steps && recent.share() >= learned_share) learned_at = step + 1;
    adam.step(values, derivatives,
              model::learning_rate(step, run.steps, std::min(warm_up, run.steps / 10), run.rate));
    if ((step + 1) % curve_steps == 0) {
      records.push_back({"curve", with({{"step", whole(step + 1)}}, sums.values())});
      sums = {};
    }
    if (is_looked_at(step + 1, run.steps)) look(step + 1);
  }
  records.push_back({"run", with({{"inner_parameters", whole(predictor.inner_parameters())},
                                  {"embedding_parameters", whole(predictor.embedding.parameters())},
                                  {"learned_at", whole(learned_at)}},
                                 tested(predictor, task, shared))});
  for (Record& head : position_scores(predictor)) records.push_back(std::move(head));
  for (Record& probe : probes(predictor, task, shared)) records.push_back(std::move(probe));
  return records;
}

std::vector<Cell> cells_of(const std::vector<Run>& runs) {
  std::vector<Cell> cells;
  std::set<std::string> names;
  for (const Run& run : runs) {
    const double d = static_cast<double>(run.width),
                 classes = run.task == "text" ? 4000 : 32;  // orders the work, nothing else
    Cell cell{coordinates(run), 1e-9 * static_cast<double>(run.steps) *
                                    (d * d * 12 * static_cast<double>(run.depth) + classes * d + 2e4)};
    if (names.insert(to_text(cell.at)).second) cells.push_back(std::move(cell));
  }
  return cells;
}

std::function<Records(const Cell&, const Streams&)> trainer(const SharedText& text) {
  return
      [text](const Cell& cell, const Streams& streams) { return train(run_of(cell.at), text, streams.seed); };
}

}  // namespace perp::learning
