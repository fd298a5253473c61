#include "studies/learning/a10_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/io/file.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {
namespace {

/// ln(bits per byte of adding over concatenating) that counts as none; bits that a model has to be better than
/// byte frequencies, and that no positions have to lose.
constexpr double most_lost = 0.01, least_learned = 1, least_lost_without = 0.1;
/// A curve has arrived where it is as low as the other's end and a hundredth of it.
constexpr double arrived = 1.01;

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

/// A run by its arm's name, with what it cost a byte of the test after a quarter, half and all of its steps.
struct TextEnd : Trained {
  std::string name;
  double quarter = NAN, half = NAN, end = NAN;
  std::vector<CurvePoint> curve;
};
using TextRuns = Group<TextEnd>;

std::string key(Run run) { return to_text(coordinates_of(run)); }

std::vector<TextRuns> runs_by_arm(const Cells& cells, const std::vector<TextArm>& arms) {
  std::map<std::string, TextEnd> ends;
  for (const Trained& run : rows_of<Trained>(cells))
    if (is_text(run.task)) static_cast<Trained&>(ends[key(run)]) = run;
  for (const HeldOut& held : rows_of<HeldOut>(cells)) {
    TextEnd& run = ends.at(key(held));
    (held.share == 1 ? run.end : held.share == 0.5 ? run.half : run.quarter) = held.bits;
  }
  for (const CurvePoint& point : rows_of<CurvePoint>(cells)) ends.at(key(point)).curve.push_back(point);
  std::vector<TextRuns> all;
  for (const TextArm& arm : arms) {
    TextRuns runs;
    for (Run run = arm.run; run.seed < arm.seeds; ++run.seed)
      if (const auto found = ends.find(key(run)); found != ends.end()) {
        runs.push_back(found->second);
        runs.back().name = arm.name;
      }
    if (!runs.empty()) all.push_back(std::move(runs));
  }
  return all;
}

/// What two arms came to with one seed.
struct TextCompared {
  TextEnd first, second;

  double quarter() const { return std::log(first.quarter / second.quarter); }
  double half() const { return std::log(first.half / second.half); }
  double end() const { return std::log(first.end / second.end); }
  bool never_arrives() const { return first.curve.back().bits > arrived * second.curve.back().bits; }
  /// Logarithm of the tokens over the second's until a curve has arrived at the second's end; of one that does
  /// not, all that it saw.
  double tokens() const { return std::log(until(first) / until(second)); }
  double until(const TextEnd& run) const {
    const double goal = arrived * second.curve.back().bits;
    for (std::size_t i = 0; i < run.curve.size(); ++i) {
      const CurvePoint& here = run.curve[i];
      if (here.bits > goal) continue;
      if (i == 0) return here.tokens;
      const CurvePoint& before = run.curve[i - 1];
      return before.tokens + (here.tokens - before.tokens) * (before.bits - goal) / (before.bits - here.bits);
    }
    return run.curve.back().tokens;
  }
};
struct TextComparison : Group<TextCompared> {
  TextPair pair;
};

const TextRuns* named(const std::vector<TextRuns>& all, std::string_view name) {
  const auto found =
      std::ranges::find_if(all, [&](const TextRuns& runs) { return runs.front().name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<TextComparison> comparisons(const std::vector<TextRuns>& all) {
  std::vector<TextComparison> compared;
  for (const TextPair& pair : text_pairs) {
    const TextRuns *first = named(all, pair.first), *second = named(all, pair.second);
    if (!first || !second) continue;
    // Where the best sum takes all dimensions, the two were compared above, with more seeds.
    if (std::ranges::any_of(compared, [&](const TextComparison& seeds) {
          return key(seeds.front().first) == key(first->front()) &&
                 key(seeds.front().second) == key(second->front());
        }))
      continue;
    TextComparison seeds;
    seeds.pair = pair;
    for (const TextEnd& run : *first)
      for (const TextEnd& other : *second)
        if (run.seed == other.seed) seeds.push_back({run, other});
    if (!seeds.empty()) compared.push_back(std::move(seeds));
  }
  return compared;
}

template <class Item, class Get>
ColumnOf<Item> over_its_seeds(const std::string& name, std::string_view meaning, Get get) {
  return sampled(name, meaning, [get](const Item& seeds) { return over_seeds(seeds.values(get)); })
      .interval(name + "_low", name + "_high", "Student's t over seeds, 99%")
      .n([](const Item& seeds) { return seeds.size(); });
}

bool has_learned(const TextEnd& run, double unigram) { return unigram - run.end >= least_learned; }

void add_tables(const std::vector<TextRuns>& all, double unigram, Summary& summary) {
  const auto name = exact("name", "of the arm", &TextEnd::name);
  summary.table(
      "a10_text.csv", all,
      {name, exact("task", "text: a masked byte; text_causal: the next one", &Run::task),
       exact("arm", "as in a10_choices.csv; framed: added through a random frame", &Run::arm),
       exact("positions", "as in a10_choices.csv", &Run::positions),
       exact("position_width", "dₚ; 0: all d, or none", &Run::position_width),
       exact("width", "d", &Run::width), exact("depth", "blocks", &Run::depth),
       exact("inner", "units of a block's layer beyond 4 d", &Run::inner),
       exact("rate", "Adam's highest", &Run::rate), exact("size", "s of the positions", &Run::size),
       exact("start", "standard deviation of the words' entries before training", &Run::start),
       exact("tokens", "seen", [](const Run& run) { return double(run.steps * text_step_tokens); }),
       rows_in<TextEnd>("seeds", "runs"),
       counted("learned", "runs that are at least a bit better than byte frequencies",
               [unigram](const TextRuns& runs) {
                 return count_if(runs, [unigram](const TextEnd& run) { return has_learned(run, unigram); });
               }),
       over_its_seeds<TextRuns>("bits", "a byte of the test that was asked for", &TextEnd::end).unit("bits"),
       exact("tables", "parameters learned of words and positions", &Trained::embedding_parameters),
       exact("others", "parameters of blocks and head", &Trained::inner_parameters),
       rounded("unigram", "the same of whoever knows how frequent each byte is and nothing else",
               [unigram](const Run&) { return unigram; })
           .unit("bits")});
  std::vector<TextEnd> seeds;
  for (const TextRuns& runs : all) seeds.insert(seeds.end(), runs.begin(), runs.end());
  summary.table(
      "a10_text_seeds.csv", seeds,
      {name, exact("seed", "of words, weights and data", &Run::seed),
       sampled("quarter", "bits per byte of the test after a quarter of the tokens", &TextEnd::quarter),
       sampled("half", "after half", &TextEnd::half), sampled("end", "after all", &TextEnd::end)});
  struct Point : TextEnd {
    double tokens, bits;
  };
  std::vector<Point> points;
  for (const TextRuns& runs : all)
    for (std::size_t i = 0; i < runs.front().curve.size(); ++i)  // of one length: of as many steps
      points.push_back({runs.front(), runs.front().curve[i].tokens,
                        runs.mean([i](const TextEnd& run) { return run.curve[i].bits; })});
  summary.table("a10_text_curves.csv", points,
                {name, exact("tokens", "seen by then", &Point::tokens),
                 sampled("bits",
                         "a byte that was asked for, before it was learned from, mean over a "
                         "thirty-second of the run and over seeds",
                         &Point::bits)
                     .unit("bits")});
}

/// `without`: bits per byte of models without positions.
void add_joined_tables(const Cells& cells, const std::vector<TextRuns>& all, double without,
                       Summary& summary) {
  struct Joined : JoinedTables {
    std::string name;
    double end = NAN;

    double concentration() const { return ratio / turned; }
    double words_left() const { return words / held; }
  };
  std::vector<Joined> rows;
  for (const JoinedTables& at : rows_of<JoinedTables>(cells))
    for (const TextRuns& runs : all)
      for (const TextEnd& run : runs)
        if (key(run) == key(at)) rows.push_back({at, run.name, run.end});
  const auto tables = group_by(rows, &Joined::name, &JoinedTables::moment);
  summary.table(
      "a10_text_tables.csv", tables,
      {exact("name", "of the arm", &Joined::name),
       exact("moment", "before or after training", &Joined::moment),
       seed_columns<Joined>("word_norm", "1", "length of a word, root mean square", &Joined::word_norm),
       seed_columns<Joined>("position_share", "1", "the positions' share of both squared lengths",
                            &Joined::position_share),
       seed_columns<Joined>("overlap", "1", "ω of words and positions; chance 1", &Joined::overlap),
       seed_columns<Joined>("concentration", "1",
                            "participation ratio of the positions' coordinates over that of rotations",
                            &Joined::concentration),
       seed_columns<Joined>(
           "words_left", "1",
           "the words' share of variance in the coordinates that hold 80% of the positions', "
           "over their share of d",
           &Joined::words_left)});
  const auto words_left =
      seed_mean<Joined>("words_left",
                        "Share of the words' variance in the coordinates that hold 80% of "
                        "the positions' after training, over its mean under rotations; "
                        "mean over seeds.",
                        &Joined::words_left)
          .chance(1);
  const auto overlap =
      seed_mean<Joined>("overlap", "Overlap ω of words and positions after training; mean over seeds.",
                        &Joined::overlap)
          .chance(1);
  for (const auto& seeds : tables) {
    const std::string& name = seeds.front().name;
    if (seeds.front().moment != "after" ||
        !std::ranges::all_of(seeds, [&](const Joined& at) { return without - at.end >= least_learned; }))
      continue;
    // A11 asks these of positions that may take any coordinate and have been of use.
    if (name == "whole.learned")
      add_at({{"positions", "learned"}}, seeds, "A10",
             {seed_mean<Joined>("concentration",
                                "Participation ratio of the variances of the added learned positions' "
                                "coordinates after training, over its mean under random rotations; mean over "
                                "seeds.",
                                &Joined::concentration)
                  .chance(1),
              words_left, overlap},
             summary);
    if (name == "sum.centred")
      add_at({{"positions", "centred"}}, seeds, "A10", {words_left, overlap}, summary);
  }
}

/// Of an interval at the judged level, were the standard deviation that of the first seeds: the study's power.
double expected_half_width(const std::vector<double>& lost) {
  Moments moments = moments_of(std::span(lost).first(pilot_seeds));
  moments.count = lost.size();
  return mean_interval(moments, judged_level).high - moments.mean;
}

void add_pairs(const std::vector<TextComparison>& compared, Summary& summary) {
  using Pairs = TextComparison;
  const auto lost = over_its_seeds<Pairs>(
                        "lost", "ln of the bits per byte of the first arm over the second's, paired by seed",
                        &TextCompared::end)
                        .chance(0);
  const auto share = [](const char* name, const char* meaning, double (TextCompared::*get)() const) {
    return sampled(std::string(name), meaning,
                   [get](const Pairs& seeds) { return through(std::expm1, over_seeds(seeds.values(get))); })
        .interval(std::string(name) + "_low", std::string(name) + "_high", "Student's t over seeds, 99%")
        .n([](const Pairs& seeds) { return seeds.size(); })
        .chance(0);
  };
  const auto more =
                 share("more",
                       "bits per byte of the first arm over the second's, less 1: geometric mean over seeds",
                       &TextCompared::end),
             quarter =
                 share("more_at_quarter", "the same after a quarter of the tokens", &TextCompared::quarter),
             half = share("more_at_half", "the same after half of the tokens", &TextCompared::half);
  const auto foreseen =
      sampled("foreseen",
              "half of the width of the judged interval that the first three seeds led one to expect",
              [](const Pairs& seeds) { return expected_half_width(seeds.values(&TextCompared::end)); })
          .n([](const Pairs&) { return pilot_seeds; });
  const auto worse =
      counted("worse", "pairs in which the first arm has more bits per byte", [](const Pairs& seeds) {
        return count_if(seeds, [](const TextCompared& pair) { return pair.end() > 0; });
      });
  const auto of = [](auto get) { return [get](const Pairs& seeds) { return std::string(get(seeds)); }; };
  summary.table(
      "a10_text_pairs.csv", compared,
      {exact("pair", "its name in findings", of([](const auto& seeds) { return seeds.pair.name; })),
       exact("says", "what differs", of([](const auto& seeds) { return seeds.pair.says; })),
       exact("first", "in a10_text.csv", of([](const auto& seeds) { return seeds.pair.first; })),
       exact("second", "likewise", of([](const auto& seeds) { return seeds.pair.second; })),
       exact("seeds", "pairs of runs", [](const Pairs& seeds) { return seeds.size(); }), worse, more, quarter,
       half, lost,
       over_its_seeds<Pairs>("tokens",
                             "ln of the tokens over the second's until both are at the second's end + 1%; of "
                             "one that never is, all that it saw",
                             &TextCompared::tokens),
       counted("not_arrived", "first runs that never are",
               [](const Pairs& seeds) { return count_if(seeds, &TextCompared::never_arrives); })});
  for (const Pairs& seeds : compared) {
    const Coordinates at{{"text", std::string(seeds.pair.name)}};
    add_at(at, seeds, "A10", {more}, summary);
    if (seeds.size() >= limit_seeds && seeds.pair.name != "axes") add_at(at, seeds, "A10", {lost}, summary);
    if (seeds.size() >= judged_seeds) add_at(at, seeds, "A10", {quarter, half, foreseen, worse}, summary);
  }
}

}  // namespace

void add_text(const Cells& cells, const Text& text, Preset preset, const std::vector<TextChoice>& from,
              Summary& summary) {
  if (from.empty() || preset == Preset::quick) return;
  const std::vector<TextRuns> all = runs_by_arm(cells, text_arms(preset, text.words(), from));
  if (all.empty()) return;
  const double unigram = text.unigram_bits();
  add_tables(all, unigram, summary);
  const TextRuns *none = named(all, "none"), *best = nullptr;
  const auto bits = [](const TextRuns& runs) { return runs.mean(&TextEnd::end); };
  add_joined_tables(cells, all, none ? bits(*none) : NAN, summary);
  for (const TextRuns& runs : all) {  // of models of one size, on the same bytes
    const Run &run = runs.front(), &without = none ? none->front() : run;
    if (&runs != none && run.task == masked_text && run.width == without.width &&
        run.steps == without.steps && run.inner == 0 && (!best || bits(runs) < bits(*best)))
      best = &runs;
  }
  if (!none || !best) return;
  const double without = bits(*none) - bits(*best);
  summary.number("text_without", {}, Estimate{without},
                 {.unit = "bits",
                  .n = none->size(),
                  .kind = Kind::sampled,
                  .meaning = "Bits per byte that no positions lose to the best arm of the same size."});
  summary.number("text_learned", {}, Estimate{unigram - bits(*best)},
                 {.unit = "bits",
                  .n = best->size(),
                  .kind = Kind::sampled,
                  .meaning = "Bits per byte that the best arm is better than byte frequencies."});
  if (preset != Preset::long_ || without < least_lost_without) return;
  for (const char* arm : {"sum", "concat"})
    for (const char* positions : {"centred", "learned"})
      if (const TextRuns* runs = named(all, fmt::format("{}.{}", arm, positions))) {
        const Run& run = runs->front();
        summary.number("text_width", {{"arm", arm}, {"positions", positions}},
                       Estimate{double(run.position_width > 0 ? run.position_width : run.width)},
                       {.unit = "dimensions",
                        .kind = Kind::exact,
                        .meaning = "Width of the positions' table that was chosen for this arm."});
      }
  std::vector<TextComparison> compared = comparisons(all);
  const std::size_t left_out = std::erase_if(compared, [unigram](const TextComparison& seeds) {
    const bool is_without = seeds.pair.first == "none";
    return !std::ranges::all_of(seeds, [&](const TextCompared& pair) {
      return has_learned(pair.second, unigram) && (is_without || has_learned(pair.first, unigram));
    });
  });
  if (left_out > 0)
    summary.number("left_out", {}, Estimate{double(left_out)},
                   {.unit = "pairs",
                    .kind = Kind::exact,
                    .meaning = "Pairs of arms that are not compared, because a run did not learn."});
  add_pairs(compared, summary);
}

void add_text_choices(std::string_view file, const std::vector<TextChoice>& choices, Summary& summary) {
  summary.table(
      file, choices,
      {exact("arm", "as in a10_choices.csv", &Run::arm), exact("positions", "their kind", &Run::positions),
       exact("position_width", "dₚ; 0: all d, or none", &Run::position_width),
       exact("rate", "Adam's highest", &Run::rate),
       exact("size", "s: positions start at s times their own size", &Run::size),
       exact("seeds", "runs", &TextChoice::seeds),
       sampled("bits", "a masked byte of the test after 3.5 million tokens, mean over seeds",
               &TextChoice::bits)
           .unit("bits"),
       sampled("chosen", "1: the least of its arm and positions",
               [](const TextChoice& choice) { return int(choice.chosen); })});
}

Rule text_rule(const std::vector<TextChoice>& from) {
  Rule rule;
  const auto add = [&rule](Role role, const char* pair, const Levels& levels, const char* name) {
    rule.push_back(
        condition(role, fmt::format("lost.{}", pair), Is::below, most_lost, Evidence::trained, levels,
                  fmt::format("ln of the bits per byte of text, adding over concatenating, {}", name),
                  "seeds of a text on which both arms learn: preset long"));
  };
  add(Role::core, "centred", {{"positions", "centred sinusoid"}}, "the best of each with a centred sinusoid");
  add(Role::core, "learned", {{"positions", "learned"}}, "the best of each with learned positions");
  add(Role::limit, "as_is", {{"positions", "sinusoid as is"}}, "a full-width sinusoid that is not centred");
  add(Role::limit, "whole_centred", {{"width of the table", "full"}}, "a full-width centred sinusoid");
  if (from.empty() || best_choice(from, "add", "learned").position_width > 0)
    add(Role::limit, "whole_learned", {{"width of the table", "full"}}, "a full-width learned table");
  add(Role::limit, "framed", {{"coordinates", "random frame"}}, "a narrow sinusoid through a random frame");
  add(Role::limit, "projected", {{"joined", "projected"}}, "against concatenated and projected");
  add(Role::limit, "causal", {{"task", "next byte"}}, "of the next byte, centred sinusoid");
  return rule;
}

Experiment choose_on_text(const std::string& around, const SharedText& text) {
  require(text != nullptr, "--choose {}: needs a text (--corpus FILE)", around);
  const std::vector<TextChoice> before =
      around == "text" ? std::vector<TextChoice>{} : read_text_choices(read_file(around), around);
  Experiment claim{"A10", "Sizes, widths and rates on a text.", "[e asks]", {text->input().sha256}};
  claim.measure(text_choice_runs(before), 1.0, [text](const Run& run, const Streams& streams, Rows& rows) {
    train_or_fail(run, text, streams.seed, rows);
  });
  claim.conclude([](const Cells& cells, Summary& summary) {
    add_text_choices("text_choices.csv", text_choices_of(rows_of<Trained>(cells)), summary);
    summary.rule = text_rule({});
  });
  return claim;
}

}  // namespace perp::learning
