// A9: the runs and the rule; a9_angles.cpp, a9_terms.cpp and a9_probes.cpp measure.

#include "studies/learning/a9_apart.hpp"

#include <fmt/format.h>

#include <array>

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

struct Arm_of {
  const char *arm, *positions;
};
constexpr std::array<Arm_of, 2> judged{{{"add_fixed", "sinusoidal"}, {"add_learned", "learned"}}};

/// "A9.word.all.add_fixed.width32.input", and without a place in the model "A9.overlap_ratio.…"
std::string id_of(std::string_view measure, std::string_view task, std::string_view arm,
                  std::string_view where = "") {
  return fmt::format("A9.{}.{}.{}.width{}{}{}", measure, task, arm, judged_width, where.empty() ? "" : ".",
                     where);
}

/// What a linear reader finds at the input, over all tasks, under the task's name "all".
void add_pooled(const std::map<Setting, Group>& groups, std::string_view arm,
                std::vector<Finding>& findings) {
  for (const char* what : {"word", "position"}) {
    std::vector<Moments> strata;
    for (const std::string_view task : tasks) {
      const auto group = groups.find({std::string(task), std::string(arm), 0, judged_width});
      if (group == groups.end()) return;
      strata.push_back(moments_of(probed(group->second, "input", what)));
    }
    const std::optional<Estimate> pooled = over_strata(strata);
    if (!pooled) return;
    Coordinates at = place({"all", std::string(arm), 0, judged_width});
    at.emplace_back("where", "input");
    findings.push_back(
        finding("A9", what, at, *pooled,
                {.n = pooled->spread->replicates * strata.size(),
                 .kind = Kind::sampled,
                 .meaning = fmt::format("Share of tokens whose {} is read linearly from the sum "
                                        "after training, mean over tasks and seeds.",
                                        what)}));
  }
}

/// The overlap is O4's, with the arm's own positions before the first step, so that a table that turns with
/// the words does not hide what they do.
Condition apart(std::string_view task, const Arm_of& arm, Role role) {
  Condition condition{
      .finding = id_of("overlap_ratio", task, arm.arm),
      .is = Is::below,
      .bound = 1.0,
      .role = role,
      .evidence = Evidence::trained,
      .levels = {{"measure", "overlap"}, {"positions", arm.positions}},
      .says = fmt::format("overlap of words with {} positions, after training over before, "
                          "relative to no positions, {}, d = {}",
                          arm.positions, task == "all" ? "mean over tasks" : fmt::format("task {}", task),
                          judged_width),
      .needs = "not programmed yet: the overlap with the positions of step 0, with and without positions"};
  if (task != "all") condition.levels.emplace_back("task", task);
  return condition;
}

Rule rule() {
  Rule rule;
  for (const Arm_of& arm : judged)
    for (const char* what : {"word", "position"})
      rule.push_back({.finding = id_of(what, "all", arm.arm, "input"),
                      .is = Is::above,
                      .bound = read_share,
                      .evidence = Evidence::trained,
                      .levels = {{"measure", fmt::format("{} probe", what)}, {"positions", arm.positions}},
                      .says = fmt::format("share of tokens whose {} a linear probe finds in the sum, {} "
                                          "positions, mean over tasks, d = {}",
                                          what, arm.positions, judged_width),
                      .needs = "eight seeds of every task: preset full"});
  for (const Arm_of& arm : judged) rule.push_back(apart("all", arm, Role::core));
  for (const Arm_of& arm : judged)
    for (const std::string_view task : tasks) rule.push_back(apart(task, arm, Role::limit));
  return rule;
}

std::string condition_of(const std::vector<Finding>& findings) {
  const auto share = [&](const char* what, const char* arm) {
    const Finding* found = find(findings, id_of(what, "all", arm, "input"));
    return found ? fmt::format("{:.1f} %", 100 * found->value) : std::string("an unmeasured share");
  };
  const Finding* overlap = find(findings, id_of("overlap_ratio", "all", "add_fixed"));
  return fmt::format(
      "linear probes of the sum find {} of the words and {} of the positions with the sinusoid, {} and {} "
      "with "
      "learned positions; {}",
      share("word", "add_fixed"), share("position", "add_fixed"), share("word", "add_learned"),
      share("position", "add_learned"),
      overlap ? fmt::format(
                    "words' overlap with the sinusoid goes to {:.2f} times what it does without positions",
                    overlap->value)
              : "whether words turn away from positions was not measured");
}

}  // namespace

void add_a9(std::vector<Finding>& findings, const char* measure, const Coordinates& at, const BySeed& values,
            double theory, const char* meaning) {
  if (values.empty()) return;
  findings.push_back(
      finding("A9", measure, at, over_seeds(values),
              {.theory = theory, .n = values.size(), .kind = Kind::sampled, .meaning = meaning}));
}

Outcome summarise_apart(const std::vector<CellRecords>& cells) {
  const std::map<Setting, Group> groups = groups_of(cells);
  Outcome outcome;
  outcome.tables = {angle_table(groups), term_table(groups), probe_table(groups), probe_seed_table(groups)};
  add_angle_findings(groups, outcome.findings);
  add_term_findings(groups, outcome.findings);
  add_probe_findings(groups, outcome.findings);
  for (const Arm_of& arm : judged) add_pooled(groups, arm.arm, outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings);
  outcome.matters = fmt::format(
      "d = {} leaves less room than any model in use, and a probe that finds both there needs no turning "
      "away",
      judged_width);
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
