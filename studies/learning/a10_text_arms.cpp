// The arms of A10 on a text: what is compared, and what is changed one at a time.

#include <algorithm>
#include <cmath>

#include "perp/io/message.hpp"
#include "perp/study/measuring.hpp"
#include "studies/learning/a10_text.hpp"

namespace perp::learning {
namespace {

Run run_like(const TextChoice& choice) {
  Run run = choice;
  run.steps = text_steps;
  run.until = "end";
  return run;
}

/// The same shares of another width.
Run of_width(Run run, std::size_t width, std::size_t depth, std::size_t steps) {
  run.position_width = run.position_width * width / run.width;
  run.width = width;
  run.depth = depth;
  run.steps = steps;
  return run;
}

/// Units a block that hold about the parameters that a concatenation's tables lack beside a sum's.
std::size_t units_for_tables(const Run& concat, const Run& sum, std::size_t words) {
  const std::size_t whole = sum.position_width > 0 ? sum.position_width : sum.width;
  double lacks = double(words * concat.position_width);
  if (sum.positions == "learned")
    lacks += double(text_length) * (double(whole) - double(concat.position_width));
  return std::size_t(std::max(0.0, lacks / double(concat.depth * (2 * concat.width + 1))));
}

template <class Change>
Run changed(Run run, Change change) {
  change(run);
  return run;
}

std::vector<TextArm> small_arms(const std::vector<TextChoice>& from) {
  std::vector<TextArm> arms;
  const auto add = [&](const char* name, const TextChoice& choice) {
    arms.push_back({name, of_width(run_like(choice), text_width / 2, text_depth, text_choice_steps), 1});
  };
  add("sum.centred", best_choice(from, "add", "centred"));
  add("concat.centred", best_choice(from, "concat", "centred"));
  add("none", best_choice(from, "none", "none"));
  return arms;
}

}  // namespace

std::vector<TextArm> text_arms(Preset preset, std::size_t words, const std::vector<TextChoice>& from) {
  if (preset == Preset::quick || from.empty()) return {};
  if (preset == Preset::full) return small_arms(from);
  const auto best = [&](const char* arm, const char* positions, Widths widths = Widths::all) {
    return run_like(best_choice(from, arm, positions, widths));
  };
  const Run sum = best("add", "centred"), concat = best("concat", "centred"),
            learned_sum = best("add", "learned"), learned_concat = best("concat", "learned"),
            narrow = best("add", "centred", Widths::narrow);
  std::vector<TextArm> arms{
      {"sum.centred", sum, judged_seeds},
      {"concat.centred", concat, judged_seeds},
      {"sum.learned", learned_sum, judged_seeds},
      {"concat.learned", learned_concat, judged_seeds},
      {"whole.centred", best("add", "centred", Widths::whole), limit_seeds},
      {"whole.as_is", best("add", "as_is"), limit_seeds},
      {"whole.learned", best("add", "learned", Widths::whole), limit_seeds},
      {"narrow.centred", narrow, limit_seeds},
      {"framed.centred", best("framed", "centred"), limit_seeds},
      {"project.learned", best("project", "learned"), limit_seeds},
      {"power.centred", changed(narrow,
                                [](Run& run) {
                                  run.size *= std::sqrt(double(run.position_width) / double(run.width));
                                  run.position_width = 0;
                                })},
      {"wider.centred", changed(concat, [&](Run& run) { run.inner = units_for_tables(concat, sum, words); })},
      {"wider.learned",
       changed(learned_concat,
               [&](Run& run) { run.inner = units_for_tables(learned_concat, learned_sum, words); })},
      {"rotary", best("rotary", "none")},
      {"none", best("none", "none")}};
  const auto both = [&](const char* sum_name, const char* concat_name, const Run& first, const Run& second,
                        std::size_t seeds, auto change) {
    arms.push_back({sum_name, changed(first, change), seeds});
    arms.push_back({concat_name, changed(second, change), seeds});
  };
  both("causal.sum", "causal.concat", sum, concat, limit_seeds, [](Run& run) { run.task = causal_text; });
  both("start.sum", "start.concat", sum, concat, 4, [](Run& run) { run.start *= 4; });
  // The best of a quarter of the tokens trains at a rate that may be too high for all of them.
  both("slower.sum", "slower.concat", sum, concat, 4, [](Run& run) { run.rate /= 2; });
  both("longer.sum", "longer.concat", sum, concat, 4, [](Run& run) { run.steps *= 2; });
  both("d32.sum", "d32.concat", sum, concat, 4,
       [](Run& run) { run = of_width(run, 32, text_depth, text_steps); });
  const auto wide = [](Run& run) { run = of_width(run, 128, 3, 1465); };  // 6 million tokens
  both("d128.sum.centred", "d128.concat.centred", sum, concat, 4, wide);
  both("d128.sum.learned", "d128.concat.learned", learned_sum, learned_concat, 4, wide);
  return arms;
}

Runs text_runs(const Options& options, const SharedText& text, const std::vector<TextChoice>& from) {
  const std::vector<std::string> only = names_in(options.text("arms").value_or(""));
  require(text || only.empty(), "--arms: preset {} trains on no text here; expected full or long, and a text",
          to_text(options.preset));
  Runs runs;
  if (!text) return runs;
  const std::vector<TextArm> arms = text_arms(options.preset, text->words(), from);
  for (const std::string& name : only)
    require(std::ranges::find(arms, name, &TextArm::name) != arms.end(),
            "--arms {}: no arm of the text in preset {}; expected names of a10_text.csv", in_quotes(name),
            to_text(options.preset));
  for (const TextArm& arm : arms)
    if (only.empty() || std::ranges::find(only, arm.name) != only.end())
      for (Run run = arm.run; run.seed < arm.seeds; ++run.seed) runs.push_back(run);
  return runs;
}

}  // namespace perp::learning
