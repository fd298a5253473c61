// A10: compressed words and compressed positions, concatenated and trained, against adding.

#include "studies/learning/a10_measure.hpp"
#include "studies/learning/a10_text.hpp"
#include "studies/learning/a10_text_judged.hpp"
#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

/// Steps more than concatenating, and share of the runs fewer, that count as none.
constexpr double most_steps = 1.1, fewest_learned = -0.05;

template <class Get>
auto with_interval(const std::string& name, std::string_view unit, std::string_view meaning, Get get) {
  return sampled(name, meaning, get)
      .unit(unit)
      .interval(name + "_low", name + "_high", "end of its 99% interval");
}

const auto arm = exact("arm",
                       "add: word + position; concat: word and position of d - dₚ and dₚ dimensions; "
                       "project: concatenated, then mapped to d; rotary; none",
                       &Run::arm);
const auto positions =
    exact("positions", "as_is, centred: sinusoids; learned: a table; none: no vectors", &Run::positions);
const auto position_width = exact("position_width", "dₚ; 0: none of their own", &Run::position_width);
const auto rate = exact("rate", "Adam's, after warming up", &Run::rate);
const auto size = exact("size", "s: positions start at s times their own size", &Run::size);
// ---- pairs of arms

/// A pair of arms in one task or in all: strata, of which each seed is a replicate.
struct Difference {
  std::string pair, task;
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
Estimate ratio_of(const Difference& d) { return through(std::exp, log_steps_of(d)); }
Estimate learned_of(const Difference& d) { return over(d.strata, &Compared::learned); }

const auto log_steps =
    with_interval("log_steps", "1",
                  "logarithm of the steps to 90% of adding over the other arm's, a run that does not learn "
                  "counting as all of its steps; paired by seed within a task, variances added over tasks, "
                  "without those where no run learns",
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

void add_pairs(const std::vector<Comparison>& compared, Summary& summary) {
  std::vector<Difference> rows, pooled;
  for (const Comparison& seeds : compared)
    rows.push_back({seeds.front().pair, seeds.front().first.task, {seeds}});
  for (const auto& strata : group_by(compared, [](const Comparison& seeds) { return seeds.front().pair; }))
    pooled.push_back({strata.front().front().pair, "all", strata});
  rows.insert(rows.end(), pooled.begin(), pooled.end());
  summary.table("a10_pairs.csv", rows,
                {exact("pair", "its name in findings", &Difference::pair),
                 exact("says", "the two arms",
                       [](const Difference& d) { return std::string(pair_named(d.pair).says); }),
                 exact("task",
                       "copy2: the word two before; named: the word at a named place; bite: who bit whom; "
                       "all: strata together",
                       &Difference::task),
                 ratio, log_steps, learned_gain,
                 counted("left_out", "tasks where no run learned",
                         [](const Difference& d) { return d.strata.size() - d.with_learners().size(); }),
                 exact("runs", "pairs of runs", &Difference::count)});
  for (const Difference& d : pooled) {
    const Coordinates at{{"all", "tuned"}, {"pair", d.pair}};
    add_at(at, d, "A10", {ratio}, summary);
    if (d.pair.ends_with("_half") || d.pair == "centred_quarter")  // what the rule reads
      add_at(at, d, "A10", {log_steps, learned_gain}, summary);
  }
}

// ---- exact numbers

void add_exact(Summary& summary) {
  summary.number(
      "constant_share", {{"width", whole(judged_width)}, {"l", whole(task_length)}},
      {constant_power_share(task_length, judged_width)},
      {.n = task_length,
       .kind = Kind::rounded,
       .meaning = "Share of the sinusoid's power that lies in its mean over positions and tells none of "
                  "them from another."});
}

void add_choices(std::string_view file, const std::vector<Choice>& choices, Summary& summary) {
  const auto of = [](const char* task, double Choice::*steps) {
    return sampled(task, "steps to 90%, at most 500, mean over four seeds of their own", steps).unit("steps");
  };
  summary.table(
      file, choices,
      {arm, positions, position_width, rate, size, of("copy2", &Choice::copy2), of("named", &Choice::named),
       of("bite", &Choice::bite), sampled("mean", "of the three", &Choice::mean).unit("steps"),
       sampled("chosen", "1: the least mean of its arm and width, which all other runs train with",
               [](const Choice& choice) { return int(choice.chosen); })});
}

// ---- rule and sentences

Rule rule(const std::vector<TextChoice>& from) {
  Rule rule = text_rule(from);
  const auto both = [&rule](const std::string& pair, const Levels& levels, const std::string& name) {
    const auto with = [&](const char* end_point) {
      Levels all = levels;
      all.emplace_back("end point", end_point);
      return all;
    };
    const std::string needs = "eight seeds of every task and a run that learns: preset full";
    rule.push_back(condition(
        Role::limit, "log_steps.tuned." + pair, Is::below, std::log(most_steps), Evidence::trained,
        with("steps"), fmt::format("log of the steps to 90% of adding over concatenating, {}", name), needs));
    rule.push_back(
        condition(Role::limit, "learned_gain.tuned." + pair, Is::above, fewest_learned, Evidence::trained,
                  with("runs that learn"),
                  fmt::format("share of the runs that learn, adding minus concatenating, {}", name), needs));
  };
  both("centred_half", {{"positions", "centred sinusoid"}}, "tasks, centred sinusoid, dₚ = d/2");
  both("learned_half", {{"positions", "learned"}}, "tasks, learned positions, dₚ = d/2");
  both("as_is_half", {{"positions", "sinusoid as is"}}, "tasks, uncentred sinusoid, dₚ = d/2");
  both("centred_quarter", {{"positions", "centred sinusoid"}}, "tasks, centred sinusoid, dₚ = d/4");
  return rule;
}

void conclude(const Cells& cells, const SharedText& text, Preset preset, const std::vector<TextChoice>& from,
              Summary& summary) {
  const std::vector<Arms> all =
      where(arms_of(cells), [](const Arms& runs) { return !is_text(runs.front().task); });
  add_pairs(comparisons(all), summary);
  add_choices("a10_choices.csv", choices(), summary);
  add_exact(summary);
  if (text) {
    add_text(cells, *text, preset, from, summary);
    if (preset == Preset::long_) add_judged_pairs(text_runs(), *text, summary);
    add_text_choices("a10_text_choices.csv", from, summary);
  }
  summary.rule = rule(from);
}

constexpr const char* statement =
    "Once a model is trained, adding loses nothing against concatenating smaller words and smaller "
    "positions.";

}  // namespace

Experiment who_learns(const Options& options, const SharedText& text, const std::vector<TextChoice>& from) {
  Experiment claim = claim_on_runs("A10", statement, "[e asks]",
                                   {measured_runs(options), text_runs(options, text, from)}, text);
  claim.conclude([text, preset = options.preset, from](const Cells& cells, Summary& summary) {
    conclude(cells, text, preset, from, summary);
  });
  return claim;
}

Experiment choose() {
  Experiment claim{"A10", statement, "[e asks]"};
  claim.measure(choice_runs(), 1.0, [](const Run& run, const Streams& streams, Rows& rows) {
    train_or_fail(run, {}, streams.seed, rows);
  });
  claim.conclude([](const Cells& cells, Summary& summary) {
    add_choices("choices.csv", choices_of(rows_of<Trained>(cells)), summary);
    summary.rule = rule({});
  });
  return claim;
}

}  // namespace perp::learning
