// A9: the runs and the rule; a9_angles.cpp, a9_terms.cpp and a9_probes.cpp measure.

#include "studies/learning/a9_apart.hpp"

#include <fmt/format.h>

#include "studies/learning/claims.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t judged_width = 32;
/// Share read from which on a probe reads.
constexpr double read_share = 0.9;

std::vector<Cell> cells(const Options& options, const SharedText& text) {
  std::vector<Run> runs = main_runs(options);
  for (const auto& more : {text_runs(options, text)}) runs.insert(runs.end(), more.begin(), more.end());
  return cells_of(runs);
}

Rule rule() {
  Rule rule;
  for (const std::string_view task : tasks)
    for (const char* arm : {"add_fixed", "add_learned"}) {
      const std::string where = fmt::format("{}.{}.width{}", task, arm, judged_width);
      rule.push_back({fmt::format("A9.word.{}.input", where), Is::above, read_share});
      rule.push_back({fmt::format("A9.position.{}.input", where), Is::above, read_share});
      rule.push_back({fmt::format("A9.turned.{}", where), Is::below, 0.0});
      rule.push_back({fmt::format("A9.turned_centred.{}", where), Is::below, 0.0});
      rule.push_back({fmt::format("A9.mixed_change.{}", where), Is::below, 0.0});
    }
  return rule;
}

/// "3 of 8": the rule's conditions on one measure that hold.
std::string held(const Outcome& outcome, std::string_view measure) {
  std::size_t held = 0, all = 0;
  for (const Condition& condition : outcome.rule)
    if (condition.finding.starts_with(fmt::format("A9.{}.", measure))) {
      ++all;
      if (find(outcome.findings, condition.finding) && holds(outcome.findings, condition)) ++held;
    }
  return fmt::format("{} of {}", held, all);
}

}  // namespace

void add_a9(std::vector<Finding>& findings, const char* measure, const Coordinates& at, const BySeed& values,
            double theory, const char* meaning) {
  if (values.empty()) return;
  findings.push_back(
      finding("A9", measure, at, over_seeds(values, decisive),
              {.theory = theory, .n = values.size(), .kind = Kind::sampled, .meaning = meaning}));
}

Outcome summarise_apart(const std::vector<CellRecords>& cells) {
  const std::map<Setting, Group> groups = groups_of(cells);
  Outcome outcome;
  outcome.tables = {angle_table(groups), term_table(groups), probe_table(groups)};
  add_angle_findings(groups, outcome.findings);
  add_term_findings(groups, outcome.findings);
  add_probe_findings(groups, outcome.findings);
  outcome.rule = rule();
  if (judge(outcome.findings, outcome.rule) != Verdict::supported)
    outcome.condition = fmt::format(
        "of {} pairs of a task and fixed or learned positions added at width {}, a linear reader finds more "
        "than "
        "{:.0f} % of the words in the sum in {} and of the positions in {}; training turned words away from "
        "positions in {} and from what tells positions apart in {}, and took weight from the scores of words "
        "with positions in {}",
        2 * tasks.size(), judged_width, 100 * read_share, held(outcome, "word"), held(outcome, "position"),
        held(outcome, "turned"), held(outcome, "turned_centred"), held(outcome, "mixed_change"));
  return outcome;
}

Experiment kept_apart(const Options& options, const SharedText& text) {
  Experiment experiment{"A9",
                        "A trained model keeps word and position apart.",
                        "[b, a]",
                        text ? text->hashes() : std::vector<std::string>{},
                        cells(options, text),
                        trainer(text),
                        summarise_apart};
  experiment.work = work_name;
  return experiment;
}

}  // namespace perp::learning
