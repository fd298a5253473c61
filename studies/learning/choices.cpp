#include "studies/learning/choices.hpp"

#include <algorithm>
#include <array>

#include "perp/io/csv.hpp"
#include "perp/io/sha256.hpp"

namespace perp::learning {

extern const std::string_view choices_text;  // choices.csv, by the build

namespace {

/// Seeds that no measured run has. With a single one the choice is a gamble: at rates that learn fast some
/// runs never learn.
constexpr std::array<std::size_t, 4> choice_seeds{1001, 1002, 1003, 1004};
constexpr std::size_t choice_steps = 500;
constexpr std::array<double, 2> rates{0.01, 0.03};
constexpr std::array<double, 3> sizes{1, 2, 4};
constexpr const char* file = "studies/learning/choices.csv";

auto setting_of(const Run& run) { return std::tuple(run.arm, run.positions, run.width, run.rate, run.size); }

/// Of every arm and width the setting with the least mean.
void choose(std::vector<Choice>& choices) {
  for (Choice& choice : choices) {
    const auto rivals = where(choices, [&](const Choice& other) {
      return other.arm == choice.arm && other.positions == choice.positions && other.width == choice.width;
    });
    const Choice& best = *std::ranges::min_element(rivals, {}, &Choice::mean);
    choice.chosen = setting_of(best) == setting_of(choice);
  }
}

}  // namespace

Runs choice_runs() {
  Runs runs;
  for (const char* arm : {"add", "concat"})
    for (const char* positions : {"as_is", "centred", "learned"})
      for (const std::size_t width : {16, 32})
        for (const double rate : rates)
          for (const double size : sizes)
            for (const std::string_view task : tasks)
              for (const std::size_t seed : choice_seeds)
                runs.push_back({.task = std::string(task),
                                .arm = arm,
                                .positions = positions,
                                .position_width = arm == std::string_view("concat") ? width / 2 : 0,
                                .width = width,
                                .steps = choice_steps,
                                .rate = rate,
                                .size = size,
                                .seed = seed});
  return runs;
}

std::vector<Choice> choices_of(const std::vector<Trained>& ends) {
  std::vector<Choice> choices;
  for (const Group<Trained>& runs : group_by(ends, setting_of)) {
    const auto steps = [&](std::string_view task) {
      return only(runs, &Run::task, task).mean(&Trained::steps_used);
    };
    Choice choice{runs.front(), steps("copy2"), steps("named"), steps("bite"), 0, false};
    choice.mean = (choice.copy2 + choice.named + choice.bite) / 3;
    choices.push_back(choice);
  }
  choose(choices);
  return choices;
}

std::vector<Choice> read_choices(std::string_view text) {
  const Csv csv = parse_csv(text, file);
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    const auto number = [&](const char* name) { return csv.number(i, csv.column(name)); };
    const auto words = [&](const char* name) { return csv.rows[i][csv.column(name)]; };
    Choice choice{{.arm = words("arm"),
                   .positions = words("positions"),
                   .width = std::size_t(number("width")),
                   .rate = number("rate"),
                   .size = number("size")},
                  number("copy2"),
                  number("named"),
                  number("bite"),
                  number("mean"),
                  number("chosen") == 1};
    require(choice.rate > 0 && choice.size > 0, "{}: row {}: rate {} and size {}; expected both above 0",
            file, i + 1, choice.rate, choice.size);
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
  const std::string arm = run.arm == "add" ? "add" : "concat",
                    positions = run.positions == "fitted" ? "as_is" : run.positions;
  const std::size_t width = std::min<std::size_t>(run.width, 32);
  const auto found = std::ranges::find_if(from, [&](const Choice& choice) {
    return choice.chosen && choice.arm == arm && choice.positions == positions && choice.width == width;
  });
  require(found != from.end(), "{}: nothing chosen for {} with positions {} of width {}; run make choices",
          file, arm, positions, width);
  run.rate = found->rate;
  run.size = found->size;
  return run;
}

}  // namespace perp::learning
