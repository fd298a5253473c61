// A10: compressed words and compressed positions, concatenated and trained, against adding. In words: a10.toml.

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/file.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/learning/a10_text.hpp"
#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {
namespace {

/// An arm of a pair; part: of the width, for positions beside the word.
struct Side {
  std::string_view arm, positions;
  std::size_t part = 0;

  bool has(const Row& run) const {
    return run.text("arm") == arm && run.text("positions") == positions &&
           run.whole("position_width") == (part ? run.whole("width") / part : 0);
  }
};
struct Pair {
  const char *name, *says;
  Side first, second;
};
constexpr std::array<Pair, 6> pairs{
    {{"centred_half", "sinusoid, centred", {"add", "centred"}, {"concat", "centred", 2}},
     {"learned_half", "learned positions", {"add", "learned"}, {"concat", "learned", 2}},
     {"as_is_half", "sinusoid as it is", {"add", "as_is"}, {"concat", "as_is", 2}},
     {"centred_quarter", "centred, d/4 beside", {"add", "centred"}, {"concat", "centred", 4}},
     {"learned_quarter", "learned positions, dₚ = d/4", {"add", "learned"}, {"concat", "learned", 4}},
     {"as_is_quarter", "sinusoid, uncentred, dₚ = d/4", {"add", "as_is"}, {"concat", "as_is", 4}}}};

/// What two arms came to on one task, seed by seed: ln of the first's steps over the second's, of a run that did not learn
/// all that it made; and 1, 0 or -1: whether the first alone learned, or the second alone.
Frame compared(const Pair& pair, const Frame& runs) {
  Frame seeds(pair.name);
  for (const Row& first : runs.where([&](const Row& run) { return pair.first.has(run); }))
    for (const Row& second : runs.where([&](const Row& run) { return pair.second.has(run); })) {
      if (first.whole("seed") != second.whole("seed")) continue;
      seeds.push_back({pair.name,
                       {},
                       {{"log_steps", std::log(steps_used(first) / steps_used(second))},
                        {"gain", double(has_learned(first)) - double(has_learned(second))},
                        {"learned", has_learned(first) || has_learned(second)}}});
    }
  return seeds;
}

Estimate over(const std::vector<Frame>& tasks, const char* field) {
  std::vector<Moments> strata;
  for (const Frame& seeds : tasks) strata.push_back(seeds.moments(field));
  return over_strata(strata).value_or(Estimate{NAN});
}

std::size_t runs_in(const std::vector<Frame>& tasks) {
  std::size_t sum = 0;
  for (const Frame& seeds : tasks) sum += seeds.size();
  return sum;
}

/// A pair of arms in one task or in all.
void add_pair(const Pair& pair, const std::string& task, const std::vector<Frame>& tasks, Out& out) {
  // Where no run learns, every ratio is that of the cap to itself and says nothing.
  std::vector<Frame> with_learners = tasks;
  std::erase_if(with_learners, [](const Frame& seeds) { return seeds.sum("learned") == 0; });
  const Estimate log_steps = over(with_learners, "log_steps");
  Frame place("pair");
  place.key = {
      {"all", "tuned"}, {"compared", runs_in(with_learners)}, {"is_known", !std::isnan(log_steps.value)}};
  out("pairs", place,
      {{"pair", pair.name},
       {"says", pair.says},
       {"task", task},
       {"ratio", through(std::exp, log_steps)},
       {"log_steps", log_steps},
       {"learned_gain", over(tasks, "gain")},
       {"left_out", tasks.size() - with_learners.size()},
       {"runs", runs_in(tasks)}});
}

void add_pairs(const Frame& ends, Out& out) {
  std::map<const Pair*, std::vector<Frame>> measured;
  for (const Pair& pair : pairs)
    for (const Frame& task : ends.by("task")) {
      const Frame seeds = compared(pair, task);
      if (seeds.empty()) continue;
      add_pair(pair, task.front().text("task"), {seeds}, out);
      measured[&pair].push_back(seeds);
    }
  for (const auto& [pair, tasks] : measured) add_pair(*pair, "all", tasks, out);
}

/// Share of the sinusoid's power that lies in its mean over the positions of a task: its slow columns hardly move in a
/// short text, and what does not move tells no position.
void add_constant_share(Out& out) {
  const std::size_t d = Run{}.width;
  double constant = 0;
  for (const double mean : column_means(sinusoidal<double>(task_length, d))) constant += mean * mean;
  const double power = double(d) / 2;  // of every row: sines and cosines in pairs
  out("sinusoid", {{"width", d}, {"l", task_length}, {"constant", constant / power}});
}

void add_choices(const std::vector<Choice>& choices, Out& out) {
  for (const Choice& choice : choices)
    out("choices", place_of(choice),
        {{"copy2", choice.copy2},
         {"named", choice.named},
         {"bite", choice.bite},
         {"mean", choice.mean},
         {"chosen", int(choice.chosen)}});
}

}  // namespace

Experiment who_learns(const Options& options, const SharedText& text, const std::vector<TextChoice>& from) {
  Experiment claim =
      claim_on_runs("A10", toml_of("a10"), {measured_runs(options), text_runs(options, text, from)}, text);
  claim.fold([text, preset = options.preset, from](const Frames& measured, Out& out) {
    add_pairs(in_order(measured, "Trained").where([](const Row& run) { return !is_text(run.text("task")); }),
              out);
    add_choices(choices(), out);
    add_constant_share(out);
    if (!text) return;
    add_text(measured, *text, preset, from, out);
    if (preset == Preset::long_) add_judged_pairs(text_runs(), *text, out);
    add_text_choices(from, out);
  });
  // Which tables there are depends on the preset, and on whether there is a text.
  claim.also([](Outcome& outcome) {
    std::erase_if(outcome.tables, [](const Table& table) { return table.rows.empty(); });
  });
  return claim;
}

Experiment file_of_runs(const Runs& runs, const SharedText& text, const std::string& table,
                        std::function<void(const Frames&, Out&)> follows) {
  Experiment claim("A10", toml_of("a10"),
                   text ? std::vector{text->input().sha256} : std::vector<std::string>{});
  for (const Run& run : runs)
    claim.cell(coordinates_of(run), 1,
               [=](const Streams& streams, Out& out) { train_or_fail(run, text, streams.seed, out); });
  claim.fold(std::move(follows));
  claim.also([table](Outcome& outcome) {
    std::erase_if(outcome.tables, [&](const Table& one) { return one.file != "a10_" + table + ".csv"; });
    outcome.tables.front().file = table + ".csv";
  });
  return claim;
}

Experiment choose() {
  return file_of_runs(choice_runs(), {}, "choices", [](const Frames& measured, Out& out) {
    add_choices(choices_of(measured["Trained"]), out);
  });
}

Experiment choose_on_text(const std::string& around, const SharedText& text) {
  require(text != nullptr, "--choose {}: needs a text (--corpus FILE)", around);
  const std::vector<TextChoice> before =
      around == "text" ? std::vector<TextChoice>{} : read_text_choices(read_file(around), around);
  return file_of_runs(text_choice_runs(before), text, "text_choices", [](const Frames& measured, Out& out) {
    for (const char* kind : {"HeldOut", "JoinedTables"}) measured.pass_over(kind);
    add_text_choices(text_choices_of(measured["Trained"]), out);
  });
}

}  // namespace perp::learning
