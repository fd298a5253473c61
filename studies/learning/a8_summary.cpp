// A8: findings, rule and condition.

#include <fmt/format.h>

#include "studies/learning/a8_growth.hpp"
#include "studies/learning/a8_tables.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t judged_width = 32;
constexpr double small_start = 0.2;

void add(std::vector<Finding>& findings, const char* measure, const Setting& setting, const BySeed& values,
         double theory, const char* meaning) {
  if (values.empty()) return;
  findings.push_back(
      finding("A8", measure, place(setting), over_seeds(values, decisive),
              {.theory = theory, .n = values.size(), .kind = Kind::sampled, .meaning = meaning}));
}

void add_findings(const Groups& groups, std::vector<Finding>& findings) {
  for (const auto& [setting, group] : groups) {
    const Paths paths(setting, group);
    const std::int64_t end = paths.end();
    add(findings, "growth", setting, paths.growth(end), 1,
        "Length of the words at the end of training over that before it, mean over seeds; chance: they keep "
        "it.");
    add(findings, "excess", setting, excess(setting, groups, end), 1,
        "The words' growth over that of the same seed's words in a model without positions, mean over seeds; "
        "chance: positions make no difference.");
    add(findings, "ratio", setting, paths.ratio(end), knee(setting, groups),
        "Length of positions over length of words at the end of training, mean over seeds; theory: the knee "
        "of claim A1, above which positions hide words.");
    add(findings, "inside", setting, paths.inside(end), 1,
        "Energy of words per direction that positions (without them: sinusoids) fill, over energy per "
        "direction of the space, at the end of training, mean over seeds; chance: words that know nothing of "
        "positions.");
    Setting usual = setting;
    usual.start = 1;
    if (setting.start == small_start && groups.contains(usual))
      add(findings, "met", setting, quotient(paths.ratio(end), Paths(usual, groups.at(usual)).ratio(end)), 1,
          "Length of positions over length of words at the end, from words that started at a fifth of the "
          "usual size, over the same from words of usual size; 1: both ended alike.");
  }
}

Rule rule() {
  const std::string width = fmt::format(".width{}", judged_width);
  Rule rule;
  for (const std::string_view task : tasks) {
    for (const char* arm : {"add_fixed", "add_learned"})
      rule.push_back({fmt::format("A8.excess.{}.{}{}", task, arm, width), Is::above, 1.0});
    rule.push_back({fmt::format("A8.inside.{}.add_fixed{}", task, width), Is::below, 1.0});
  }
  for (const char* task : {"copy2", "bite"}) {
    rule.push_back({fmt::format("A8.excess.{}.add_fixed{}.start0p2", task, width), Is::above, 1.0});
    rule.push_back({fmt::format("A8.ratio.{}.add_fixed{}.start0p2", task, width), Is::below, "theory"});
  }
  return rule;
}

/// How many of the rule's conditions on one measure hold, and how many there are.
struct Count {
  std::size_t held = 0, all = 0;
};
Count count(const Outcome& outcome, std::string_view measure, bool small) {
  Count out;
  for (const Condition& condition : outcome.rule)
    if (condition.finding.starts_with(fmt::format("A8.{}.", measure)) &&
        condition.finding.ends_with(".start0p2") == small) {
      ++out.all;
      if (find(outcome.findings, condition.finding) && holds(outcome.findings, condition)) ++out.held;
    }
  return out;
}

std::string condition_of(const Outcome& outcome) {
  const Count grown = count(outcome, "excess", false), small = count(outcome, "excess", true),
              turned = count(outcome, "inside", false), read = count(outcome, "ratio", true);
  return fmt::format(
      "words of usual size grew more with added positions than without in {} of {} comparisons at width {}, "
      "words that started at a fifth of it in {} of {}, and these ended below the knee in {} of {}; words "
      "left the directions of fixed positions on {} of {} tasks",
      grown.held, grown.all, judged_width, small.held, small.all, read.held, read.all, turned.held,
      turned.all);
}

}  // namespace

Outcome summarise_growth(const std::vector<CellRecords>& cells) {
  const Groups groups = groups_of(cells);
  Outcome outcome;
  outcome.tables = {path_table(groups), end_table(groups)};
  add_findings(groups, outcome.findings);
  outcome.rule = rule();
  if (judge(outcome.findings, outcome.rule) != Verdict::supported) outcome.condition = condition_of(outcome);
  return outcome;
}

}  // namespace perp::learning
