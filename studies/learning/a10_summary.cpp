// A10: how the arms compare over all tasks, rule and condition.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/learning/a10_arms.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

constexpr std::array<std::string_view, 4> judged{"fixed_half", "fixed_quarter", "learned_half",
                                                 "learned_quarter"};

/// In how many tasks and widths adding is better or worse by its whole interval, and by the margin.
struct Count {
  std::uint64_t ahead = 0, behind = 0, sooner = 0, later = 0, worse = 0, asked = 0;
};
Count count_of(const std::vector<Compared>& every, std::string_view pair) {
  Count count;
  for (const Compared& compared : every) {
    if (compared.pair != pair || compared.first->depth != 1) continue;
    const double most = static_cast<double>(compared.first->steps);
    const Estimate gain = over_seeds(compared.gain, -1, 1), saved = over_seeds(compared.saved, -most, most);
    // More than the margin, and for certain: between answers that are all right a hair may be certain.
    const auto above = [](const Estimate& e, double least) { return e.low > 0.0 && e.value > least; };
    const auto below = [](const Estimate& e, double least) {
      return e.high && *e.high < 0 && e.value < -least;
    };
    ++count.asked;
    count.ahead += above(gain, margin);
    count.behind += below(gain, margin);
    count.sooner += above(saved, margin * most);
    count.later += below(saved, margin * most);
    count.worse += below(gain, margin) || below(saved, margin * most);
  }
  return count;
}

void add_counts(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  const std::vector<Compared> every = comparisons(all);
  for (const std::string_view pair : judged) {
    const Count count = count_of(every, pair);
    const auto add = [&](const char* measure, std::uint64_t counted, const char* what) {
      findings.push_back(finding(
          "A10", measure, {{"pair", std::string(pair)}}, {static_cast<double>(counted)},
          {.theory = 0.0,
           .unit = "comparisons",
           .n = count.asked,
           .kind = Kind::sampled,
           .meaning = fmt::format(
               "Tasks and widths where adding is {} the concatenation by its whole interval, and by two in a "
               "hundred answers or steps; where they are equal, one in two hundred would be.",
               what)}));
    };
    add("ahead", count.ahead, "more accurate after training than");
    add("behind", count.behind, "less accurate after training than");
    add("sooner", count.sooner, "at 90 % in fewer steps than");
    add("later", count.later, "at 90 % in more steps than");
    add("worse", count.worse, "less accurate than, or later at 90 % than,");
  }
}

/// The comparisons of a pair in models of one block, on the tasks that need order or in counting.
std::vector<Compared> of_pair(const std::vector<Compared>& every, std::string_view pair, bool counting) {
  std::vector<Compared> chosen;
  for (const Compared& compared : every)
    if (compared.pair == pair && compared.first->depth == 1 && (compared.first->task == "count") == counting)
      chosen.push_back(compared);
  return chosen;
}

/// Task by task and width by width, one stratum each.
std::optional<Estimate> mean_over(const std::vector<Compared>& cells, std::vector<double> Compared::*what) {
  std::vector<Moments> strata;
  for (const Compared& cell : cells) strata.push_back(moments_of(cell.*what));
  return over_strata(strata);
}

std::size_t runs_in(const std::vector<Compared>& cells) {
  std::size_t runs = 0;
  for (const Compared& cell : cells) runs += cell.gain.size();
  return runs;
}

void add_means(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  const std::vector<Compared> every = comparisons(all);
  for (const std::string_view pair : judged)
    for (const bool counting : {false, true}) {
      const std::vector<Compared> cells = of_pair(every, pair, counting);
      const Coordinates at{{"tasks", counting ? "counting" : "order"}, {"pair", std::string(pair)}};
      const char* where =
          counting ? "in counting, mean over widths" : "mean over widths and tasks that need order";
      const auto add = [&](const char* measure, const std::optional<Estimate>& estimate, const char* unit,
                           std::size_t runs, const char* what) {
        if (estimate)
          findings.push_back(
              finding("A10", measure, at, *estimate,
                      {.theory = 0.0,
                       .unit = unit,
                       .n = runs,
                       .kind = Kind::sampled,
                       .meaning = fmt::format("{}, {}; paired by seed within a task and width, "
                                              "variances added over these.",
                                              what, where)}));
      };
      add("mean_gain", mean_over(cells, &Compared::gain), "1", runs_in(cells),
          "Accuracy of adding less that of concatenating");
      add("mean_saved", mean_over(cells, &Compared::saved), "steps", runs_in(cells),
          "Steps to 90 % that adding needs less than concatenating");
      add("learned_gain", mean_over(cells, &Compared::learned), "1", runs_in(cells),
          "Share of the runs that learn, adding less concatenating");
      // Where no run learns, every ratio is that of the cap to itself and says nothing.
      std::vector<Compared> learning = cells;
      std::erase_if(learning, [](const Compared& cell) {
        return learned_share_of(*cell.first).value == 0 && learned_share_of(*cell.second).value == 0;
      });
      add("log_steps", mean_over(learning, &Compared::log_steps), "1", runs_in(learning),
          "Logarithm of the steps to 90 % of adding over concatenating, a run that does not learn counting "
          "as "
          "all of its steps, without tasks and widths where none learns");
    }
}

/// Steps more than concatenating, and share of the runs fewer, that count as none.
constexpr double most_steps = 1.1, fewest_learned = -0.05;

Condition steps_condition(std::string finding, Role role, Levels levels, std::string_view arms,
                          std::string needs) {
  return {.finding = std::move(finding),
          .is = Is::below,
          .bound = std::log(most_steps),
          .role = role,
          .evidence = Evidence::trained,
          .levels = std::move(levels),
          .says = fmt::format("log of the steps to 90 % of adding over concatenating, {}", arms),
          .needs = std::move(needs)};
}
Condition learned_condition(std::string finding, Role role, Levels levels, std::string_view arms,
                            std::string needs) {
  return {.finding = std::move(finding),
          .is = Is::above,
          .bound = fewest_learned,
          .role = role,
          .evidence = Evidence::trained,
          .levels = std::move(levels),
          .says = fmt::format("share of the runs that learn, adding less concatenating, {}", arms),
          .needs = std::move(needs)};
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
    rule.push_back(steps_condition(fmt::format("A10.log_steps.tuned.{}_half", id), Role::core,
                                   {{"positions", level}, {"end point", "steps"}}, arms, tuned));
    rule.push_back(learned_condition(fmt::format("A10.learned_gain.tuned.{}_half", id), Role::core,
                                     {{"positions", level}, {"end point", "runs that learn"}}, arms, tuned));
  }
  const Levels as_is{{"positions", "sinusoid as is"}};
  const char* arms = "sinusoid as is, half of d for a concatenated one, tasks that need order";
  const char* seeds = "eight seeds and a run that learns: preset full";
  rule.push_back(steps_condition("A10.log_steps.order.fixed_half", Role::limit, as_is, arms, seeds));
  rule.push_back(learned_condition("A10.learned_gain.order.fixed_half", Role::limit, as_is, arms, seeds));
  for (const auto& [id, level, name, tuned] : positions) {
    rule.push_back(steps_condition(fmt::format("A10.log_steps.tuned.{}_quarter", id), Role::limit,
                                   {{"positions", level}},
                                   fmt::format("{}, a quarter of d for a concatenated one", name), tuned));
    rule.push_back({.finding = fmt::format("A10.mean_gain.steps2000.{}_half", id),
                    .is = Is::above,
                    .bound = -margin,
                    .role = Role::limit,
                    .evidence = Evidence::trained,
                    .levels = {{"positions", level}},
                    .says = fmt::format("accuracy after 2,000 steps, adding less concatenating, {}", name),
                    .needs = "not programmed yet: 2,000 steps, and the arms of the core"});
  }
  rule.push_back({.finding = "A10.text_lost.add_fixed",
                  .is = Is::below,
                  .bound = std::log(1 + margin),
                  .role = Role::limit,
                  .evidence = Evidence::trained,
                  .levels = as_is,
                  .says = "log perplexity of a text, adding less concatenating, where no positions lose",
                  .needs = "a text that a model without positions loses on"});
  return rule;
}

std::string condition_of(const std::vector<Finding>& findings, std::size_t steps) {
  const auto of = [&](const char* measure) {
    return find(findings, fmt::format("A10.{}.order.fixed_half", measure));
  };
  const Finding *log_steps = of("log_steps"), *learned = of("learned_gain");
  const std::string not_tuned =
      "arms with rates and sizes of their own and a centred sinusoid were not trained";
  if (!log_steps || !learned) return fmt::format("in {} steps no pair of arms learned; {}", steps, not_tuned);
  return fmt::format(
      "with the sinusoid as it is adding takes {:.2f} times the steps of concatenating, and the share of "
      "runs "
      "that learn in {} steps changes by {:+.0f} points; {}",
      std::exp(log_steps->value), steps, 100 * learned->value, not_tuned);
}

}  // namespace

Outcome summarise_arms(const std::vector<CellRecords>& cells, const SharedText& text) {
  const std::vector<Trained> all = trained(cells);
  const double unigram = text ? text->unigram_perplexity() : std::nan("");
  Outcome outcome;
  outcome.tables = arm_tables(all, unigram);
  std::vector<Finding>& findings = outcome.findings;
  add_counts(all, findings);
  add_means(all, findings);
  const std::vector<Finding> single = arm_findings(all, unigram);
  findings.insert(findings.end(), single.begin(), single.end());
  outcome.rule = rule();
  outcome.condition = condition_of(findings, compared(all).front()->steps);
  const auto constant = [&](const char* where) {
    return 100 * find(findings, fmt::format("A10.constant_share.{}", where))->value;
  };
  outcome.matters = fmt::format(
      "trained at d = 16 and 32 on 32 tokens, where {:.0f} % of the sinusoid's power is a constant; at d = "
      "512 "
      "and 512 tokens {:.0f} % is",
      constant("width32.l32"), constant("width512.l512"));
  return outcome;
}

}  // namespace perp::learning
