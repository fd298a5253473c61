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
Arms added_and_beside() {
  Arms arms;
  for (const char* positions : {"as_is", "centred", "learned"})
    for (const Arm& arm : {Arm{"add"}, Arm{"concat", "", 2}, Arm{"concat", "", 4}})
      arms.push_back({arm.name, positions, arm.part});
  return arms;
}

/// These tasks, arms and seeds, otherwise like `like`.
Runs block(const Options& options, std::span<const std::string_view> tasks, const Arms& arms,
           std::size_t seeds, bool is_tuned, const Run& like) {
  Runs runs;
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
  return runs;
}

void append(Runs& runs, const Runs& more) { runs.insert(runs.end(), more.begin(), more.end()); }

std::size_t seeds(const Options& options, std::size_t full, std::size_t long_) {
  return pick<std::size_t>(options.preset, 2, full, long_);
}

Run looked_at(const Options& options, double start = 1) {
  return {.steps = pick<std::size_t>(options.preset, 80, 500, 500), .start = start, .until = "end"};
}

}  // namespace

Runs measured_runs(const Options& options) {
  const Run like{.steps = pick<std::size_t>(options.preset, 80, 1000, 1000)};
  return block(options, tasks, added_and_beside(), seeds(options, 8, 32), true, like);
}

Runs looked_at_runs(const Options& options) {
  return block(options, tasks, {{"add", "centred"}, {"add", "learned"}, {"concat", "centred", 2}, {"none"}},
               seeds(options, 8, 32), false, looked_at(options));
}

Runs control_runs(const Options& options) {
  Runs runs;
  for (const std::string_view task : tasks)
    append(runs, block(options, std::array{task}, {{"add", "centred"}, {"add", "learned"}, {"rotary"}},
                       seeds(options, task == "bite" ? 12 : 8, 32), false, looked_at(options)));
  return runs;
}

Runs small_start_runs(const Options& options) {
  return block(options, tasks, {{"add", "centred"}, {"add", "learned"}, {"none"}}, seeds(options, 8, 32),
               false, looked_at(options, small_start));
}

}  // namespace perp::learning
