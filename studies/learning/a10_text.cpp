#include "studies/learning/a10_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "perp/io/message.hpp"
#include "perp/study/measuring.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {

// ---- The arms of A10 on a text: what is compared, and what is changed one at a time.

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
  const std::vector<std::string> only = names_typed(options, "arms");
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

namespace {

/// Two arms by their names.
struct TextPair {
  std::string_view name, says, first, second;
};
constexpr std::array text_pairs{
    TextPair{"centred", "sinusoid, centred", "sum.centred", "concat.centred"},
    TextPair{"learned", "learned positions", "sum.learned", "concat.learned"},
    TextPair{"as_is", "full-width sinusoid, not centred", "whole.as_is", "concat.centred"},
    TextPair{"whole_centred", "full-width sinusoid, centred", "whole.centred", "concat.centred"},
    TextPair{"whole_learned", "full-width learned positions", "whole.learned", "concat.learned"},
    TextPair{"same_power", "full-width sinusoid of the narrow one's power", "power.centred",
             "concat.centred"},
    TextPair{"framed", "narrow sinusoid through a random frame", "framed.centred", "concat.centred"},
    TextPair{"projected", "against concatenated and projected", "sum.learned", "project.learned"},
    TextPair{"parameters_centred", "equal parameters, sinusoid", "sum.centred", "wider.centred"},
    TextPair{"parameters_learned", "equal parameters, learned", "sum.learned", "wider.learned"},
    TextPair{"start", "words that start four times as large", "start.sum", "start.concat"},
    TextPair{"slower", "half the rate", "slower.sum", "slower.concat"},
    TextPair{"causal", "the next byte", "causal.sum", "causal.concat"},
    TextPair{"longer", "twice the tokens", "longer.sum", "longer.concat"},
    TextPair{"d32", "d = 32, sinusoid", "d32.sum", "d32.concat"},
    TextPair{"d128_centred", "d = 128, sinusoid", "d128.sum.centred", "d128.concat.centred"},
    TextPair{"d128_learned", "d = 128, learned positions", "d128.sum.learned", "d128.concat.learned"},
    TextPair{"rotary", "RoPE against concatenated", "rotary", "concat.centred"},
    TextPair{"none", "no positions against concatenated", "none", "concat.centred"},
    TextPair{"axes", "through the frame against along the axes", "framed.centred", "narrow.centred"}};

/// Runs arm by arm and seed by seed, with the arm's name and what they cost a byte of the test after a quarter and all of
/// their steps.
Frame runs_of(const Frames& measured, const std::vector<TextArm>& arms) {
  Frame all("run");
  if (!measured.has("HeldOut")) return all;
  std::map<std::string, Row> ends;
  for (const Row& run : measured["Trained"]) ends.emplace(name_of(run), run);
  for (const Row& held : measured["HeldOut"])
    if (const double share = held.number("share"); share != 0.5)
      ends.at(name_of(held)).fields.emplace_back(share == 1 ? "end" : "quarter", held.number("bits"));
  for (const TextArm& arm : arms)
    for (Run run = arm.run; run.seed < arm.seeds; ++run.seed)
      if (const auto found = ends.find(name_of(run)); found != ends.end())
        all.emplace_back(found->second).fields.emplace_back("name", arm.name);
  return all;
}

void add_arms(const Frame& all, Out& out) {
  for (const Frame& runs :
       all.by("name task arm positions position_width width depth inner rate size start steps"))
    out("text", runs,
        {{"tokens", double(runs.front().whole("steps") * text_step_tokens)},
         {"seeds", runs.size()},
         {"bits", over_seeds(runs, "end")}});
  for (const Row& run : all)
    out("text_seeds", {{"name", run.text("name")}, {"seed", run.whole("seed")}, {"end", run.number("end")}});
}

/// `without`: bits per byte of models without positions.
void add_joined_tables(const Frame& tables, const Frame& all, double without, Out& out) {
  Frame rows("tables");
  for (const Row& at : tables)
    for (const Row& run : all) {
      if (name_of(run) != name_of(at)) continue;
      Row& row = rows.emplace_back(at);
      row.fields.emplace_back("name", run.text("name"));
      row.fields.emplace_back("end", run.number("end"));
      row.fields.emplace_back("concentration", at.number("ratio") / at.number("turned"));
      row.fields.emplace_back("words_left", at.number("words") / at.number("held"));
    }
  for (const Frame& seeds : rows.by("name moment")) {
    out("text_tables", seeds, {{"overlap", over_seeds(seeds, "overlap")}});
    // A11 asks these of positions that may take any coordinate and have been of use.
    const std::string name = seeds.front().text("name");
    if (seeds.front().text("moment") == "after" && (name == "whole.learned" || name == "sum.centred") &&
        without - seeds.most("end") >= least_learned)
      out("text_joined", {{"positions", seeds.front().text("positions")},
                          {"concentration", over_seeds(seeds, "concentration")},
                          {"words_left", over_seeds(seeds, "words_left")},
                          {"overlap", over_seeds(seeds, "overlap")},
                          {"seeds", seeds.size()}});
  }
}

/// Pairs of runs that share a seed: bits per byte of both at the end, and ln of the first's over the second's after a quarter
/// and at the end.
Frame paired(const Frame& first, const Frame& second) {
  Frame pairs("pair");
  for (const Row& run : first)
    for (const Row& other : second) {
      if (run.whole("seed") != other.whole("seed")) continue;
      const auto ratio = [&](const char* field) { return std::log(run.number(field) / other.number(field)); };
      pairs.push_back({"pair",
                       {},
                       {{"first", run.number("end")},
                        {"second", other.number("end")},
                        {"quarter", ratio("quarter")},
                        {"end", ratio("end")}}});
    }
  return pairs;
}

void add_pairs(const Frame& all, double unigram, Out& out) {
  std::set<std::pair<std::string, std::string>> compared;
  for (const TextPair& pair : text_pairs) {
    const Frame first = all.where("name", std::string(pair.first)),
                second = all.where("name", std::string(pair.second));
    if (first.empty() || second.empty()) continue;
    // Where the best sum takes all dimensions, the two were compared above, with more seeds.
    if (!compared.emplace(name_of(first.front()), name_of(second.front())).second) continue;
    const Frame pairs = paired(first, second);
    const auto has_learned = [&](const char* side) { return unigram - pairs.most(side) >= least_learned; };
    if (!has_learned("second") || (pair.first != "none" && !has_learned("first"))) continue;
    const Estimate lost = over_seeds(pairs, "end");
    Frame place("pair");
    place.key = {{"text", std::string(pair.name)}};
    out("text_pairs", place,
        {{"pair", std::string(pair.name)},
         {"says", std::string(pair.says)},
         {"first", std::string(pair.first)},
         {"second", std::string(pair.second)},
         {"seeds", pairs.size()},
         {"worse", pairs.where([](const Row& row) { return row.number("end") > 0; }).size()},
         {"more", through(std::expm1, lost)},
         {"more_at_quarter", through(std::expm1, over_seeds(pairs, "quarter"))},
         {"lost", lost}});
  }
}

}  // namespace

void add_text(const Frames& measured, const Text& text, Preset preset, const std::vector<TextChoice>& from,
              Out& out) {
  const Frame all = runs_of(measured, text_arms(preset, text.words(), from)),
              none = all.where("name", "none");
  if (all.empty()) return;
  add_arms(all, out);
  const auto bits = [](const Frame& runs) { return runs.moments("end").mean; };
  if (measured.has("JoinedTables"))
    add_joined_tables(measured["JoinedTables"], all, none.empty() ? NAN : bits(none), out);
  if (preset != Preset::long_ || none.empty()) return;
  double best = std::numeric_limits<double>::infinity();
  const Row& without = none.front();
  for (const Frame& runs : all.by("name")) {  // of models of one size, on the same bytes
    const Row& run = runs.front();
    if (run.text("name") != "none" && run.text("task") == masked_text &&
        run.whole("width") == without.whole("width") && run.whole("steps") == without.whole("steps") &&
        run.whole("inner") == 0)
      best = std::min(best, bits(runs));
  }
  if (!(bits(none) - best >= least_lost_without)) return;
  for (const char* arm : {"sum", "concat"})
    for (const Row& run : all.where("name", arm + std::string(".centred")).where("seed", std::int64_t{0}))
      out("text_width", {{"arm", arm},
                         {"positions", "centred"},
                         {"width", run.whole(run.whole("position_width") > 0 ? "position_width" : "width")}});
  add_pairs(all, text.unigram_bits(), out);
}

void add_text_choices(const std::vector<TextChoice>& choices, Out& out) {
  for (const TextChoice& choice : choices)
    out("text_choices", place_of(choice),
        {{"seeds", choice.seeds}, {"bits", choice.bits}, {"chosen", int(choice.chosen)}});
}

}  // namespace perp::learning
