
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "perp/base/blas.hpp"
#include "perp/io/file.hpp"
#include "perp/study/provenance.hpp"
#include "studies/learning/a10_text.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

/// What sizes and widths are tried at; the rates and sizes tried before any list is widened.
constexpr double trial_rate = 0.006;
constexpr std::array first_rates{0.003, 0.006, 0.012};
constexpr std::array first_sizes{0.125, 0.25, 0.5, 1.0};
/// Settings of an arm that get all seeds of the trials.
constexpr std::size_t finalists = 3;
/// Runs that each thread makes before the file is written.
constexpr std::size_t runs_at_once = 4;

Run run_of(const char* arm, std::string_view positions, std::size_t width = text_width) {
  return {.task = std::string(masked_text),
          .arm = arm,
          .positions = std::string(positions),
          .width = width,
          .depth = text_depth,
          .steps = text_choice_steps,
          .rate = trial_rate,
          .start = text_start,
          .until = std::string(until_tried)};
}
/// A sum and a concatenation.
Runs both(std::string_view positions, std::size_t width = text_width) {
  return {run_of("add", positions, width), run_of("concat", positions, width)};
}

template <class Change>
Runs changed(Runs runs, Change change) {
  for (Run& run : runs) change(run);
  return runs;
}

/// The run with every width of its positions and these sizes. A sum may take all of its dimensions.
Runs with_tables(const Run& run, const std::vector<double>& sizes) {
  Runs all;
  const std::size_t d = run.width;
  for (const std::size_t p : {d / 8, d / 4, d / 2, run.arm == "add" ? 0 : 3 * d / 4})
    for (const double size : sizes) {
      all.push_back(run);
      all.back().position_width = p;
      all.back().size = size;
    }
  return all;
}
Runs with_rates(const Run& run, const std::vector<double>& rates) {
  Runs all;
  for (const double rate : rates) {
    all.push_back(run);
    all.back().steps = text_steps;
    all.back().rate = rate;
  }
  return all;
}

/// Half and twice the ends of a rising list, where a best one lies there. Whether there was any.
bool widen(std::vector<double>& values, const Runs& best, double Run::*value) {
  const double least = values.front(), most = values.back();
  const auto lies_at = [&](double end) { return std::ranges::find(best, end, value) != best.end(); };
  if (lies_at(least)) values.insert(values.begin(), least / 2);
  if (lies_at(most)) values.push_back(2 * most);
  return lies_at(least) || lies_at(most);
}

/// In the order of the plan that follows from all of them.
std::vector<PairRun> in_order(std::vector<PairRun> made) {
  std::map<std::string, std::size_t> places;
  for (const Run& run : pair_plan(made).runs) places.emplace(name_of(run), places.size());
  std::ranges::stable_sort(made, {}, [&](const PairRun& run) {
    const auto place = places.find(name_of(run));
    return place == places.end() ? places.size() : place->second;
  });
  return made;
}

/// Those of the plan that are not made, so many at the most.
Runs next_runs(const std::vector<PairRun>& made, std::size_t most) {
  std::set<std::string> names;
  for (const PairRun& run : made) names.insert(name_of(run));
  Runs next;
  for (const Run& run : pair_plan(made).runs)
    if (next.size() < most && !names.contains(name_of(run))) next.push_back(run);
  return next;
}

std::string this_program() {
  return fmt::format("{} {}", program_sha256("learning").substr(0, 12), loaded_blas().kernel);
}

class Plan {
 public:
  explicit Plan(const std::vector<PairRun>& made) {
    for (const PairRun& run : made) ends_[name_of(run)] = run.end;
  }

  /// Whether all of these were made, which are listed otherwise.
  bool add(Run run, std::size_t first, std::size_t seeds) {
    bool is_made = true;
    for (run.seed = first; run.seed < first + seeds; ++run.seed) {
      const std::string name = name_of(run);
      if (listed_.insert(name).second) plan.runs.push_back(run);
      is_made = is_made && ends_.contains(name);
    }
    return is_made;
  }
  double end(Run run, std::size_t seed) const {
    run.seed = seed;
    return ends_.at(name_of(run));
  }

  /// Of each arm the best width and size, or rate. Nothing before all trials are made.
  std::optional<Runs> tables(const Runs& arms) {
    return best_of(arms, {first_sizes.begin(), first_sizes.end()}, &Run::size, with_tables, 1);
  }
  std::optional<Runs> rates(const Runs& arms) {
    return best_of(arms, {first_rates.begin(), first_rates.end()}, &Run::rate, with_rates, trial_seeds);
  }

  /// Arms that are chosen, with so many seeds.
  void choose(const char* pair, const Runs& arms, std::size_t seeds) {
    for (Run run : arms) {
      run.until = until_judged;
      run.seed = first_pair_seed;
      plan.arms.push_back({pair, run, seeds});
    }
  }
  /// One run of each of these arms for each seed from the i-th to the last that it has, round by round. Whether all
  /// were made.
  bool add_rounds(std::size_t from_arm, std::size_t i, std::size_t end) {
    bool is_made = true;
    for (; i < end; ++i)
      for (std::size_t arm = from_arm; arm < plan.arms.size(); ++arm)
        if (i < plan.arms[arm].seeds && !add(plan.arms[arm].run, first_pair_seed + i, 1)) is_made = false;
    return is_made;
  }

  PairPlan plan;

 private:
  template <class Spread>
  std::optional<Runs> best_of(const Runs& arms, std::vector<double> values, double Run::*value, Spread spread,
                              std::size_t seeds) {
    while (true) {
      std::optional<Runs> best = Runs{};
      for (const Run& arm : arms) {
        const std::optional<Runs> first = least(spread(arm, values), seeds, finalists);
        const std::optional<Runs> own = first ? least(*first, trial_seeds, 1) : std::nullopt;
        if (own && best)
          best->push_back(own->front());
        else
          best.reset();
      }
      if (!best || !widen(values, *best, value)) return best;
    }
  }
  /// So many of the least bits, means over seeds. Nothing where one was not made.
  std::optional<Runs> least(Runs runs, std::size_t seeds, std::size_t count) {
    bool are_made = true;
    for (const Run& run : runs) are_made = add(run, 0, seeds) && are_made;
    if (!are_made) return {};
    std::ranges::stable_sort(runs, {}, [&](const Run& run) {
      double sum = 0;
      for (std::size_t seed = 0; seed < seeds; ++seed) sum += end(run, seed);
      return sum;
    });
    runs.resize(std::min(count, runs.size()));
    return runs;
  }

  std::map<std::string, double> ends_;
  std::set<std::string> listed_;
};

/// Of the pilot's pairs, of ln(bits per byte, sum over concatenation).
double pilot_deviation(const Plan& plan, const Runs& arms) {
  std::vector<double> lost;
  for (std::size_t seed = first_pair_seed; seed < first_pair_seed + pilot_pairs; ++seed)
    lost.push_back(std::log(plan.end(arms.front(), seed) / plan.end(arms.back(), seed)));
  return std::sqrt(moments_of(lost).variance);
}

}  // namespace

PairPlan pair_plan(const std::vector<PairRun>& made) {
  Plan plan(made);
  // What is judged, and no positions, which tell whether there is anything to judge. Every trial of a step is listed
  // before one that is missing ends the plan.
  const auto centred = plan.tables(both("centred")), as_is = plan.tables(both("as_is"));
  if (!centred || !as_is) return plan.plan;
  const auto centred_at = plan.rates(*centred), as_is_at = plan.rates(*as_is),
             started_at = plan.rates(changed(*centred, [](Run&run) { run.positions = "started"; })),
             none = plan.rates({run_of("none", "none")});
  if (!centred_at || !as_is_at || !started_at || !none) return plan.plan;
  plan.choose("centred", *centred_at, centred_pairs);
  plan.choose("as_is", *as_is_at, as_is_pairs);
  plan.choose("started", *started_at, pilot_pairs);
  plan.choose("none", *none, limit_pairs);
  if (!plan.add_rounds(0, 0, pilot_pairs)) return plan.plan;
  const Runs started{plan.plan.arms[4].run, plan.plan.arms[5].run};
  if (pilot_deviation(plan, started) < largest_pilot_deviation)
    for (const std::size_t arm : {4, 5}) plan.plan.arms[arm].seeds = as_is_pairs;
  plan.add_rounds(0, pilot_pairs, centred_pairs);

  // Where it ends.
  const auto narrow = plan.tables(both("centred", text_width / 2));
  const auto causal = plan.rates(changed(*centred, [](Run&run) { run.task = causal_text; })),
             rotary = plan.rates({run_of("rotary", "none")});
  if (!narrow) return plan.plan;
  const auto narrow_at = plan.rates(*narrow);
  if (!causal || !rotary || !narrow_at) return plan.plan;
  const std::size_t limits = plan.plan.arms.size();
  plan.choose("d32", *narrow_at, limit_pairs);
  plan.choose("framed", changed({centred_at->front()}, [](Run& run) { run.arm = "framed"; }), limit_pairs);
  plan.choose("causal", *causal, limit_pairs);
  plan.choose("rotary", *rotary, limit_pairs);
  plan.choose("longer", changed(*centred_at, [](Run& run) { run.steps *= 2; }), limit_pairs);
  plan.add_rounds(limits, 0, limit_pairs);
  return plan.plan;
}

std::vector<PairRun> read_pair_runs(std::string_view text, std::string_view file) {
  std::vector<PairRun> made;
  for (const Row& row : frame_from_csv(file, text)) {
    PairRun& run = made.emplace_back(PairRun{
        run_from(row, "task arm positions position_width width steps rate size until seed", run_of("", ""))});
    run.quarter = row.number("quarter");
    run.half = row.number("half");
    run.end = row.number("end");
    run.overlap = row.number("overlap");
    run.concentration = row.number("concentration");
    run.words_left = row.number("words_left");
    run.inner_parameters = row.whole("inner_parameters");
    run.embedding_parameters = row.whole("embedding_parameters");
    run.program = row.text("program");
    require(run.rate > 0 && run.size > 0 && run.end > 0,
            "{}: row {}: rate {}, size {} and {} bits; expected all above 0", file, made.size(), run.rate,
            run.size, run.end);
  }
  return made;
}

void add_pair_runs(const std::vector<PairRun>& made, Out& out) {
  for (const PairRun& run : made)
    out("text_runs", place_of(run),
        {{"quarter", run.quarter},
         {"half", run.half},
         {"end", run.end},
         {"overlap", run.overlap},
         {"concentration", run.concentration},
         {"words_left", run.words_left},
         {"inner_parameters", run.inner_parameters},
         {"embedding_parameters", run.embedding_parameters},
         {"program", run.program}});
}

std::vector<PairRun> pair_runs_of(const Frames& measured) {
  std::vector<PairRun> made;
  std::map<std::string, std::size_t> places;
  const auto rows = [&](const char* kind) { return measured.has(kind) ? measured[kind] : Frame(kind); };
  for (const Row& end : rows("Trained")) {
    places[name_of(end)] = made.size();
    PairRun& run = made.emplace_back(PairRun{
        run_from(end, "task arm positions position_width width steps rate size until seed", run_of("", ""))});
    // Of one that diverged nothing else is known: as bad on the way.
    run.quarter = run.half = run.end = end.number("nats") * std::numbers::log2e;
    run.inner_parameters = end.whole("inner_parameters");
    run.embedding_parameters = end.whole("embedding_parameters");
  }
  for (const Row& held : rows("HeldOut")) {
    PairRun& run = made[places.at(name_of(held))];
    const double share = held.number("share");
    if (share < 1) (share == 0.5 ? run.half : run.quarter) = held.number("bits");
  }
  for (const Row& at : rows("JoinedTables").where("moment", "after")) {
    PairRun& run = made[places.at(name_of(at))];
    run.overlap = at.number("overlap");
    run.concentration = at.number("ratio") / at.number("turned");
    run.words_left = at.number("words") / at.number("held");
  }
  return made;
}

Experiment pairs_on_text(const std::string& file, const SharedText& text, std::size_t threads) {
  require(text != nullptr, "--text-runs {}: needs a text (--corpus FILE)", file);
  const std::vector<PairRun> before =
      file == "none" ? std::vector<PairRun>{} : read_pair_runs(read_file(file), file);
  // One cost for all: they are made in the order of the plan.
  return file_of_runs(next_runs(before, runs_at_once * threads), text, "text_runs",
                      [before](const Frames& measured, Out& out) {
                        std::vector<PairRun> made = before;
                        for (PairRun& run : pair_runs_of(measured)) {
                          run.program = this_program();
                          made.push_back(std::move(run));
                        }
                        add_pair_runs(in_order(std::move(made)), out);
                      });
}

}  // namespace perp::learning
