// A10: compressed words and compressed positions, concatenated and trained, against adding.

#include "studies/learning/a10_measure.hpp"
#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

/// Steps more than concatenating, share of the runs fewer, and of the answers or the perplexity, that count
/// as none.
constexpr double most_steps = 1.1, fewest_learned = -0.05, margin = 0.02;

Estimate exponential(const Estimate& nats) {
  Estimate result{std::exp(nats.value), {}, {}, nats.level};
  if (nats.low) result.low = std::exp(*nats.low);
  if (nats.high) result.high = std::exp(*nats.high);
  return result;
}

// ---- one arm

/// With Wilson's interval.
Estimate learned_share(const Arms& runs) {
  const std::uint64_t learned = count_if(runs, &Trained::learned);
  return estimated(double(learned) / runs.size(), share_spread(learned, runs.size()));
}
Estimate steps_of(const Arms& runs) {
  return over_seeds(runs.values(&Trained::steps_used), 1, runs.front().steps);
}
Estimate accuracy_of(const Arms& runs) { return over_seeds(runs, &Trained::accuracy); }

template <class Get>
auto with_interval(const std::string& name, std::string_view unit, std::string_view meaning, Get get) {
  return sampled(name, meaning, get)
      .unit(unit)
      .interval(name + "_low", name + "_high", "end of its 99% interval");
}

constexpr const char* steps_meaning =
    "steps until 90% of the answers were right in each of two windows of ten batches, mean over seeds; a run "
    "that did not get there counts as all of its steps";

const auto task = exact(
    "task", "copy2: the word two before; named: the word at a named place; bite: who bit whom", &Run::task);
const auto arm = exact("arm",
                       "add: word + position; concat: word and position of d - dₚ and dₚ dimensions; "
                       "project: concatenated, then mapped to d; rotary; alibi; t5; none",
                       &Run::arm);
const auto positions = exact(
    "positions", "as_is, fitted, centred: sinusoids; learned: a table; none: no vectors", &Run::positions);
const auto position_width = exact("position_width", "dₚ; 0: none of their own", &Run::position_width);
const auto width = exact("width", "d: dimensions of a token", &Run::width);
const auto depth = exact("depth", "blocks", &Run::depth);
const auto inner = exact("inner", "units of the ReLU layer beyond 4 d", &Run::inner);
const auto rate = exact("rate", "Adam's, after warming up", &Run::rate);
const auto size = exact("size", "s: positions start at s times their own size", &Run::size);
const auto seed = exact("seed", "of words, weights and data; other data in another task", &Run::seed);
const auto runs_made = rows_in<Trained>("runs", "each from weights and data of its own");
const auto learned =
    with_interval("learned", "1", "share of the runs that got there (interval: Wilson)", learned_share);
const auto steps = with_interval("steps", "steps", steps_meaning, steps_of);

void add_arm_tables(const std::vector<Arms>& all, Summary& summary) {
  summary.table("a10_arms.csv", all,
                {task, arm, positions, position_width, width, depth, inner, rate, size, runs_made, learned,
                 steps, exact("cap", "steps made at most", &Run::steps).unit("steps"),
                 with_interval("accuracy", "1", "share right on sequences not learned from, after all steps",
                               accuracy_of)});
  summary.table("a10_parameters.csv", all,
                {task, arm, positions, position_width, width, depth, inner,
                 exact("blocks_and_head", "parameters of all but the embedding", &Trained::inner_parameters),
                 exact("embedding", "parameters learned of words and positions: tables, a projection, biases",
                       &Trained::embedding_parameters),
                 exact("total", "both",
                       [](const Trained& run) { return run.inner_parameters + run.embedding_parameters; })});
  std::vector<Trained> runs;
  for (const Arms& arm : all) runs.insert(runs.end(), arm.begin(), arm.end());
  summary.table(
      "a10_seeds.csv", runs,
      {task, arm, positions, position_width, width, depth, inner, rate, size, seed,
       sampled("steps", "steps to 90%; all that were made where it was not reached", &Trained::steps_used)
           .unit("steps"),
       sampled("learned", "1: reached", [](const Trained& run) { return int(run.learned()); }),
       sampled("accuracy", "after all steps, of runs that make them", &Trained::accuracy)});
}

/// Share of an arm's runs that have learned by a step, where it rises.
struct Risen : Run {
  double step, share;
};
void add_rises(const std::vector<Arms>& all, Summary& summary) {
  std::vector<Risen> rises;
  for (const Arms& runs : all) {
    Arms sooner = runs;  // a row for each run, so that another seed has as many
    std::ranges::sort(sooner, {}, &Trained::learned_at);
    double learned = 0;
    rises.push_back({runs.front(), 0, 0});
    for (const Trained& run : sooner)
      rises.push_back({runs.front(), run.steps_used(), (learned += run.learned()) / runs.size()});
    rises.push_back({runs.front(), double(runs.front().steps), learned / runs.size()});
  }
  summary.table("a10_rises.csv", rises,
                {task, arm, positions, position_width, width, depth, inner,
                 sampled("step", "steps made", &Risen::step).unit("steps"),
                 sampled("share", "share of the runs that have learned by then", &Risen::share)});
}

// ---- pairs of arms

/// A pair of arms in one or several tasks, widths and depths: strata, of which each seed is a replicate.
struct Difference {
  std::string pair, task;
  std::size_t width, depth;
  std::vector<Comparison> strata;

  std::uint64_t count() const {
    return total(strata, [](const Comparison& seeds) { return seeds.size(); });
  }
  /// Where no run learns, every ratio is that of the cap to itself and says nothing.
  std::vector<Comparison> with_learners() const {
    return where(strata,
                 [](const Comparison& seeds) { return count_if(seeds, &Compared::some_learned) > 0; });
  }
  std::uint64_t count_with_learners() const {
    return total(with_learners(), [](const Comparison& seeds) { return seeds.size(); });
  }
};

template <class Get>
Estimate over(const std::vector<Comparison>& strata, const Get& get) {
  std::vector<Moments> moments;
  for (const Comparison& seeds : strata) moments.push_back(seeds.moments(get));
  return over_strata(moments).value_or(Estimate{NAN});
}
Estimate log_steps_of(const Difference& d) { return over(d.with_learners(), &Compared::log_steps); }
Estimate ratio_of(const Difference& d) { return exponential(log_steps_of(d)); }
Estimate learned_of(const Difference& d) { return over(d.strata, &Compared::learned); }
Estimate ratio_by_half_of(const Difference& d) {
  return exponential(over(d.with_learners(), &Compared::log_steps_by_half));
}
/// Where all runs of a stratum learn it shows no spread. Half a pair added to each of the four outcomes
/// (Agresti & Min 2005, Stat. Med. 24:729) is, to mean and variance, two pairs of ± √½ more.
Estimate learned_adjusted_of(const Difference& d) {
  std::vector<Moments> moments;
  for (const Comparison& seeds : d.strata) {
    std::vector<double> values = seeds.values(&Compared::learned);
    values.insert(values.end(), {std::sqrt(0.5), -std::sqrt(0.5)});
    moments.push_back(moments_of(values));
  }
  Estimate estimate = over_strata(moments).value_or(Estimate{NAN});
  estimate.spread.reset();  // no rule judges it
  return estimate;
}
Estimate saved_of(const Difference& d) { return over(d.with_learners(), &Compared::saved); }
double log_rank_of(const Difference& d) { return log_rank(d.strata); }

/// The value below which a condition "below `bound`" would hold in four of five repetitions: its interval's
/// half-width at the level of the judge, and the normal law's fifth, away from the bound.
double found_below(const Estimate& estimate, double bound) {
  if (!estimate.spread) return NAN;
  const Interval judged = interval_at(estimate.value, *estimate.spread, judged_level);
  return bound - (judged.high - judged.low) / 2 - 0.8416 * estimate.spread->mean->error;
}

const auto log_steps =
    with_interval("log_steps", "1",
                  "logarithm of the steps to 90% of adding over the other arm's, a run that does not learn "
                  "counting as all of its steps; paired by seed within a task and width, variances added "
                  "over these, without those where no run learns",
                  log_steps_of)
        .n(&Difference::count_with_learners)
        .chance(0);
const auto ratio =
    with_interval("ratio", "1", "steps to 90% of adding over the other arm's: e to the mean logarithm",
                  ratio_of)
        .n(&Difference::count_with_learners)
        .chance(1);
const auto learned_gain =
    with_interval("learned_gain", "1", "share of the runs that learn, adding less the other arm, likewise",
                  learned_of)
        .n(&Difference::count)
        .chance(0);
const auto saved =
    with_interval("saved", "steps", "steps to 90% that the first needs fewer, likewise", saved_of)
        .n(&Difference::count_with_learners)
        .chance(0);

void add_pairs(const std::vector<Difference>& each, const std::vector<Difference>& by_width,
               const std::vector<Difference>& pooled, Summary& summary) {
  std::vector<Difference> rows = each;
  for (const auto& together : {by_width, pooled}) rows.insert(rows.end(), together.begin(), together.end());
  summary.table("a10_pairs.csv", rows,
                {exact("pair", "its name in findings", &Difference::pair),
                 exact("says", "the two arms",
                       [](const Difference& d) { return std::string(pair_named(d.pair).says); }),
                 exact("task", "as in a10_arms.csv; all: strata together", &Difference::task),
                 exact("width", "d; 0: all", &Difference::width),
                 exact("depth", "blocks", &Difference::depth), ratio, log_steps, learned_gain, saved,
                 sampled("log_rank",
                         "standard normal where both learn alike, above 0: the first learns sooner (Mantel "
                         "1966), stratified",
                         log_rank_of),
                 counted("left_out", "tasks and widths where no run learned",
                         [](const Difference& d) { return d.strata.size() - d.with_learners().size(); }),
                 exact("runs", "pairs of runs", &Difference::count)});
  const auto add = [&](const Difference& d, const std::vector<ColumnOf<Difference>>& columns) {
    Coordinates at{{"all", d.depth > 1 ? "two_blocks" : "tuned"}, {"pair", d.pair}};
    if (d.width > 0) at.emplace_back("width", whole(d.width));
    add_at(at, d, "A10", columns, summary);
  };
  const auto is_core = [](const Difference& d) {
    return d.pair == "centred_half" || d.pair == "learned_half";
  };
  for (const Difference& d : by_width)
    if (is_core(d) && d.depth == 1) add(d, {ratio});
  for (const Difference& d : pooled) {
    if (d.depth > 1) {
      add(d, {ratio});
      continue;
    }
    if (d.pair == "fitted_half" || d.pair.ends_with("_equal")) continue;  // in the table alone
    add(d, {log_steps, ratio, learned_gain});
    if (!is_core(d)) continue;
    add(d,
        {sampled("ratio_by_half",
                 "Steps to 90% of adding over the other arm's where a run counts as at most half of the "
                 "steps that it was given: what the ratio owes to how a failure counts. Shown, not judged.",
                 ratio_by_half_of)
             .chance(1)
             .n(&Difference::count_with_learners),
         sampled("learned_adjusted",
                 "Share of the runs that learn, adding less the other arm, half a pair of runs added to each "
                 "outcome of every task and width. Shown, not judged.",
                 learned_adjusted_of)
             .chance(0)
             .n(&Difference::count),
         sampled("log_rank",
                 "Stratified log-rank statistic; above 0: adding learns sooner. Shown, not judged.",
                 log_rank_of)
             .chance(0)
             .n(&Difference::count),
         sampled(
             "found_below",
             "Ratio of steps below which its condition would hold in four of five repetitions.",
             [](const Difference& d) { return std::exp(found_below(log_steps_of(d), std::log(most_steps))); })
             .n(&Difference::count_with_learners),
         sampled("found_above",
                 "Difference in the share that learns above which its condition would hold in four of five "
                 "repetitions.",
                 [](const Difference& d) { return -found_below(learned_of(d), -fewest_learned); })
             .n(&Difference::count)});
  }
}

/// Every pair task by task and width by width, or over all tasks, or over all widths as well; of one depth.
std::vector<Difference> differences(const std::vector<Comparison>& compared, bool all_tasks,
                                    bool all_widths) {
  std::vector<Difference> out;
  const auto key = [=](const Comparison& seeds) {
    const Run& run = seeds.front().first;
    return std::tuple(seeds.front().pair, run.depth, all_tasks ? "all" : run.task,
                      all_widths ? 0 : run.width);
  };
  for (const auto& strata : group_by(compared, key)) {
    const auto& [pair, depth, task, width] = key(strata.front());
    out.push_back({pair, task, width, depth, strata});
  }
  return out;
}

// ---- after all steps, and text

/// Of runs that made 2,000 steps.
void add_ends(const std::vector<Comparison>& compared, Summary& summary) {
  for (const char* pair : {"centred_half", "learned_half"}) {
    const auto ends = where(compared, [&](const Comparison& seeds) {
      const Run& run = seeds.front().first;
      return seeds.front().pair == pair && run.depth == 1 && run.until == "end" && run.steps >= 2000;
    });
    if (ends.empty()) continue;
    summary.number("gain", {{"steps", whole(2000)}, {"pair", pair}}, over(ends, &Compared::gain),
                   {.theory = 0.0,
                    .n = total(ends, [](const Comparison& seeds) { return seeds.size(); }),
                    .kind = Kind::sampled,
                    .meaning = "Accuracy after 2,000 steps, adding minus concatenating, paired by seed "
                               "within a task and width, variances added over these."});
  }
}

Comparison on_text(const std::vector<Arms>& text, const Side& first, const Side& second) {
  std::vector<Arms> both;
  for (const Arms& runs : text)
    for (const Side& side : {first, second})
      if (runs.front().arm == side.arm && runs.front().positions == side.positions) both.push_back(runs);
  Comparison compared;
  if (both.size() == 2)
    for (const Trained& a : both[both[0].front().arm == first.arm ? 0 : 1])
      for (const Trained& b : both[both[0].front().arm == first.arm ? 1 : 0])
        if (a.seed == b.seed) compared.push_back({a, b, {}});
  return compared;
}

/// Text tells something of the arms only where a model without positions loses on it.
void add_text(const std::vector<Arms>& text, double unigram, Summary& summary) {
  if (text.empty()) return;
  summary.table("a10_text.csv", text,
                {arm, positions, position_width, width, runs_made,
                 with_interval("nats", "nats", "surprise of a masked word in the part not learned from",
                               [](const Arms& runs) { return over_seeds(runs, &Trained::nats); }),
                 rounded("unigram", "the same of whoever knows how frequent each word is and nothing else",
                         [unigram](const Run&) { return std::log(unigram); })
                     .unit("nats")});
  for (const char* of : {"centred", "learned"}) {
    const Side added{"add", of}, beside{"concat", of, 2};
    const Comparison none = on_text(text, {"none", "none"}, beside), lost = on_text(text, added, beside);
    if (none.empty() || lost.empty()) continue;
    const Estimate without = estimated(none.values(&Compared::lost));
    const auto add = [&](const char* measure, const Estimate& estimate, const char* meaning) {
      summary.number(
          measure, {{"positions", of}}, estimate,
          {.theory = 0.0, .unit = "nats", .n = lost.size(), .kind = Kind::sampled, .meaning = meaning});
    };
    add("text_without", without,
        "Surprise a masked word of a model without positions less that of concatenating, paired by seed.");
    if (without.low > std::log(1 + margin))
      add("text_lost", estimated(lost.values(&Compared::lost)),
          "Surprise a masked word of adding less that of concatenating, paired by seed; on a text that a "
          "model "
          "without positions loses on.");
  }
}

// ---- exact numbers

void add_exact(Summary& summary) {
  struct Size {
    std::size_t d, length;
  };
  summary.each(
      std::vector<Size>{{32, task_length}, {512, 512}},
      {exact("width", "", &Size::d), exact("l", "", &Size::length)},
      {rounded("constant_share",
               "Share of the sinusoid's power that lies in its mean over positions and tells none of them "
               "from another.",
               [](const Size& at) { return constant_power_share(at.length, at.d); })
           .n(&Size::length)});
  summary.each(
      std::vector<std::string>{"copy2", "named"},  // of "bite" as of "named"
      {exact("task", "", [](const std::string& task) { return task; })},
      {rounded("order_blind",
               "Share right of the best guesser who sees the words of a sequence and not their order; exact.",
               [](const std::string& task) { return order_blind_share(task); })});
}

void add_choices(std::string_view file, const std::vector<Choice>& choices, Summary& summary) {
  const auto of = [](const char* task, double Choice::*steps) {
    return sampled(task, "steps to 90%, at most 500, mean over four seeds of their own", steps).unit("steps");
  };
  summary.table(file, choices,
                {arm, positions, width, rate, size, of("copy2", &Choice::copy2), of("named", &Choice::named),
                 of("bite", &Choice::bite), sampled("mean", "of the three", &Choice::mean).unit("steps"),
                 sampled("chosen", "1: the least mean of its arm and width, which all other runs train with",
                         [](const Choice& choice) { return int(choice.chosen); })});
}

// ---- rule and sentences

Rule rule() {
  Rule rule;
  const auto both = [&rule](Role role, const std::string& pair, const Levels& levels,
                            const std::string& name) {
    const auto with = [&](const char* end_point) {
      Levels all = levels;
      all.emplace_back("end point", end_point);
      return all;
    };
    const std::string needs = "eight seeds of every task and a run that learns: preset full";
    rule.push_back(condition(
        role, "log_steps.tuned." + pair, Is::below, std::log(most_steps), Evidence::trained, with("steps"),
        fmt::format("log of the steps to 90% of adding over concatenating, {}", name), needs));
    rule.push_back(
        condition(role, "learned_gain.tuned." + pair, Is::above, fewest_learned, Evidence::trained,
                  with("runs that learn"),
                  fmt::format("share of the runs that learn, adding minus concatenating, {}", name), needs));
  };
  both(Role::core, "centred_half", {{"positions", "centred sinusoid"}}, "centred sinusoid, dₚ = d/2");
  both(Role::core, "learned_half", {{"positions", "learned"}}, "learned positions, dₚ = d/2");
  both(Role::limit, "as_is_half", {{"positions", "sinusoid as is"}}, "uncentred sinusoid, dₚ = d/2");
  both(Role::limit, "centred_quarter", {{"positions", "centred sinusoid"}}, "centred sinusoid, dₚ = d/4");
  for (const auto& [id, name] :
       {std::pair{"centred", "centred sinusoid"}, {"learned", "learned positions"}}) {
    rule.push_back(condition(Role::limit, fmt::format("gain.steps2000.{}_half", id), Is::above, -margin,
                             Evidence::trained, {{"positions", id}},
                             fmt::format("accuracy after 2,000 steps, adding minus concatenating, {}", name),
                             "2,000 steps: preset long"));
    rule.push_back(
        condition(Role::limit, fmt::format("text_lost.{}", id), Is::below, std::log(1 + margin),
                  Evidence::trained, {{"positions", id}},
                  fmt::format("log perplexity of masked words, adding minus concatenating, {}", name),
                  "a text that a model without positions loses on: preset long"));
  }
  return rule;
}

void conclude(const Cells& cells, const SharedText& text, Summary& summary) {
  const std::vector<Arms> every = arms_of(cells),
                          all = where(every, [](const Arms&runs) { return runs.front().task != "text"; }),
                          of_text = where(every, [](const Arms&runs) { return runs.front().task == "text"; });
  const std::vector<Comparison> compared = comparisons(all);
  add_arm_tables(all, summary);
  add_rises(all, summary);
  add_pairs(differences(compared, false, false), differences(compared, true, false),
            differences(compared, true, true), summary);
  add_ends(compared, summary);
  add_text(of_text, text ? text->unigram_perplexity() : NAN, summary);
  add_choices("a10_choices.csv", choices(), summary);
  add_exact(summary);
  summary.rule = rule();
}

constexpr const char* statement =
    "Once a model is trained, adding loses nothing against concatenating smaller words and smaller "
    "positions.";

}  // namespace

Experiment who_learns(const Options& options, const SharedText& text) {
  Experiment claim =
      claim_on_runs("A10", statement, "[e asks]", {measured_runs(options), text_runs(options, text)}, text);
  claim.conclude([text](const Cells& cells, Summary& summary) { conclude(cells, text, summary); });
  return claim;
}

Experiment choose() {
  Experiment claim = claim_on_runs("A10", statement, "[e asks]", {choice_runs()}, {});
  claim.conclude([](const Cells& cells, Summary& summary) {
    add_choices("choices.csv", choices_of(rows_of<Trained>(cells)), summary);
    summary.rule = rule();
  });
  return claim;
}

}  // namespace perp::learning
