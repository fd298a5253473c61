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
    const Estimate gain = over_seeds(compared.gain, decisive, -1, 1),
                   saved = over_seeds(compared.saved, decisive, -most, most);
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
               "hundred answers or steps; where they are equal, one in two thousand would be.",
               what)}));
    };
    add("ahead", count.ahead, "more accurate after training than");
    add("behind", count.behind, "less accurate after training than");
    add("sooner", count.sooner, "at 90 % in fewer steps than");
    add("later", count.later, "at 90 % in more steps than");
    add("worse", count.worse, "less accurate than, or later at 90 % than,");
  }
}

/// Seed by seed, the mean over widths and over the tasks that need order, or over widths in counting.
std::vector<double> mean_over(const std::vector<Compared>& every, std::string_view pair, bool counting,
                              std::vector<double> Compared::*what) {
  std::vector<double> sums;
  double terms = 0;
  for (const Compared& compared : every) {
    if (compared.pair != pair || compared.first->depth != 1 || (compared.first->task == "count") != counting)
      continue;
    sums.resize((compared.*what).size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += (compared.*what)[i];
    ++terms;
  }
  for (double& sum : sums) sum /= terms;
  return sums;
}

void add_means(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  const std::vector<Compared> every = comparisons(all);
  const double most = static_cast<double>(compared(all).front()->steps);
  for (const std::string_view pair : judged)
    for (const bool counting : {false, true}) {
      const Coordinates at{{"tasks", std::string(counting ? "counting" : "order")},
                           {"pair", std::string(pair)}};
      const char* where =
          counting ? "in counting, mean over widths" : "mean over widths and tasks that need order";
      const std::vector<double> gain = mean_over(every, pair, counting, &Compared::gain),
                                saved = mean_over(every, pair, counting, &Compared::saved);
      findings.push_back(finding(
          "A10", "mean_gain", at, over_seeds(gain, decisive, -1, 1),
          {.theory = 0.0,
           .n = gain.size(),
           .kind = Kind::sampled,
           .meaning =
               fmt::format("Accuracy of adding less that of concatenating, {}, paired by seed.", where)}));
      const Estimate fewer = over_seeds(saved, decisive, -most, most);
      findings.push_back(finding("A10", "mean_saved", at, fewer,
                                 {.theory = 0.0,
                                  .unit = "steps",
                                  .n = saved.size(),
                                  .kind = Kind::sampled,
                                  .meaning = fmt::format("Steps to 90 % that adding needs less than "
                                                         "concatenating, {}, paired by seed.",
                                                         where)}));
      findings.push_back(finding("A10", "sure_loss", at, {std::max(0.0, -fewer.high.value_or(fewer.value))},
                                 {.theory = 0.0,
                                  .unit = "steps",
                                  .n = saved.size(),
                                  .kind = Kind::sampled,
                                  .meaning = fmt::format("Steps to 90 % that adding needs more than "
                                                         "concatenating, {}, at the favourable end of the "
                                                         "interval; none where that end saves some.",
                                                         where)}));
    }
}

/// "-0.16 (-0.25 to -0.07)"
std::string with_interval(const Finding& found) {
  return found.low ? fmt::format("{:+.2f} ({:+.2f} to {:+.2f})", found.value, *found.low, *found.high)
                   : fmt::format("{:+.2f}", found.value);
}

/// "+0.03 (-0.02 to +0.08) against half of the dimensions (worse in 0 of 8 tasks and widths) and …"
std::string gains_of(const std::vector<Finding>& findings, std::string_view positions) {
  const auto against = [&](const char* part, const char* article) {
    const auto the = [&](const char* measure) -> const Finding& {
      return *find(findings, fmt::format("A10.{}.{}_{}", measure, positions, part));
    };
    const Finding& worse = the("worse");
    return fmt::format("{} against {}{} of the dimensions (worse in {:.0f} of {} tasks and widths)",
                       with_interval(the("mean_gain.order")), article, part, worse.value, worse.n);
  };
  return against("half", "") + " and " + against("quarter", "a ");
}

std::string condition_of(const std::vector<Finding>& findings, std::size_t steps) {
  return fmt::format(
      "after {} steps on tasks that need order adding gains, of the answers, with fixed sinusoids {}, "
      "and with learned positions {}",
      steps, gains_of(findings, "fixed"), gains_of(findings, "learned"));
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
  // Shown to lose nothing, and not shown to lose: refuted is only what loses wherever it is compared.
  const double some_steps = margin * static_cast<double>(compared(all).front()->steps);
  for (const std::string_view pair : judged) {
    outcome.rule.push_back({fmt::format("A10.mean_gain.order.{}", pair), Is::above, -margin});
    outcome.rule.push_back({fmt::format("A10.sure_loss.order.{}", pair), Is::below, some_steps});
    outcome.rule.push_back({fmt::format("A10.sure_loss.counting.{}", pair), Is::below, some_steps});
  }
  if (text) outcome.rule.push_back({"A10.perplexity_ratio.add_fixed", Is::below, 1 + margin});
  if (judge(findings, outcome.rule) != Verdict::supported)
    outcome.condition = condition_of(findings, compared(all).front()->steps);
  return outcome;
}

}  // namespace perp::learning
