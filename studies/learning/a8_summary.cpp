// A8: findings, rule and condition.

#include <fmt/format.h>

#include <array>
#include <span>

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
      finding("A8", measure, place(setting), over_seeds(values),
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

/// Over several tasks, under the task's name "all"; nothing unless each was measured on two seeds or more.
Coordinates all_tasks(std::string_view arm, double start) {
  return place({"all", std::string(arm), 0, judged_width, start});
}
void add_pooled(const Groups& groups, std::span<const std::string_view> over, std::string_view arm,
                double start, std::vector<Finding>& findings) {
  std::vector<Moments> strata;
  for (const std::string_view task : over) {
    const Setting setting{std::string(task), std::string(arm), 0, judged_width, start};
    const auto group = groups.find(setting);
    if (group == groups.end()) return;
    const BySeed values = excess(setting, groups, Paths(setting, group->second).end());
    if (values.empty()) return;
    strata.push_back(moments_of(values));
  }
  if (const std::optional<Estimate> pooled = over_strata(strata))
    findings.push_back(finding("A8", "excess", all_tasks(arm, start), *pooled,
                               {.theory = 1.0,
                                .n = pooled->spread->replicates * strata.size(),
                                .kind = Kind::sampled,
                                .meaning = "The words' growth over that of the same seed's words in a model "
                                           "without positions, mean over tasks and seeds; chance: positions "
                                           "make no difference."}));
}

constexpr std::array<std::string_view, 2> small_tasks{"copy2", "bite"};

std::string excess_id(std::string_view arm, double start = 1) {
  return finding_id("A8", "excess", all_tasks(arm, start));
}

Rule rule() {
  const auto grown = [](const char* arm, const char* positions, double start, Role role) {
    return Condition{
        .finding = excess_id(arm, start),
        .is = Is::above,
        .bound = 1.0,
        .role = role,
        .evidence = Evidence::trained,
        .levels = {{"positions", positions}},
        .says = fmt::format("growth of words with {} positions over growth without, mean over {} "
                            "tasks, d = {}{}",
                            positions, start == 1 ? tasks.size() : small_tasks.size(), judged_width,
                            start == 1 ? "" : ", from a start of a fifth"),
        .needs = "eight seeds of every task: preset full"};
  };
  return {grown("add_fixed", "sinusoidal", 1, Role::core), grown("add_learned", "learned", 1, Role::core),
          grown("add_fixed", "sinusoidal", small_start, Role::limit)};
}

std::string condition_of(const std::vector<Finding>& findings) {
  const auto pooled = [&](std::string_view arm, double start) {
    const Finding* found = find(findings, excess_id(arm, start));
    return found ? fmt::format("{:.2f}", found->value) : std::string("an unmeasured number of");
  };
  return fmt::format(
      "words grow {} times as much with the sinusoid added as without positions, {} times with learned "
      "positions, and {} times with the sinusoid where they start at a fifth of the usual length",
      pooled("add_fixed", 1), pooled("add_learned", 1), pooled("add_fixed", small_start));
}

}  // namespace

Outcome summarise_growth(const std::vector<CellRecords>& cells) {
  const Groups groups = groups_of(cells);
  Outcome outcome;
  outcome.tables = {path_table(groups), end_table(groups), seed_table(groups)};
  add_findings(groups, outcome.findings);
  for (const char* arm : {"add_fixed", "add_learned"}) add_pooled(groups, tasks, arm, 1, outcome.findings);
  add_pooled(groups, small_tasks, "add_fixed", small_start, outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings);
  outcome.matters = fmt::format(
      "measured at d = {} on tasks of few words; models of d = 384 to 1,024 start words and positions at "
      "sizes "
      "of their own",
      judged_width);
  return outcome;
}

}  // namespace perp::learning
