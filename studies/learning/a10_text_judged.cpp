#include "studies/learning/a10_text_judged.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "perp/io/sha256.hpp"
#include "perp/statistics/order.hpp"
#include "perp/statistics/trimmed.hpp"
#include "studies/learning/a10_text.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {

extern const std::string_view text_runs_text;  // text_runs.csv, by the build

namespace {

/// ln(bits per byte of adding over concatenating) that counts as none; what is cut at either end of the pairs. Late: so many times the median of both arms after a quarter of the steps.
constexpr double most_lost_in_pairs = 0.01, trimmed = 0.2, late = 1.03;
/// Bits that a model has to be better than byte frequencies, and that no positions have to lose.
constexpr double least_learned = 1, least_lost_without = 0.1;

/// Two arms by their pair and how positions come in.
struct TwoArms {
  std::string_view name, says, first_pair, first, second_pair, second;
};
constexpr std::array compared_arms{
    TwoArms{"centred", "sinusoid, centred", "centred", "add", "centred", "concat"},
    TwoArms{"as_is", "sinusoid as it is", "as_is", "add", "as_is", "concat"},
    TwoArms{"started", "learned, started at the sinusoid", "started", "add", "started", "concat"},
    TwoArms{"d32", "d = 32, sinusoid", "d32", "add", "d32", "concat"},
    TwoArms{"framed", "sinusoid through a random frame", "framed", "framed", "centred", "concat"},
    TwoArms{"causal", "the next byte", "causal", "add", "causal", "concat"},
    TwoArms{"longer", "twice the bytes", "longer", "add", "longer", "concat"},
    TwoArms{"rotary", "RoPE against concatenated", "rotary", "rotary", "centred", "concat"},
    TwoArms{"none", "no positions against concatenated", "none", "none", "centred", "concat"}};

std::string key(const Run& run) { return to_text(coordinates_of(run)); }

/// What two arms came to with one seed.
struct Pair {
  PairRun first, second;
  double line = NAN;  ///< above it a run is late

  double lost() const { return std::log(first.end / second.end); }
  bool first_late() const { return first.quarter > line; }
  bool second_late() const { return second.quarter > line; }
};

struct PairedRuns {
  TwoArms arms;
  std::size_t wanted = 0;  ///< pairs, from which on it is judged
  std::size_t first_trials = 0, second_trials = 0;
  std::vector<Pair> pairs = {};

  std::vector<double> lost() const {
    std::vector<double> values;
    for (const Pair& pair : pairs) values.push_back(pair.lost());
    return values;
  }
  std::size_t count(bool first_late, bool second_late) const {
    return std::size_t(std::ranges::count_if(pairs, [&](const Pair& pair) {
      return pair.first_late() == first_late && pair.second_late() == second_late;
    }));
  }
  Estimate centre() const {
    const std::vector<double> values = lost();
    if (values.size() < pilot_pairs) return {moments_of(values).mean};
    const TrimmedMean mean = trimmed_mean(values, trimmed);
    return estimated(mean.value, mean.spread);
  }
  double deviation() const { return std::sqrt(moments_of(lost()).variance); }
};

const PairArm* arm_of(const PairPlan& plan, std::string_view pair, std::string_view arm) {
  const auto found = std::ranges::find_if(
      plan.arms, [&](const PairArm& one) { return one.pair == pair && one.run.arm == arm; });
  return found == plan.arms.end() ? nullptr : &*found;
}

/// Runs by which the arm's width, size and rate were chosen; its own alone, as another's are listed there.
std::size_t trials_of(const std::vector<PairRun>& made, const Run& arm) {
  return count_if(made, [&](const Run& run) {
    return run.until == until_tried && run.arm == arm.arm && run.positions == arm.positions &&
           run.task == arm.task && run.width == arm.width;
  });
}

std::vector<PairedRuns> comparisons_of(const std::vector<PairRun>& made) {
  std::map<std::string, const PairRun*> by_name;
  for (const PairRun& run : made) by_name[key(run)] = &run;
  const PairPlan plan = pair_plan(made);
  std::vector<PairedRuns> all;
  for (const TwoArms& arms : compared_arms) {
    const PairArm *first = arm_of(plan, arms.first_pair, arms.first),
                  *second = arm_of(plan, arms.second_pair, arms.second);
    if (!first || !second) continue;
    PairedRuns comparison{arms, arms.name == "started" ? as_is_pairs : std::min(first->seeds, second->seeds),
                          trials_of(made, first->run), trials_of(made, second->run)};
    std::vector<double> quarters;
    Run a = first->run, b = second->run;
    for (std::size_t i = 0; i < comparison.wanted; ++i, ++a.seed, ++b.seed) {
      const auto one = by_name.find(key(a)), other = by_name.find(key(b));
      if (one == by_name.end() || other == by_name.end()) continue;
      comparison.pairs.push_back({*one->second, *other->second});
      quarters.insert(quarters.end(), {one->second->quarter, other->second->quarter});
    }
    if (comparison.pairs.empty()) continue;
    const double line = late * median(quarters);
    for (Pair& pair : comparison.pairs) pair.line = line;
    all.push_back(std::move(comparison));
  }
  return all;
}

double mean_end(const PairedRuns& comparison, PairRun Pair::*arm) {
  double sum = 0;
  for (const Pair& pair : comparison.pairs) sum += (pair.*arm).end;
  return sum / double(comparison.pairs.size());
}

/// Whether models without positions are worse than any arm that has them, by what it takes to compare arms.
bool positions_matter(const std::vector<PairedRuns>& all) {
  const auto none = std::ranges::find_if(all, [](const PairedRuns& one) { return one.arms.name == "none"; });
  return none != all.end() && none->pairs.size() >= none->wanted &&
         mean_end(*none, &Pair::first) - mean_end(*none, &Pair::second) >= least_lost_without;
}
bool is_judged(const PairedRuns& comparison, double unigram) {
  return comparison.pairs.size() >= comparison.wanted &&
         std::ranges::all_of(comparison.pairs, [&](const Pair& pair) {
           const bool is_without = comparison.arms.name == "none";
           return pair.second.end <= unigram - least_learned &&
                  (is_without || pair.first.end <= unigram - least_learned);
         });
}

void add_tables(const std::vector<PairedRuns>& all, Summary& summary) {
  using Item = PairedRuns;
  const auto setting = [](const char* name, const char* meaning, auto Run::*get, PairRun Pair::*arm) {
    return exact(name, meaning,
                 [get, arm](const Item& one) { return ColumnValue(one.pairs.front().*arm.*get); });
  };
  const auto text = [](const char* name, const char* meaning, std::string_view TwoArms::*get) {
    return exact(name, meaning, [get](const Item& one) { return std::string(one.arms.*get); });
  };
  const auto late_runs = [](const char* name, const char* meaning, bool first, bool second) {
    return counted(name, meaning, [=](const Item& one) { return one.count(first, second); });
  };
  summary.table(
      "a10_text_paired.csv", all,
      {text("pair", "its name in findings", &TwoArms::name),
       text("says", "what differs", &TwoArms::says),
       exact("pairs", "of runs that share a seed", [](const Item& one) { return one.pairs.size(); }),
       exact("wanted", "pairs from which on it is judged", [](const Item& one) { return one.wanted; }),
       setting("first_width", "dₚ of the first arm; 0: all d, or none", &Run::position_width, &Pair::first),
       setting("first_size", "its size s of the positions", &Run::size, &Pair::first),
       setting("first_rate", "Adam's highest", &Run::rate, &Pair::first),
       exact("first_trials", "runs of its own that it was chosen by",
             [](const Item& one) { return one.first_trials; }),
       setting("second_width", "dₚ of the second arm", &Run::position_width, &Pair::second),
       setting("second_size", "its size s", &Run::size, &Pair::second),
       setting("second_rate", "Adam's highest", &Run::rate, &Pair::second),
       exact("second_trials", "runs of its own", [](const Item& one) { return one.second_trials; }),
       sampled("first_bits", "a byte, mean over seeds",
               [](const Item& one) { return mean_end(one, &Pair::first); })
           .unit("bits"),
       sampled("second_bits", "likewise", [](const Item& one) { return mean_end(one, &Pair::second); })
           .unit("bits"),
       sampled("more", "bits per byte of the first arm over the second's, less 1: trimmed mean of logarithms",
               [](const Item& one) { return through(std::expm1, one.centre()); })
           .interval("more_low", "more_high", "Student's t of the trimmed mean, 99%")
           .n([](const Item& one) { return one.pairs.size(); })
           .chance(0),
       sampled("deviation", "standard deviation of the logarithms", &Item::deviation),
       counted("worse", "pairs in which the first arm has more bits per byte",
               [](const Item& one) {
                 return std::ranges::count_if(one.pairs, [](const Pair& pair) { return pair.lost() > 0; });
               }),
       late_runs("first_late", "pairs in which the first run alone is late", true, false),
       late_runs("second_late", "in which the second alone is", false, true),
       late_runs("both_late", "in which both are", true, true)});
  struct Seed : Pair {
    std::string_view name;
  };
  std::vector<Seed> seeds;
  for (const PairedRuns& one : all)
    for (const Pair& pair : one.pairs) seeds.push_back({pair, one.arms.name});
  const auto bits = [](const char* name, const char* meaning, PairRun Pair::*arm, double PairRun::*get) {
    return sampled(name, meaning, [=](const Seed& seed) { return seed.*arm.*get; }).unit("bits");
  };
  summary.table(
      "a10_text_paired_seeds.csv", seeds,
      {exact("pair", "as in a10_text_paired.csv", [](const Seed& seed) { return std::string(seed.name); }),
       exact("seed", "of words, weights and data", [](const Seed& seed) { return seed.first.seed; }),
       bits("first_quarter", "a byte after a quarter of the steps", &Pair::first, &PairRun::quarter),
       bits("first_end", "after all", &Pair::first, &PairRun::end),
       bits("second_quarter", "the same of the second arm", &Pair::second, &PairRun::quarter),
       bits("second_end", "after all", &Pair::second, &PairRun::end),
       sampled("more", "bits per byte at the end, first over second, less 1",
               [](const Seed& seed) { return std::expm1(seed.lost()); }),
       counted("first_late", "1: late", [](const Seed& seed) { return int(seed.first_late()); }),
       counted("second_late", "1: late", [](const Seed& seed) { return int(seed.second_late()); })});
}

void add_findings(const PairedRuns& one, Summary& summary) {
  const Coordinates at{{"text", std::string(one.arms.name)}};
  const std::size_t n = one.pairs.size(), first = one.count(true, false), second = one.count(false, true);
  const Moments plain = moments_of(one.lost());
  const auto add = [&](std::string_view measure, const Estimate& estimate, Kind kind,
                       std::string_view meaning) {
    summary.number(measure, at, estimate, {.theory = 0, .n = n, .kind = kind, .meaning = meaning});
  };
  const Estimate centre = one.centre();
  add("paired_lost", centre, Kind::sampled,
      "ln of the bits per byte of the first arm over the second's: 20% trimmed mean over pairs of runs that "
      "share a "
      "seed.");
  add("paired_more", through(std::expm1, centre), Kind::sampled,
      "Bits per byte of the first arm over the second's, less 1: from the trimmed mean of logarithms.");
  add("paired_mean", through(std::expm1, estimated(plain)), Kind::sampled,
      "The same from the plain mean of logarithms.");
  summary.number("paired_deviation", at, {std::sqrt(plain.variance)},
                 {.n = n, .kind = Kind::sampled, .meaning = "Standard deviation of the pairs' logarithms."});
  summary.number(
      "late_p", at, {exact_paired_p(first, second)},
      {.n = n,
       .kind = Kind::sampled,
       .meaning = "Probability of so many pairs whose first run alone is late, or more, among those where "
                  "one alone is, were either as likely (McNemar's exact test)."});
  for (const auto& [measure, count] : {std::pair("late_first", first), std::pair("late_second", second)})
    summary.number(
        measure, at, {double(count)},
        {.unit = "pairs",
         .n = n,
         .kind = Kind::sampled,
         .meaning = fmt::format("Pairs in which the {} run alone is late: after a quarter of the steps "
                                "above 1.03 times the median of both arms.",
                                measure == std::string_view("late_first") ? "first" : "second")});
}

/// How often the judged interval would lie below the rule's bound, were the arms equal.
void add_power(Summary& summary) {
  struct Power {
    double deviation;
    std::size_t pairs;
    double share() const { return power_below(most_lost_in_pairs, deviation, pairs, trimmed, judged_level); }
  };
  std::vector<Power> rows;
  for (const std::size_t pairs : {centred_pairs, as_is_pairs, limit_pairs})
    for (const double deviation : {0.009, 0.013, 0.0196}) rows.push_back({deviation, pairs});
  summary.table(
      "a10_text_power.csv", rows,
      {exact("pairs", "of runs that share a seed", &Power::pairs),
       exact("deviation", "standard deviation of a pair's ln of bits per byte", &Power::deviation),
       rounded("power", "probability that pairs without a difference are found to lose less than 1%",
               &Power::share)});
}

}  // namespace

const std::vector<PairRun>& text_runs() {
  static const std::vector<PairRun> read = read_pair_runs(text_runs_text, "studies/learning/text_runs.csv");
  return read;
}

Input text_runs_input() { return {"text_runs.csv", sha256_hex(text_runs_text)}; }

void add_judged_pairs(const std::vector<PairRun>& made, const Text& text, Summary& summary) {
  if (made.empty()) return;
  add_pair_runs(made, "a10_text_runs.csv", summary);
  add_power(summary);
  const std::vector<PairedRuns> all = comparisons_of(made);
  if (all.empty()) return;
  add_tables(all, summary);
  for (const PairedRuns& one : all)
    if (one.arms.name == "started" && one.pairs.size() >= pilot_pairs) {
      PairedRuns pilot = one;
      pilot.pairs.resize(pilot_pairs);
      summary.number("pilot_deviation", {{"text", "started"}}, {pilot.deviation()},
                     {.n = pilot_pairs,
                      .kind = Kind::sampled,
                      .meaning = "Standard deviation of the pilot's pairs, ln of bits per byte."});
    }
  if (!positions_matter(all)) return;
  const double unigram = text.unigram_bits(Text::Part::judged_on, Text::Part::learned_by_pairs);
  for (const PairedRuns& one : all)
    if (is_judged(one, unigram)) add_findings(one, summary);
}

}  // namespace perp::learning
