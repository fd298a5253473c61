// Which runs the study makes.

#include "perp/base/error.hpp"
#include "studies/learning/choices.hpp"

namespace perp::learning {
namespace {

std::optional<double> given_rate(const Options& options) {
  const std::optional<std::string> text = options.text("rate");
  if (!text) return {};
  const std::vector<double> given = parse_list(*text);
  require(given.size() == 1 && given.front() > 0, "--rate {}: expected one number above 0", *text);
  return given.front();
}

/// How positions reach the model; part: of the width, for positions beside the word.
struct Arm {
  const char *name, *positions = "none";
  std::size_t part = 0;
};
using Arms = std::vector<Arm>;
const Arms added_and_beside{{"add", "as_is"},         {"concat", "as_is", 2}, {"add", "centred"},
                            {"concat", "centred", 2}, {"add", "learned"},     {"concat", "learned", 2}};

/// A block of the grid: these tasks, arms and seeds, otherwise like `like`.
struct Block {
  const Options& options;
  Runs runs = {};

  void add(std::span<const std::string_view> tasks, const Arms& arms, std::size_t seeds, bool is_tuned,
           Run like) {
    for (const std::string_view task : tasks)
      for (const Arm& arm : arms) {
        Run run = like;
        run.task = task;
        run.arm = arm.name;
        run.positions = arm.positions;
        run.position_width = arm.part ? run.width / arm.part : 0;
        if (is_tuned) run = tuned(run);
        run.rate = given_rate(options).value_or(run.rate);
        for (run.seed = 0; run.seed < seeds; ++run.seed) runs.push_back(run);
      }
  }
};

std::size_t seeds(const Options& options, std::size_t full, std::size_t long_) {
  return pick<std::size_t>(options.preset, 2, full, long_);
}

/// Parameters that tables of so many rows lack where they have half of the width, as units of the ReLU layer
/// (2 d + 1 each).
std::size_t units_for_rows(std::size_t rows, std::size_t width) {
  return (rows * width / 2 + width) / (2 * width + 1);
}

void add_long_runs(Block& block) {
  const Arms judged(added_and_beside.begin() + 2, added_and_beside.end());
  const auto all_steps = [](std::size_t width) { return Run{.width = width, .steps = 2000, .until = "end"}; };
  block.add(tasks, added_and_beside, 64, true, all_steps(32));
  block.add(tasks, {{"add", "fitted"}, {"concat", "fitted", 2}}, 64, true, all_steps(32));
  block.add(tasks, judged, 32, true, all_steps(64));
  Run deep = all_steps(32);
  deep.depth = 2;
  block.add(tasks, judged, 32, true, deep);
  for (const std::string_view task : tasks)
    for (const std::string_view positions : {"centred", "learned"}) {
      Run wider = all_steps(32);
      const std::size_t learned_rows = task_of(task).words + (positions == "learned" ? task_length : 0);
      wider.inner = units_for_rows(learned_rows, wider.width);
      block.add(std::array{task}, {{"concat", positions.data(), 2}}, 64, true, wider);
    }
}

}  // namespace

Runs measured_runs(const Options& options) {
  Block block{options};
  if (options.preset == Preset::long_) {
    add_long_runs(block);
    return block.runs;
  }
  const std::size_t cap = pick<std::size_t>(options.preset, 80, 1000, 1000);
  for (const std::size_t width : {16, 32})
    block.add(tasks, added_and_beside, seeds(options, 16, 0), true, {.width = width, .steps = cap});
  block.add(tasks, {{"concat", "centred", 4}, {"project", "centred", 2}}, seeds(options, 8, 0), true,
            {.steps = cap});
  block.add(tasks, {{"rotary"}, {"alibi"}, {"t5"}, {"none"}}, seeds(options, 4, 0), true, {.steps = cap});
  return block.runs;
}

Runs looked_at_runs(const Options& options) {
  Block block{options};
  block.add(tasks, {{"add", "centred"}, {"add", "learned"}, {"concat", "centred", 2}, {"none"}},
            seeds(options, 8, 32), false,
            {.steps = pick<std::size_t>(options.preset, 80, 500, 500), .until = "end"});
  return block.runs;
}

Runs control_runs(const Options& options) {
  Block block{options};
  for (const std::string_view task : tasks)
    block.add(std::array{task}, {{"add", "centred"}, {"add", "learned"}, {"rotary"}},
              seeds(options, task == "bite" ? 12 : 8, 32), false,
              {.steps = pick<std::size_t>(options.preset, 80, 500, 500), .until = "end"});
  return block.runs;
}

Runs small_start_runs(const Options& options) {
  Block block{options};
  block.add(tasks, {{"add", "centred"}, {"add", "learned"}, {"none"}}, seeds(options, 8, 32), false,
            {.steps = pick<std::size_t>(options.preset, 80, 500, 500), .start = small_start, .until = "end"});
  return block.runs;
}

Runs text_runs(const Options& options, const SharedText& text) {
  Block block{options};
  if (text)
    block.add(std::array<std::string_view, 1>{"text"},
              {{"add", "centred"},
               {"concat", "centred", 2},
               {"add", "learned"},
               {"concat", "learned", 2},
               {"none"}},
              8, true, {.width = 64, .steps = 2000, .until = "end"});
  return block.runs;
}

}  // namespace perp::learning
