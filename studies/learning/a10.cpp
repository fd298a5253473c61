// A10: compressed words and compressed positions, concatenated and trained, against adding.

#include "studies/learning/a10_measure.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

/// Steps more than concatenating, and share of the runs fewer, that count as none.
constexpr double most_steps = 1.1, fewest_learned = -0.05;
constexpr std::array<std::string_view, 4> judged{"fixed_half", "fixed_quarter", "learned_half",
                                                 "learned_quarter"};

// ---- numbers of arms and of comparisons

Estimate accuracy_of(const Arms& runs) { return over_seeds(runs.values(&Trained::accuracy), 0, 1); }
Estimate steps_of(const Arms& runs) {
  return over_seeds(runs.values(&Trained::learned_at), 1, runs.front().steps + 1.0);
}
/// With Wilson's interval.
Estimate learned_share(const Arms& runs) {
  const std::uint64_t learned = count_if(runs, &Trained::learned);
  return estimated(double(learned) / runs.size(), share_spread(learned, runs.size()));
}
Estimate gain_of(const Comparison& seeds) { return over_seeds(seeds.values(&Compared::gain), -1, 1); }
/// No run saves more steps than all that it makes.
Estimate saved_of(const Comparison& seeds) {
  const double all = seeds.front().first.steps;
  return over_seeds(seeds.values(&Compared::saved), -all, all);
}

/// e to the mean; intervals of few seeds may reach infinity.
Estimate exponential(const Estimate& nats) {
  Estimate result{std::exp(nats.value), {}, {}, nats.level};
  if (nats.low) result.low = std::exp(*nats.low);
  if (nats.high) result.high = std::exp(*nats.high);
  return result;
}
Estimate perplexity_of(const Arms& runs) { return exponential(over_seeds(runs.values(&Trained::nats), 0)); }
/// On the text, against concatenating with a quarter of the dimensions for positions.
Estimate lost_to_concat(const Arms& runs, const std::vector<Arms>& text) {
  const Run& run = runs.front();
  const Arms* concat = find_arms(text, "text", "concat", run.width / 4, run.width, run.depth);
  require(concat != nullptr, "A10: no concatenation to compare {} with", run.arm);
  return over_seeds(comparison(runs, *concat).values(&Compared::lost));
}

std::size_t runs_in(const Arms& runs) { return runs.size(); }
std::size_t pairs_in(const Comparison& seeds) { return seeds.size(); }

// ---- columns

template <class Get>
auto with_interval(const std::string& name, std::string_view unit, std::string_view meaning, Get get) {
  return sampled(name, meaning, get)
      .unit(unit)
      .interval(name + "_low", name + "_high", "end of its 99 % interval");
}

constexpr const char* steps_meaning =
    "steps until 90 % of the answers of ten batches in a row were right, mean over seeds; a run that never "
    "got there counts as one step more than it made";

const auto task = exact("task",
                        "copyN: the word N before; named: the word at a named place; bite: who bit whom; "
                        "count: how often this word stands here",
                        &Run::task);
const auto arm = exact("arm",
                       "add: word + position; concat: word and position of d - d_p and d_p dimensions; "
                       "project: concatenated, then mapped to d; rotary; none. fixed or nothing: sinusoids, "
                       "learned: a table",
                       &Run::arm);
const auto position_width =
    exact("position_width", "d_p: dimensions of a concatenated position; 0 otherwise", &Run::position_width);
const auto width = exact("width", "d: dimensions of a token", &Run::width);
const auto depth = exact("depth", "blocks", &Run::depth);
const auto part = exact("part", "d_p / d", [](const Run& run) {
                    return double(run.position_width) / run.width;
                  }).unit("share");
const auto order_blind = [](const Run& run) { return order_blind_share(run.task); };
const auto beyond = [](const Run& run) { return run.steps + 1; };
const auto accuracy =
    with_interval("accuracy", "1", "share right on sequences not learned from, mean over seeds", accuracy_of)
        .n(runs_in);
const auto steps = with_interval("steps", "steps", steps_meaning, steps_of).n(runs_in);

const auto pair_width = exact("width", "d", [](const Compared& c) { return c.first.width; });
const auto pair_depth = exact("depth", "blocks", [](const Compared& c) { return c.first.depth; });
const auto pair_task = exact("task", "as in a10_arms.csv", [](const Compared& c) { return c.first.task; });
const auto gain =
    with_interval("gain", "1", "accuracy of the first less the second's, paired by seed", gain_of)
        .n(pairs_in)
        .chance(0);
const auto saved =
    with_interval("saved", "steps",
                  "steps to 90 % of the second less the first's, paired by seed; steps + 1 where it was "
                  "not reached",
                  saved_of)
        .n(pairs_in)
        .chance(0);

/// "concat d/4", as it is written in tables and sentences.
std::string written(const Arm& arm) {
  return arm.part ? fmt::format("{} d/{}", arm.name, arm.part) : std::string(arm.name);
}
const Pair& pair_of(const Compared& compared) {
  return *std::ranges::find(pairs, compared.pair, &Pair::name);
}
std::string first_of(const Compared& compared) { return written(pair_of(compared).first); }
std::string second_of(const Compared& compared) { return written(pair_of(compared).second); }

// ---- tables

void add_arms_table(const std::vector<Arms>& compared, Summary& summary) {
  summary.table(
      "a10_arms.csv", compared,
      {task, arm, position_width, width, depth, part, accuracy, steps,
       with_interval("learned", "1", "share of the seeds that got there (interval: Wilson)", learned_share),
       exact("budget", "steps made", &Run::steps).unit("steps"),
       rows_in<Trained>("seeds", "runs, each from weights and data of its own"),
       rounded("order_blind",
               "share right of the best guesser who sees a sequence's words and not their order",
               order_blind),
       rounded("constant", "share right of always giving the likeliest answer",
               [](const Run& run) { return constant_share(run.task); })});
}

void add_pair_tables(std::vector<Comparison> pairs, Summary& summary) {
  std::ranges::stable_sort(pairs, {}, [](const Comparison& seeds) { return seeds.front().pair; });
  const auto better = [](const Comparison& seeds) {
    const Estimate gain = gain_of(seeds);
    return gain.low > 0.0 ? "first" : gain.high && gain.high < 0.0 ? "second" : "even";
  };
  summary.table(
      "a10_pairs.csv", pairs,
      {pair_task, exact("pair", "the two arms' name in findings", &Compared::pair),
       exact("first", "an arm, and its d_p where it concatenates", first_of),
       exact("second", "the arm that it is compared with", second_of), pair_width, pair_depth, gain, saved,
       sampled("better",
               "first or second: the one whose accuracy the interval says is higher; even: it holds zero",
               better),
       rows_in<Compared>("seeds", "pairs of runs")});
  std::vector<Compared> rows;
  for (const Comparison& seeds : pairs) rows.insert(rows.end(), seeds.begin(), seeds.end());
  summary.table("a10_seeds.csv", rows,
                {pair_task, exact("pair", "as in a10_pairs.csv", &Compared::pair), pair_width, pair_depth,
                 exact("seed", "of words, weights and data; other data in another task",
                       [](const Compared& c) { return c.first.seed; }),
                 sampled("first_accuracy", "accuracy of the first arm",
                         [](const Compared& c) { return c.first.accuracy; }),
                 sampled("second_accuracy", "accuracy of the second",
                         [](const Compared& c) { return c.second.accuracy; }),
                 sampled("first_steps", "steps to 90 % of the first arm; steps + 1: not reached",
                         [](const Compared& c) { return double(c.first.learned_at); })
                     .unit("steps"),
                 sampled("second_steps", "steps to 90 % of the second", [](const Compared& c) {
                   return double(c.second.learned_at);
                 }).unit("steps")});
}

void add_curves_table(const Cells& cells, Summary& summary) {
  const std::vector<CurvePoint> points =
      where(only(rows_of<CurvePoint>(cells), &Run::depth, 1U), is_compared);
  summary.table(
      "a10_curves.csv",
      group_by(points, &Run::task, &Run::arm, &Run::position_width, &Run::width, &CurvePoint::step),
      {task, arm, position_width, width, part, exact("step", "steps made", &CurvePoint::step).unit("steps"),
       with_interval("accuracy", "1",
                     "share right on the batches since the row before, each new and answered before it was "
                     "learned from; mean over seeds",
                     [](const Group<CurvePoint>& seeds) {
                       return over_seeds(seeds.values(&CurvePoint::accuracy), 0, 1);
                     })});
}

void add_parameters_table(const std::vector<Arms>& all, Summary& summary) {
  summary.table("a10_parameters.csv", all,
                {task, arm, position_width, width, depth,
                 exact("inner", "parameters of all but the embedding", &Trained::inner_parameters),
                 exact("embedding",
                       "parameters of the embedding that are learned: words, positions unless they are "
                       "sinusoids, a projection",
                       &Trained::embedding_parameters)});
}

// ---- findings over several tasks

/// Whether adding is better or worse by its whole interval, and by the margin: between answers that are all
/// right a hair may be certain.
struct Sides {
  bool ahead, behind, sooner, later;
  bool worse() const { return behind || later; }
};
Sides sides_of(const Comparison& seeds) {
  const Estimate gain = gain_of(seeds), saved = saved_of(seeds);
  const double least = margin * double(seeds.front().first.steps);
  const auto above = [](const Estimate& e, double least) { return e.low > 0.0 && e.value > least; };
  const auto below = [](const Estimate& e, double least) {
    return e.high && *e.high < 0 && e.value < -least;
  };
  return {above(gain, margin), below(gain, margin), above(saved, least), below(saved, least)};
}

/// In how many tasks and widths.
void add_counts(const std::vector<Comparison>& shallow, Summary& summary) {
  for (const std::string_view pair : judged) {
    std::vector<Sides> sides;
    for (const Comparison& seeds : shallow)
      if (seeds.front().pair == pair) sides.push_back(sides_of(seeds));
    const auto add = [&](const char* measure, const auto& side, const char* what) {
      summary.number(
          measure, {{"pair", std::string(pair)}}, {double(count_if(sides, side))},
          {.theory = 0.0,
           .unit = "comparisons",
           .n = sides.size(),
           .kind = Kind::sampled,
           .meaning = fmt::format(
               "Tasks and widths where adding is {} the concatenation by its whole interval, and by two in a "
               "hundred answers or steps; where they are equal, one in two hundred would be.",
               what)});
    };
    add("ahead", &Sides::ahead, "more accurate after training than");
    add("behind", &Sides::behind, "less accurate after training than");
    add("sooner", &Sides::sooner, "at 90 % in fewer steps than");
    add("later", &Sides::later, "at 90 % in more steps than");
    add("worse", &Sides::worse, "less accurate than, or later at 90 % than,");
  }
}

/// Task by task and width by width, one stratum each.
void add_means(const std::vector<Comparison>& cells, const Coordinates& at, const char* over,
               Summary& summary) {
  const auto add = [&](const char* measure, const std::vector<Comparison>& cells, auto what, const char* unit,
                       const char* meaning) {
    std::vector<Moments> strata;
    for (const Comparison& cell : cells) strata.push_back(moments_of(cell.values(what)));
    if (const std::optional<Estimate> estimate = over_strata(strata))
      summary.number(measure, at, *estimate,
                     {.theory = 0.0,
                      .unit = unit,
                      .n = total(cells, pairs_in),
                      .kind = Kind::sampled,
                      .meaning = fmt::format("{}, {}; paired by seed within a task and width, variances "
                                             "added over these.",
                                             meaning, over)});
  };
  add("mean_gain", cells, &Compared::gain, "1", "Accuracy of adding less that of concatenating");
  add("mean_saved", cells, &Compared::saved, "steps",
      "Steps to 90 % that adding needs less than concatenating");
  add("learned_gain", cells, &Compared::learned, "1",
      "Share of the runs that learn, adding less concatenating");
  // Where no run learns, every ratio is that of the cap to itself and says nothing.
  const auto learns = [](const Compared& c) { return c.first.learned() || c.second.learned(); };
  const auto some_learn = [&](const Comparison& cell) { return count_if(cell, learns) > 0; };
  add("log_steps", where(cells, some_learn), &Compared::log_steps, "1",
      "Logarithm of the steps to 90 % of adding over concatenating, a run that does not learn counting as "
      "all "
      "of its steps, without tasks and widths where none learns");
}

void add_means(const std::vector<Comparison>& shallow, Summary& summary) {
  for (const std::string_view pair : judged)
    for (const bool counting : {false, true})
      add_means(where(shallow,
                      [&](const Comparison& seeds) {
                        const Compared& first = seeds.front();
                        return first.pair == pair && (first.first.task == "count") == counting;
                      }),
                {{"tasks", counting ? "counting" : "order"}, {"pair", std::string(pair)}},
                counting ? "in counting, mean over widths" : "mean over widths and tasks that need order",
                summary);
}

// ---- findings run by run and pair by pair

void add_pairs(const std::vector<Comparison>& shallow, Summary& summary) {
  for (const Comparison& seeds : shallow) {
    const Compared& of = seeds.front();
    add_at(
        {{"task", of.first.task}, {"pair", of.pair}, {"width", whole(of.first.width)}}, seeds, "A10",
        {gain.as("gain", fmt::format("Accuracy after training of {} less that of {}, paired by seed.",
                                     first_of(of), second_of(of))),
         saved.as("saved", fmt::format("Steps to 90 % that {} needs less than {}, paired by seed; one step "
                                       "more than was made where it was not reached.",
                                       first_of(of), second_of(of)))},
        summary);
  }
}

void add_arms(const std::vector<Arms>& shallow, Summary& summary) {
  for (const Arms& runs : shallow)
    add_at(place(runs.front()), runs, "A10",
           {accuracy.theory(order_blind)
                .as("accuracy",
                    "Share of right answers after training, on sequences not learned from, mean over seeds; "
                    "chance: the best guesser who sees a sequence's words and not their order."),
            steps.theory(beyond).as("steps",
                                    fmt::format("S{}, as all runs of a guesser would.", steps_meaning + 1))},
           summary);
}

void add_splits(const std::vector<Arms>& all, Summary& summary) {
  const std::vector<Arms> splits = splits_of(all);
  const Arms best = best_splits(splits);
  summary.each(
      splits, {exact("p", "", &Run::position_width)},
      {accuracy.theory(order_blind)
           .as("split_accuracy",
               "Accuracy on copy2 at width 32 with so many dimensions for a concatenated sinusoid; "
               "chance: blind to the order."),
       steps.theory(beyond).as("split_steps", fmt::format("S{}; copy2, width 32.", steps_meaning + 1))});
  const auto fastest =
      std::ranges::min_element(splits, {}, [](const Arms& runs) { return steps_of(runs).value; });
  summary.number("best_split", {}, {double(fastest->front().position_width)},
                 {.unit = "dimensions",
                  .n = splits.size(),
                  .kind = Kind::sampled,
                  .meaning = "Of the splits of width 32, the d_p that learns copy2 in the fewest steps, mean "
                             "over seeds."});
  std::vector<Arms> shown = splits;
  for (const char* arm : {"add_fixed", "add_learned"}) {
    const Arms& adding = *find_arms(all, "copy2", arm, 0, split_width);
    shown.push_back(adding);
    add_at({{"arm", arm}}, comparison(best, adding), "A10",
           {saved.as("split_saved",
                     "Steps to 90 % on copy2 at width 32 that the best split, chosen for each seed by the "
                     "others, needs less than adding, paired by seed.")},
           summary);
  }
  const auto chosen = [&best](const Run& run) {
    return only(best, &Run::position_width, run.position_width).size();
  };
  summary.table(
      "a10_splits.csv", shown,
      {exact("arm", "concat: sinusoids of d_p dimensions; add_fixed, add_learned: added", &Run::arm),
       exact("position_width", "d_p of 32; 0: added", &Run::position_width),
       accuracy.as("accuracy", "share right on copy2, mean over seeds"), steps,
       sampled("learned", "share of the seeds that got there", learned_share),
       sampled("chosen", "seeds for which the other seeds learn fastest with this split", chosen)});
}

/// Counting needs no order: what does being told positions cost?
void add_counting(const std::vector<Arms>& shallow, Summary& summary) {
  const auto worth = gain.as("counting",
                             "Accuracy in counting, which needs no order, less that of the model without "
                             "positions, paired by seed.");
  for (const Arms& runs : shallow) {
    const Run& run = runs.front();
    if (run.task != "count" || run.arm == "none") continue;
    Coordinates at = place(run);
    at.erase(at.begin());
    add_at(at, comparison(runs, *find_arms(shallow, "count", "none", 0, run.width)), "A10", {worth}, summary);
  }
}

void add_text(const std::vector<Arms>& text, double unigram, Summary& summary) {
  if (text.empty()) return;
  const auto over_concat = [&text](const Arms& runs) { return exponential(lost_to_concat(runs, text)); };
  const auto perplexity =
      with_interval(
          "perplexity", "1",
          "of the next word in the part not learned from: e to the mean surprise, in nats, over seeds",
          perplexity_of)
          .n(runs_in)
          .chance(unigram);
  const auto ratio = with_interval("ratio", "1", "its perplexity over concat's, paired by seed", over_concat)
                         .n(runs_in)
                         .chance(1);
  summary.table("a10_text.csv", text,
                {exact("arm", "as in a10_arms.csv; concat with d_p = d/4", &Run::arm),
                 exact("position_width", "d_p", &Run::position_width), exact("width", "d", &Run::width),
                 perplexity, ratio, rows_in<Trained>("seeds", "runs"),
                 rounded("unigram", "perplexity of whoever knows how frequent each word is and nothing else",
                         [unigram](const Run&) { return unigram; })});
  for (const Arms& runs : text) {
    const Coordinates at{{"arm", runs.front().arm}};
    add_at(
        at, runs, "A10",
        {perplexity.as("perplexity",
                       "Perplexity of the next word of a text not learned from, geometric mean over seeds; "
                       "chance: whoever knows how frequent each word is.")},
        summary);
    if (runs.front().arm == "concat") continue;
    add_at(at, runs, "A10",
           {ratio.as("perplexity_ratio",
                     "Perplexity of the next word over that of a concatenation with a quarter of the "
                     "dimensions for positions, paired by seed.")},
           summary);
  }
}

/// Text tells something of the arms only where a model without positions loses on it.
void add_text_loss(const std::vector<Arms>& text, Summary& summary) {
  const auto of = [&](const char* arm) {
    return std::ranges::find(text, arm, [](const Arms& runs) { return runs.front().arm; });
  };
  const auto none = of("none"), added = of("add_fixed");
  if (none == text.end() || added == text.end()) return;
  if (!(lost_to_concat(*none, text).low > std::log(1 + margin))) return;
  const auto lost = sampled("text_lost",
                            "Surprise a word of the sum with a sinusoid less that of a concatenation with a "
                            "quarter of the dimensions for positions, paired by seed; on a text that a model "
                            "without positions loses on.",
                            [&text](const Arms& runs) { return lost_to_concat(runs, text); });
  add_at({{"arm", "add_fixed"}}, *added, "A10", {lost.unit("nats").chance(0).n(runs_in)}, summary);
}

// ---- exact numbers

/// Of the models that are compared, how far their parameters outside the embedding differ, at most.
double inner_difference(const std::vector<Arms>& all) {
  double most = 0;
  for (const Arms& of_a : all)
    for (const Arms& of_b : all) {
      const Trained &a = of_a.front(), &b = of_b.front();
      if (a.task == b.task && a.width == b.width && a.depth == b.depth)
        most = std::max(most, double(a.inner_parameters) / double(b.inner_parameters) - 1);
    }
  return most;
}

void add_exact(const std::vector<Arms>& all, Summary& summary) {
  struct Size {
    std::size_t d, length;
  };
  summary.each(
      std::vector<Size>{{split_width, task_length}, {512, 512}},
      {exact("width", "", &Size::d), exact("l", "", &Size::length)},
      {rounded("constant_share",
               "Share of the sinusoid's power that lies in its mean over positions and tells none of "
               "them from another.",
               [](const Size& at) { return constant_power_share(at.length, at.d); })
           .n(&Size::length)});
  summary.each(std::vector<std::string>(tasks.begin(), tasks.end()),
               {exact("task", "", [](const std::string& task) { return task; })},
               {rounded("order_blind",
                        "Share right of the best guesser who sees the words of a sequence and not their "
                        "order; exact.",
                        [](const std::string& task) { return order_blind_share(task); }),
                rounded("constant", "Share right of always giving the likeliest answer; exact.",
                        [](const std::string& task) { return constant_share(task); })});
  summary.number("inner_difference", {}, {inner_difference(all)},
                 {.theory = 0.0,
                  .unit = "share",
                  .n = all.size(),
                  .meaning = "Largest relative difference in parameters outside the embedding between arms "
                             "of one task, width and depth."});
}

// ---- rule and sentences

Condition steps_condition(Role role, const std::string& finding, const Levels& levels, std::string_view arms,
                          const std::string& needs) {
  return condition(role, finding, Is::below, std::log(most_steps), Evidence::trained, levels,
                   fmt::format("log of the steps to 90 % of adding over concatenating, {}", arms), needs);
}
Condition learned_condition(Role role, const std::string& finding, const Levels& levels,
                            std::string_view arms, const std::string& needs) {
  return condition(role, finding, Is::above, fewest_learned, Evidence::trained, levels,
                   fmt::format("share of the runs that learn, adding less concatenating, {}", arms), needs);
}

struct Positions {
  const char *id, *level, *name, *tuned;  // what has to be there before they can be compared
};
constexpr std::array<Positions, 2> positions{
    {{"centred", "centred sinusoid", "centred sinusoid",
      "not programmed yet: rates and sizes chosen in advance for each arm, a centred sinusoid"},
     {"learned", "learned", "learned positions",
      "not programmed yet: rates and sizes chosen in advance for each arm"}}};

Rule rule() {
  Rule rule;
  for (const auto& [id, level, name, tuned] : positions) {
    const std::string arms = fmt::format("{}, half of d for a concatenated one", name);
    rule.push_back(steps_condition(Role::core, fmt::format("log_steps.tuned.{}_half", id),
                                   {{"positions", level}, {"end point", "steps"}}, arms, tuned));
    rule.push_back(learned_condition(Role::core, fmt::format("learned_gain.tuned.{}_half", id),
                                     {{"positions", level}, {"end point", "runs that learn"}}, arms, tuned));
  }
  const Levels as_is{{"positions", "sinusoid as is"}};
  const char* arms = "sinusoid as is, half of d for a concatenated one, tasks that need order";
  const char* seeds = "eight seeds and a run that learns: preset full";
  rule.push_back(steps_condition(Role::limit, "log_steps.order.fixed_half", as_is, arms, seeds));
  rule.push_back(learned_condition(Role::limit, "learned_gain.order.fixed_half", as_is, arms, seeds));
  for (const auto& [id, level, name, tuned] : positions) {
    const Levels levels{{"positions", level}};
    rule.push_back(steps_condition(Role::limit, fmt::format("log_steps.tuned.{}_quarter", id), levels,
                                   fmt::format("{}, a quarter of d for a concatenated one", name), tuned));
    rule.push_back(condition(Role::limit, fmt::format("mean_gain.steps2000.{}_half", id), Is::above, -margin,
                             Evidence::trained, levels,
                             fmt::format("accuracy after 2,000 steps, adding less concatenating, {}", name),
                             "not programmed yet: 2,000 steps, and the arms of the core"));
  }
  rule.push_back(condition(Role::limit, "text_lost.add_fixed", Is::below, std::log(1 + margin),
                           Evidence::trained, as_is,
                           "log perplexity of a text, adding less concatenating, where no positions lose",
                           "a text that a model without positions loses on"));
  return rule;
}

std::string condition_of(const std::vector<Finding>& findings, std::size_t steps) {
  const Finding *log_steps = find(findings, "A10.log_steps.order.fixed_half"),
                *learned = find(findings, "A10.learned_gain.order.fixed_half");
  const std::string not_tuned =
      "arms with rates and sizes of their own and a centred sinusoid were not trained";
  if (!log_steps || !learned) return fmt::format("in {} steps no pair of arms learned; {}", steps, not_tuned);
  return fmt::format(
      "with the sinusoid as it is adding takes {:.2f} times the steps of concatenating, and the share of "
      "runs that learn in {} steps changes by {:+.0f} points; {}",
      std::exp(log_steps->value), steps, 100 * learned->value, not_tuned);
}

void conclude(const Cells& cells, const SharedText& text, Summary& summary) {
  const std::vector<Arms> all = arms_of(cells),
                          compared = where(all, [](const Arms&runs) { return is_compared(runs.front()); }),
                          shallow = where(compared, [](const Arms&runs) { return runs.front().depth == 1; }),
                          of_text = where(all, [](const Arms&runs) { return runs.front().task == "text"; });
  const std::vector<Comparison> every = comparisons(all), shallow_pairs = comparisons(shallow);
  const double unigram = text ? text->unigram_perplexity() : NAN;
  add_arms_table(compared, summary);
  add_pair_tables(every, summary);
  add_counts(shallow_pairs, summary);
  add_means(shallow_pairs, summary);
  add_pairs(shallow_pairs, summary);
  add_arms(shallow, summary);
  add_splits(all, summary);
  add_curves_table(cells, summary);
  add_parameters_table(all, summary);
  add_counting(shallow, summary);
  add_text(of_text, unigram, summary);
  add_text_loss(of_text, summary);
  add_exact(all, summary);
  summary.rule = rule();
  summary.condition = condition_of(summary.findings, compared.front().front().steps);
  summary.matters = fmt::format(
      "trained at d = 16 and 32 on 32 tokens, where {:.0f} % of the sinusoid's power is a constant; at d = "
      "512 and 512 tokens {:.0f} % is",
      100 * summary.value("constant_share.width32.l32"), 100 * summary.value("constant_share.width512.l512"));
}

}  // namespace

Experiment who_learns(const Options& options, const SharedText& text) {
  Experiment claim = claim_on_runs(
      "A10",
      "Once a model is trained, adding loses nothing against concatenating smaller words and smaller "
      "positions.",
      "[e]", {main_runs(options), split_runs(options), text_runs(options, text)}, text);
  claim.conclude([text](const Cells& cells, Summary& summary) { conclude(cells, text, summary); });
  return claim;
}

}  // namespace perp::learning
