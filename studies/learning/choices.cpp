#include "studies/learning/choices.hpp"

#include <algorithm>
#include <array>

#include "perp/io/sha256.hpp"

namespace perp::learning {

extern const std::string_view choices_text;  // choices.csv, by the build

namespace {

/// Seeds that no measured run has. With a single one the choice is a gamble: at rates that learn fast some
/// runs never learn.
constexpr std::array<std::size_t, 4> choice_seeds{1001, 1002, 1003, 1004};
constexpr std::size_t choice_steps = 500;
constexpr std::array rates{0.01, 0.02, 0.04, 0.08};
constexpr std::array sizes{0.25, 0.5, 1.0, 2.0, 4.0};
constexpr const char* file = "studies/learning/choices.csv";

constexpr const char* chosen_fields = "arm positions position_width rate size";

auto arm_of(const Run& run) { return std::tuple(run.arm, run.positions, run.position_width); }

/// Of every arm the setting with the least mean.
void choose(std::vector<Choice>& choices) {
  for (Choice& choice : choices) {
    const Choice* best = nullptr;
    for (const Choice& other : choices)
      if (arm_of(other) == arm_of(choice) && (!best || other.mean < best->mean)) best = &other;
    choice.chosen = best == &choice;
  }
}

}  // namespace

Runs choice_runs() {
  Runs runs;
  for (const std::size_t p : {0, 16, 8})
    for (const char* positions : {"as_is", "centred", "learned"})
      for (const double rate : rates)
        for (const double size : sizes)
          for (const std::string_view task : tasks)
            for (const std::size_t seed : choice_seeds)
              runs.push_back({.task = std::string(task),
                              .arm = p > 0 ? "concat" : "add",
                              .positions = positions,
                              .position_width = p,
                              .steps = choice_steps,
                              .rate = rate,
                              .size = size,
                              .seed = seed});
  return runs;
}

std::vector<Choice> choices_of(const Frame& ends) {
  std::vector<Choice> choices;
  for (const Frame& runs : ends.by(chosen_fields)) {
    const auto steps = [&](const char* task) {
      return estimated(runs.where("task", task).numbers(steps_used)).value;
    };
    Choice choice{
        run_from(runs.front(), chosen_fields), steps("copy2"), steps("named"), steps("bite"), 0, false};
    choice.mean = (choice.copy2 + choice.named + choice.bite) / 3;
    choices.push_back(choice);
  }
  choose(choices);
  return choices;
}

std::vector<Choice> read_choices(std::string_view text) {
  std::vector<Choice> choices;
  for (const Row& row : frame_from_csv(file, text)) {
    const auto number = [&row](const char* column) { return row.number(column); };
    const Choice choice{
        run_from(row, chosen_fields), number("copy2"), number("named"), number("bite"), number("mean"),
        number("chosen") == 1};
    require(choice.rate > 0 && choice.size > 0, "{}: row {}: rate {} and size {}; expected both above 0",
            file, choices.size() + 1, choice.rate, choice.size);
    choices.push_back(choice);
  }
  return choices;
}

const std::vector<Choice>& choices() {
  static const std::vector<Choice> read = read_choices(choices_text);
  return read;
}

Input choices_input() { return {"choices.csv", sha256_hex(choices_text)}; }

Run tuned(Run run, const std::vector<Choice>& from) {
  if (run.positions == "none") return run;
  const auto found = std::ranges::find_if(
      from, [&](const Choice& choice) { return choice.chosen && arm_of(choice) == arm_of(run); });
  require(found != from.end(),
          "{}: nothing chosen for {} with positions {} of {} dimensions; run make choices", file, run.arm,
          run.positions, run.position_width);
  run.rate = found->rate;
  run.size = found->size;
  return run;
}

}  // namespace perp::learning
