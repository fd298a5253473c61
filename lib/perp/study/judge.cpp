#include "perp/study/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "perp/base/error.hpp"

namespace perp {
namespace {

template <class Enum, std::size_t N>
using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

constexpr NameTable<Verdict, 5> verdicts{{{Verdict::is_true, "true"},
                                          {Verdict::is_false, "false"},
                                          {Verdict::depends, "depends"},
                                          {Verdict::open, "open"},
                                          {Verdict::unmeasured, "unmeasured"}}};
constexpr NameTable<Answer, 4> answers{{{Answer::holds, "holds"},
                                        {Answer::fails, "fails"},
                                        {Answer::open, "open"},
                                        {Answer::unmeasured, "unmeasured"}}};
constexpr NameTable<Is, 3> relations{{{Is::below, "below"}, {Is::above, "above"}, {Is::equal, "equal"}}};
constexpr NameTable<Role, 2> roles{{{Role::core, "core"}, {Role::limit, "limit"}}};
constexpr NameTable<Evidence, 5> kinds_of_evidence{{{Evidence::theorem, "theorem"},
                                                    {Evidence::closed_form, "closed form"},
                                                    {Evidence::simulation, "simulation"},
                                                    {Evidence::trained, "trained here"},
                                                    {Evidence::released, "released model"}}};

template <class Enum, std::size_t N>
std::string_view name_of(const NameTable<Enum, N>& names, Enum value) {
  return std::ranges::find(names, value, &std::pair<Enum, std::string_view>::first)->second;
}

template <class Enum, std::size_t N>
Enum value_of(const NameTable<Enum, N>& names, std::string_view text, std::string_view what) {
  const auto entry = std::ranges::find(names, text, &std::pair<Enum, std::string_view>::second);
  require(entry != names.end(), "{} '{}' is not known", what, text);
  return entry->first;
}

/// Of an exact number: never open, and what equals a bound is neither above nor below it.
Answer exact_answer(double value, Is is, double bound, double margin) {
  const bool holding = is == Is::below   ? value < bound
                       : is == Is::above ? value > bound
                                         : std::abs(value - bound) <= margin;
  return holding ? Answer::holds : Answer::fails;
}

Answer answer_of(const Interval& interval, Is is, double bound, double margin) {
  // Where it has to lie: between two ends, one of which is far away unless it is an equivalence.
  constexpr double far = std::numeric_limits<double>::infinity();
  const double least = is == Is::below ? -far : is == Is::above ? bound : bound - margin;
  const double most = is == Is::above ? far : is == Is::below ? bound : bound + margin;
  if (least < interval.low && interval.high < most) return Answer::holds;
  return interval.high < least || most < interval.low ? Answer::fails : Answer::open;
}

/// Draws stand behind it, in whatever preset: simulations and training always, a released table where its
/// number was drawn.
bool is_sampled(const std::vector<Finding>& findings, const Condition& condition) {
  if (condition.evidence == Evidence::simulation || condition.evidence == Evidence::trained) return true;
  const Finding* finding = find(findings, condition.finding);
  return finding && finding->spread;
}

/// The level of a factor that a condition has; empty where it has none.
std::string_view level_of(const Condition& condition, std::string_view factor) {
  for (const auto& [name, level] : condition.levels)
    if (name == factor) return level;
  return "";
}

std::string_view lineage_of(const Condition& condition) {
  const std::string_view declared = level_of(condition, "lineage");
  return declared.empty() ? level_of(condition, "model") : declared;
}

/// Without whose they are.
Levels levels_of_any_model(const Condition& condition) {
  Levels levels = condition.levels;
  std::erase_if(levels, [](const auto& level) { return level.first == "model" || level.first == "lineage"; });
  return levels;
}

/// Two models of one lineage, asked for the same.
bool are_one_witness(const Condition& a, const Condition& b) {
  return !a.finding.empty() && !b.finding.empty() && !lineage_of(a).empty() &&
         lineage_of(a) == lineage_of(b) && level_of(a, "model") != level_of(b, "model") && a.role == b.role &&
         levels_of_any_model(a) == levels_of_any_model(b);
}

/// The first factor, as the rule declares them, with levels of its own for what holds and for what fails.
std::string separating_factor(const Rule& rule, const std::vector<Reading>& readings) {
  std::vector<std::string> factors;
  for (const Condition& condition : rule)
    for (const auto& [name, level] : condition.levels)
      if (condition.role == Role::core && std::ranges::count(factors, name) == 0) factors.push_back(name);
  for (const std::string& factor : factors) {
    std::set<std::string_view> holding, failing, both;
    for (std::size_t i = 0; i < rule.size(); ++i) {
      if (rule[i].role != Role::core) continue;
      if (readings[i].answer == Answer::holds) holding.insert(level_of(rule[i], factor));
      if (readings[i].answer == Answer::fails) failing.insert(level_of(rule[i], factor));
    }
    std::set_intersection(holding.begin(), holding.end(), failing.begin(), failing.end(),
                          std::inserter(both, both.end()));
    if (both.empty()) return factor;
  }
  return "";
}

struct Tally {
  std::size_t holds = 0, fails = 0, open = 0;
  void add(Answer answer) {
    holds += answer == Answer::holds;
    fails += answer == Answer::fails;
    open += answer == Answer::open;
  }
};

Verdict verdict_of(const Tally& judged, const Tally& strict) {
  if (judged.holds + judged.fails + judged.open == 0) return Verdict::unmeasured;
  if (judged.fails + judged.open == 0) return Verdict::is_true;
  if (judged.holds + judged.open == 0) return Verdict::is_false;
  return strict.holds > 0 && strict.fails > 0 ? Verdict::depends : Verdict::open;
}

/// Throws Error where the condition's number, or the one that it is compared with, is not among the findings
/// and the condition does not say what it needs.
void check_names(const std::vector<Finding>& findings, const Condition& condition) {
  const auto check = [&](const std::string& id) {
    require(find(findings, id) != nullptr,
            "a rule asks for the finding '{}', which is not there; a condition that may lack its number says "
            "what it needs",
            id);
  };
  if (!condition.needs.empty()) return;
  check(condition.finding);
  const std::string* bound = std::get_if<std::string>(&condition.bound);
  if (bound && *bound != "theory") check(*bound);
}

}  // namespace

std::string_view to_text(Verdict verdict) { return name_of(verdicts, verdict); }
Verdict verdict_from(std::string_view text) { return value_of(verdicts, text, "verdict"); }
std::string_view to_text(Answer answer) { return name_of(answers, answer); }
Answer answer_from(std::string_view text) { return value_of(answers, text, "outcome"); }
std::string_view to_text(Is is) { return name_of(relations, is); }
Is is_from(std::string_view text) { return value_of(relations, text, "relation"); }
std::string_view to_text(Role role) { return name_of(roles, role); }
Role role_from(std::string_view text) { return value_of(roles, text, "role"); }
std::string_view to_text(Evidence evidence) { return name_of(kinds_of_evidence, evidence); }
Evidence evidence_from(std::string_view text) { return value_of(kinds_of_evidence, text, "evidence"); }

std::optional<Interval> interval_at(const Finding& finding, double level) {
  if (finding.spread) return interval_at(finding.value, *finding.spread, level);
  // NaN is absent, as it will be once the finding has been through JSON.
  const auto there = [](const std::optional<double>& end) { return end && !std::isnan(*end); };
  require(!there(finding.low) && !there(finding.high),
          "finding '{}' has an interval and does not say how it spreads, so that no rule can use it",
          finding.id);
  return std::nullopt;
}

std::optional<double> bound_of(const std::vector<Finding>& findings, const Condition& condition) {
  if (const double* number = std::get_if<double>(&condition.bound))
    return std::isnan(*number) ? std::nullopt : std::optional(*number);
  const std::string& name = std::get<std::string>(condition.bound);
  const Finding* other = find(findings, name == "theory" ? condition.finding : name);
  const std::optional<double> bound = !other             ? std::nullopt
                                      : name == "theory" ? other->theory
                                                         : std::optional(other->value);
  return bound && std::isnan(*bound) ? std::nullopt : bound;
}

Answer answer(const std::vector<Finding>& findings, const Condition& condition, double level) {
  const Finding* finding = find(findings, condition.finding);
  const std::optional<double> bound = bound_of(findings, condition);
  if (!finding || std::isnan(finding->value) || !bound) return Answer::unmeasured;
  const std::optional<Interval> interval = interval_at(*finding, level);
  if (!interval) return exact_answer(finding->value, condition.is, *bound, condition.margin);
  const std::uint64_t replicates = finding->spread->replicates;
  if (replicates > 0 && replicates < fewest_replicates) return Answer::unmeasured;
  return answer_of(*interval, condition.is, *bound, condition.margin);
}

Judgement judge(const std::vector<Finding>& findings, const Rule& rule) {
  require(!rule.empty(), "a claim needs at least one condition to be judged by");
  Judgement judgement;
  std::size_t sampled = 0;
  for (const Condition& condition : rule) {
    check_names(findings, condition);
    if (condition.role != Role::core) continue;
    ++judgement.core;
    sampled += is_sampled(findings, condition);
  }
  if (sampled > 0) judgement.strict_level = 1 - (1 - judged_level) / static_cast<double>(sampled);
  Tally judged, strict, limits;
  for (const Condition& condition : rule) {
    Reading reading{answer(findings, condition), answer(findings, condition, judgement.strict_level), {}};
    if (reading.answer != Answer::unmeasured)
      reading.interval = interval_at(*find(findings, condition.finding), judged_level);
    const bool core = condition.role == Role::core;
    judgement.unmeasured += core && reading.answer == Answer::unmeasured;
    (core ? judged : limits).add(reading.answer);
    if (core) strict.add(reading.strict);
    judgement.readings.push_back(reading);
  }
  judgement.verdict = verdict_of(judged, strict);
  const bool either = judgement.verdict == Verdict::is_true || judgement.verdict == Verdict::depends;
  judgement.limited =
      (either && limits.fails > 0) || (judgement.verdict == Verdict::is_false && limits.holds > 0);
  if (judgement.verdict == Verdict::depends) judgement.factor = separating_factor(rule, judgement.readings);
  return judgement;
}

void keep_one_of_each_lineage(Rule& rule) {
  Rule kept;
  for (Condition& condition : rule)
    if (std::ranges::none_of(kept, [&](const Condition& first) { return are_one_witness(first, condition); }))
      kept.push_back(std::move(condition));
  rule = std::move(kept);
}

std::vector<Evidence> evidence_of(const Rule& rule) {
  std::vector<Evidence> found;
  for (const auto& [evidence, name] : kinds_of_evidence)
    if (std::ranges::any_of(rule, [&, kind = evidence](const Condition& condition) {
          return condition.role == Role::core && condition.evidence == kind;
        }))
      found.push_back(evidence);
  return found;
}

std::string to_text(const Judgement& judgement) {
  return fmt::format("{}{}", to_text(judgement.verdict), judgement.limited ? ", with limits" : "");
}

Condition condition(Role role, std::string_view finding, Is is, const Bound& bound, Evidence evidence,
                    const Levels& levels, std::string_view says, std::string_view needs) {
  return {std::string(finding), is, bound, 0, role, evidence, levels, std::string(says), std::string(needs)};
}

}  // namespace perp

template class std::vector<perp::Condition>;
