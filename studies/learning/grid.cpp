// Which runs the study makes.

#include "perp/base/error.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

double rate_of(const Options& options) {
  const std::vector<double> given = parse_list(options.text("rate").value_or("0.01"));
  require(given.size() == 1 && given.front() > 0, "--rate {}: expected one number above 0",
          options.text("rate").value_or(""));
  return given.front();
}

std::size_t steps(const Options& options) { return pick<std::size_t>(options.preset, 80, 500, 1000); }

std::size_t seeds(const Options& options) { return pick<std::size_t>(options.preset, 2, 8, 8); }

/// Adds each task with each arm and seed, otherwise like `run`.
void add_runs(const Options& options, const std::vector<std::string_view>& tasks,
              const std::vector<Arm>& arms, std::size_t seeds, Run run, Runs& runs) {
  run.rate = rate_of(options);
  const std::size_t own = run.position_width;
  for (const std::string_view task : tasks)
    for (const Arm& arm : arms) {
      run.task = task;
      run.arm = arm.name;
      run.position_width = arm.part ? run.width / arm.part : own;
      for (run.seed = 0; run.seed < seeds; ++run.seed) runs.push_back(run);
    }
}

}  // namespace

Runs main_runs(const Options& options) {
  Runs runs;
  const std::vector<std::string_view> judged(tasks.begin(), tasks.end());
  const std::vector<Arm> usual(arms.begin(), arms.end());
  std::vector<std::string_view> asked = judged;
  std::vector<Arm> compared = usual;
  if (options.preset == Preset::long_) {
    asked.insert(asked.end(), {"copy1", "copy4", "copy8"});
    compared.push_back({"project", 2});
  }
  for (const std::size_t width :
       pick<std::vector<std::size_t>>(options.preset, {16, 32}, {16, 32}, {16, 32, 64, 128}))
    add_runs(options, asked, compared, seeds(options), {.width = width, .steps = steps(options)}, runs);
  if (options.preset == Preset::long_)
    for (const std::size_t depth : {2, 4})
      add_runs(options, judged, usual, seeds(options), {.depth = depth, .steps = steps(options)}, runs);
  return runs;
}

Runs split_runs(const Options& options) {
  Runs runs;
  const std::size_t step = options.preset == Preset::quick ? 8 : 2;
  for (std::size_t d_p = step; d_p < Run{}.width; d_p += step)
    add_runs(options, {"copy2"}, {{"concat"}}, seeds(options),
             {.position_width = d_p, .steps = steps(options)}, runs);
  return runs;
}

Runs text_runs(const Options& options, const SharedText& text) {
  Runs runs;
  if (!text) return runs;
  add_runs(options, {"text"}, {{"add_fixed"}, {"add_learned"}, {"concat", 4}, {"rotary"}, {"none"}},
           pick<std::size_t>(options.preset, 2, 4, 8),
           {.width = pick<std::size_t>(options.preset, 32, 64, 128),
            .steps = options.preset == Preset::quick ? 40 : steps(options)},
           runs);
  return runs;
}

Runs small_start_runs(const Options& options) {
  Runs runs;
  add_runs(options, {"copy2", "bite"}, {{"add_fixed"}, {"none"}}, seeds(options),
           {.steps = steps(options), .start = 0.2}, runs);
  return runs;
}

}  // namespace perp::learning
