// What A10's pairs on a text came to.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "perp/io/sha256.hpp"
#include "perp/statistics/spread.hpp"
#include "studies/learning/a10_text.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {

extern const std::string_view text_runs_text;  // text_runs.csv, by the build

namespace {

/// ln(bits per byte of adding over concatenating) that counts as none; what is cut at either end of the pairs. Late: so many
/// times the median of both arms after a quarter of the steps.
constexpr double most_lost_in_pairs = 0.01, trimmed = 0.2, late = 1.03;
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
  return std::size_t(std::ranges::count_if(made, [&](const Run& run) {
    return run.until == until_tried && run.arm == arm.arm && run.positions == arm.positions &&
           run.task == arm.task && run.width == arm.width;
  }));
}

std::vector<PairedRuns> comparisons_of(const std::vector<PairRun>& made) {
  std::map<std::string, const PairRun*> by_name;
  for (const PairRun& run : made) by_name[name_of(run)] = &run;
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
      const auto one = by_name.find(name_of(a)), other = by_name.find(name_of(b));
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

void add_tables(const PairedRuns& one, Out& out) {
  const Run &first = one.pairs.front().first, &second = one.pairs.front().second;
  const std::string name(one.arms.name);
  out("text_paired", {{"pair", name},
                      {"says", std::string(one.arms.says)},
                      {"pairs", one.pairs.size()},
                      {"wanted", one.wanted},
                      {"first_width", first.position_width},
                      {"first_size", first.size},
                      {"first_rate", first.rate},
                      {"first_trials", one.first_trials},
                      {"second_width", second.position_width},
                      {"second_size", second.size},
                      {"second_rate", second.rate},
                      {"second_trials", one.second_trials},
                      {"first_bits", mean_end(one, &Pair::first)},
                      {"second_bits", mean_end(one, &Pair::second)},
                      {"more", through(std::expm1, one.centre())},
                      {"deviation", one.deviation()},
                      {"worse", std::ranges::count_if(one.lost(), [](double lost) { return lost > 0; })},
                      {"first_late", one.count(true, false)},
                      {"second_late", one.count(false, true)},
                      {"both_late", one.count(true, true)}});
  for (const Pair& pair : one.pairs)
    out("text_paired_seeds", {{"pair", name},
                              {"seed", pair.first.seed},
                              {"first_quarter", pair.first.quarter},
                              {"first_end", pair.first.end},
                              {"second_quarter", pair.second.quarter},
                              {"second_end", pair.second.end},
                              {"more", std::expm1(pair.lost())},
                              {"first_late", int(pair.first_late())},
                              {"second_late", int(pair.second_late())}});
}

void add_judged(const PairedRuns& one, Out& out) {
  const std::size_t first = one.count(true, false), second = one.count(false, true);
  const Moments plain = moments_of(one.lost());
  out("judged", {{"text", std::string(one.arms.name)},
                 {"pairs", one.pairs.size()},
                 {"lost", one.centre()},
                 {"more", through(std::expm1, one.centre())},
                 {"mean", through(std::expm1, estimated(plain))},
                 {"deviation", std::sqrt(plain.variance)},
                 {"late_p", exact_paired_p(first, second)},
                 {"late_first", first},
                 {"late_second", second}});
}

}  // namespace

const std::vector<PairRun>& text_runs() {
  static const std::vector<PairRun> read = read_pair_runs(text_runs_text, "studies/learning/text_runs.csv");
  return read;
}

Input text_runs_input() { return {"text_runs.csv", sha256_hex(text_runs_text)}; }

void add_judged_pairs(const std::vector<PairRun>& made, const Text& text, Out& out) {
  if (made.empty()) return;
  add_pair_runs(made, out);
  // How often the judged interval would lie below the rule's bound, were the arms equal.
  for (const std::size_t pairs : {centred_pairs, as_is_pairs, limit_pairs})
    for (const double deviation : {0.009, 0.013, 0.0196})
      out("text_power",
          {{"pairs", pairs},
           {"deviation", deviation},
           {"power", power_below(most_lost_in_pairs, deviation, pairs, trimmed, judged_level)}});
  const std::vector<PairedRuns> all = comparisons_of(made);
  for (const PairedRuns& one : all) {
    add_tables(one, out);
    if (one.arms.name != "started" || one.pairs.size() < pilot_pairs) continue;
    PairedRuns pilot = one;
    pilot.pairs.resize(pilot_pairs);
    out("pilot", {{"text", "started"}, {"deviation", pilot.deviation()}, {"pairs", pilot_pairs}});
  }
  if (!positions_matter(all)) return;
  const double unigram = text.unigram_bits(Text::Part::judged_on, Text::Part::learned_by_pairs);
  for (const PairedRuns& one : all)
    if (is_judged(one, unigram)) add_judged(one, out);
}

}  // namespace perp::learning
