#include "studies/learning/choices.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <set>

#include "perp/base/error.hpp"
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
void mark_best(std::vector<Choice>& choices) {
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
  mark_best(choices);
  return choices;
}

std::vector<Choice> read_choices(std::string_view text) {
  std::vector<Choice> choices;
  for (const Row& row : frame_from_csv(file, text)) {
    const auto number = [&row](const char* column) { return row.number(column); };
    choices.push_back({run_from(row, chosen_fields), number("copy2"), number("named"), number("bite"),
                       number("mean"), number("chosen") == 1});
  }
  return choices;
}

const std::vector<Choice>& choices() {
  static const std::vector<Choice> read = read_choices(choices_text);
  return read;
}

Input choices_input() { return {"choices.csv", sha256_hex(choices_text)}; }

// ---- The same of the arms on a text.

extern const std::string_view text_choices_text;  // text_choices.csv, by the build

namespace {

/// Seeds that no measured run has.
constexpr std::array<std::size_t, 3> text_choice_seeds{1001, 1002, 1003};
constexpr double first_rate = 0.003;
/// Of the best's bits: what is tried with the other seeds, too.
constexpr double close_to_best = 1.01;
constexpr const char* text_file = "studies/learning/text_choices.csv";

auto setting_of(const Run& run) {
  return std::tuple(run.arm, run.positions, run.position_width, run.rate, run.size);
}

/// One setting, with the first rate and size 1.
Run setting(const char* arm, const char* positions, std::size_t position_width) {
  return {.task = std::string(masked_text),
          .arm = arm,
          .positions = positions,
          .position_width = position_width,
          .width = text_width,
          .depth = text_depth,
          .steps = text_choice_steps,
          .rate = first_rate,
          .start = text_start,
          .until = "choice"};
}

/// What the first round tries.
Runs first_settings() {
  Runs runs{setting("rotary", "none", 0), setting("none", "none", 0)};
  const auto add = [&](const char* arm, const char* positions, std::initializer_list<std::size_t> widths) {
    for (const std::size_t p : widths)
      for (const double size : {0.0625, 0.25, 1.0, 4.0}) {
        Run run = setting(arm, positions, p);
        run.size = size;
        runs.push_back(run);
      }
  };
  for (const char* positions : {"centred", "learned"}) {
    add("add", positions, {8, 16, 32, 0});
    add("concat", positions, {8, 16, 32});
  }
  add("add", "as_is", {0});
  add("framed", "centred", {8, 16, 32});
  add("project", "learned", {8, 16, 32});
  return runs;
}

/// Half and twice the size, the rate and the width of positions.
Runs neighbours_of(const Run& run) {
  Runs runs;
  for (const double factor : {0.5, 2.0}) {
    Run size = run, rate = run, width = run;
    size.size *= factor;
    rate.rate *= factor;
    width.position_width = std::size_t(double(run.position_width) * factor);
    runs.push_back(rate);
    if (run.positions != "none") runs.push_back(size);
    if (2 <= width.position_width && width.position_width < run.width) runs.push_back(width);
  }
  return runs;
}

}  // namespace

Runs text_choice_runs(const std::vector<TextChoice>& around) {
  Runs runs;
  std::set<std::tuple<decltype(setting_of({})), std::size_t>> seen;
  const auto add = [&](Run run, std::size_t seeds) {
    for (std::size_t i = 0; i < std::min(seeds, text_choice_seeds.size()); ++i) {
      run.seed = text_choice_seeds[i];
      if (seen.emplace(setting_of(run), run.seed).second) runs.push_back(run);
    }
  };
  for (const Run& run : first_settings()) add(run, 1);
  for (const TextChoice& choice : around) {
    // Of all widths, and of a full-width and of a narrow sum for themselves.
    const Widths own = choice.position_width == 0 ? Widths::whole : Widths::narrow;
    const TextChoice &best = best_choice(around, choice.arm, choice.positions),
                     &best_of_own = best_choice(around, choice.arm, choice.positions, own);
    const bool is_best = &best == &choice || &best_of_own == &choice;
    add(choice,
        is_best || choice.bits <= close_to_best * best.bits ? text_choice_seeds.size() : choice.seeds);
    if (is_best)
      for (const Run& run : neighbours_of(choice)) add(run, 1);
  }
  return runs;
}

std::vector<TextChoice> text_choices_of(const Frame& ends) {
  std::vector<TextChoice> choices;
  for (const Frame& runs : ends.by(chosen_fields))
    choices.push_back({run_from(runs.front(), chosen_fields, setting("", "", 0)), runs.size(),
                       runs.moments("nats").mean * std::numbers::log2e});
  for (TextChoice& choice : choices)
    choice.chosen = &best_choice(choices, choice.arm, choice.positions) == &choice;
  return choices;
}

std::vector<TextChoice> read_text_choices(std::string_view text, std::string_view name) {
  std::vector<TextChoice> choices;
  for (const Row& row : frame_from_csv(name, text)) {
    const TextChoice choice{run_from(row, chosen_fields, setting("", "", 0)), row.whole("seeds"),
                            row.number("bits"), row.number("chosen") == 1};
    require(choice.rate > 0 && choice.size > 0 && choice.seeds > 0 && choice.bits > 0,
            "{}: row {}: rate {}, size {}, {} seeds and {} bits; expected all above 0", name,
            choices.size() + 1, choice.rate, choice.size, choice.seeds, choice.bits);
    choices.push_back(choice);
  }
  return choices;
}

const std::vector<TextChoice>& text_choices() {
  static const std::vector<TextChoice> read = read_text_choices(text_choices_text, text_file);
  return read;
}

Input text_choices_input() { return {"text_choices.csv", sha256_hex(text_choices_text)}; }

const TextChoice& best_choice(const std::vector<TextChoice>& from, std::string_view arm,
                              std::string_view positions, Widths widths) {
  const TextChoice* best = nullptr;
  for (const TextChoice& choice : from)
    if (choice.arm == arm && choice.positions == positions &&
        (widths == Widths::all || (choice.position_width == 0) == (widths == Widths::whole)) &&
        (!best || std::pair(best->seeds, choice.bits) < std::pair(choice.seeds, best->bits)))
      best = &choice;
  require(best, "{}: nothing tried for {} with positions {}; run make choices", text_file, arm, positions);
  return *best;
}

// ---- Which runs the study makes.

namespace {

std::optional<double> given_rate(const Options& options) {
  const std::optional<double> given = options.number("rate");
  require(!given || *given > 0, "--rate {}: expected one number above 0", *options.text("rate"));
  return given;
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

/// The run with its arm's rate and size.
Run tuned(Run run) {
  const auto found = std::ranges::find_if(
      choices(), [&](const Choice& choice) { return choice.chosen && arm_of(choice) == arm_of(run); });
  if (found == choices().end()) fail("{}: nothing chosen for {}; run make choices", file, name_of(run));
  run.rate = found->rate;
  run.size = found->size;
  return run;
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
