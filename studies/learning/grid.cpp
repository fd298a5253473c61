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

Run a_run(const Options& options, std::string_view task, const Arm& arm, std::size_t width,
          std::size_t seed) {
  return {.task = std::string(task),
          .arm = std::string(arm.name),
          .position_width = arm.part ? width / arm.part : 0,
          .width = width,
          .steps = steps(options),
          .rate = rate_of(options),
          .seed = seed};
}

}  // namespace

std::vector<std::size_t> widths(const Options& options) {
  return pick<std::vector<std::size_t>>(options.preset, {16, 32}, {16, 32}, {16, 32, 64, 128});
}

std::size_t seeds(const Options& options) { return pick<std::size_t>(options.preset, 2, 8, 8); }

std::vector<Run> main_runs(const Options& options) {
  std::vector<Run> runs;
  std::vector<std::string_view> asked(tasks.begin(), tasks.end());
  std::vector<Arm> compared(arms.begin(), arms.end());
  if (options.preset == Preset::long_) {
    asked.insert(asked.end(), {"copy1", "copy4", "copy8"});
    compared.push_back({"project", 2});
  }
  for (const std::size_t width : widths(options))
    for (const std::string_view task : asked)
      for (const Arm& arm : compared)
        for (std::size_t seed = 0; seed < seeds(options); ++seed)
          runs.push_back(a_run(options, task, arm, width, seed));
  if (options.preset == Preset::long_)
    for (const std::size_t depth : {2U, 4U})
      for (const std::string_view task : tasks)
        for (const Arm& arm : arms)
          for (std::size_t seed = 0; seed < seeds(options); ++seed) {
            runs.push_back(a_run(options, task, arm, 32, seed));
            runs.back().depth = depth;
          }
  return runs;
}

std::vector<Run> split_runs(const Options& options) {
  std::vector<Run> runs;
  constexpr std::size_t width = 32;
  const std::size_t step = options.preset == Preset::quick ? 8 : 2;
  for (std::size_t d_p = step; d_p < width; d_p += step)
    for (std::size_t seed = 0; seed < seeds(options); ++seed) {
      runs.push_back(a_run(options, "copy2", {"concat"}, width, seed));
      runs.back().position_width = d_p;
    }
  return runs;
}

std::vector<Run> text_runs(const Options& options, const SharedText& text) {
  std::vector<Run> runs;
  if (!text) return runs;
  for (const Arm& arm : {Arm{"add_fixed"}, Arm{"add_learned"}, Arm{"concat", 4}, Arm{"rotary"}, Arm{"none"}})
    for (std::size_t seed = 0; seed < pick<std::size_t>(options.preset, 2, 4, 8); ++seed) {
      const std::size_t width = pick<std::size_t>(options.preset, 32, 64, 128);
      runs.push_back(a_run(options, "text", arm, width, seed));
      if (options.preset == Preset::quick) runs.back().steps = 40;
    }
  return runs;
}

std::vector<Run> small_start_runs(const Options& options) {
  std::vector<Run> runs;
  for (const std::string_view task : {"copy2", "bite"})
    for (const Arm& arm : {Arm{"add_fixed"}, Arm{"none"}})
      for (std::size_t seed = 0; seed < seeds(options); ++seed) {
        runs.push_back(a_run(options, task, arm, 32, seed));
        runs.back().start = 0.2;
      }
  return runs;
}

}  // namespace perp::learning
