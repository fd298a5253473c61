#include "studies/learning/text_choices.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <set>

#include "perp/io/sha256.hpp"

namespace perp::learning {

extern const std::string_view text_choices_text;  // text_choices.csv, by the build

namespace {

/// Seeds that no measured run has.
constexpr std::array<std::size_t, 3> choice_seeds{1001, 1002, 1003};
constexpr double first_rate = 0.003;
/// Of the best's bits: what is tried with the other seeds, too.
constexpr double close_to_best = 1.01;
constexpr const char* file = "studies/learning/text_choices.csv";
constexpr const char* chosen_fields = "arm positions position_width rate size";

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
    for (std::size_t i = 0; i < std::min(seeds, choice_seeds.size()); ++i) {
      run.seed = choice_seeds[i];
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
    add(choice, is_best || choice.bits <= close_to_best * best.bits ? choice_seeds.size() : choice.seeds);
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
  static const std::vector<TextChoice> read = read_text_choices(text_choices_text, file);
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
  require(best, "{}: nothing tried for {} with positions {}; run make choices", file, arm, positions);
  return *best;
}

}  // namespace perp::learning
