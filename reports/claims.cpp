#include "reports/claims.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "perp/base/error.hpp"
#include "reports/escape.hpp"
#include "reports/number.hpp"

namespace perp::report {
namespace {

std::string with_interval(const Finding& finding) {
  return format_with_interval(finding.value, finding.low, finding.high);
}

/// "0.1", "0.0875 (theory)", "`norm_ratio.sinusoidal` (1)"
std::string bound_text(const Results& study, const Claim& claim, const Condition& condition) {
  const std::string number = format_number(bound_of(study, condition));
  const std::string* name = std::get_if<std::string>(&condition.bound);
  if (!name) return number;
  return *name == "theory" ? fmt::format("{} (theory)", number)
                           : fmt::format("{} ({})", name_within(claim, *name), number);
}

/// "is below 0.1", "has 1 outside its interval": that the condition holds, or that it does not.
std::string predicate(const Results& study, const Claim& claim, const Condition& condition, bool holding) {
  const Finding& finding = *find(study.findings, condition.finding);
  const std::string bound = bound_text(study, claim, condition);
  if (condition.is == Is::below || condition.is == Is::above)
    return fmt::format("is {}{} {}", holding ? "" : "not ", to_text(condition.is), bound);
  const bool inside = (condition.is == Is::within) == holding;
  if (finding.low && finding.high)
    return fmt::format("has {} {} its interval", bound, inside ? "inside" : "outside");
  return fmt::format("is {}{}", inside ? "" : "not ", bound);
}

/// What would turn over all conditions that hold (or do not), those that ask the same under one roof: "one of
/// `a` (0.76 [0.75, 0.77]), `b` (0.9) is below 0.1 or `c` (2) is not above 1".
std::string turned(const Results& study, const Claim& claim, bool holding, bool any) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // a predicate and its subjects
  for (const Condition& condition : claim.rule) {
    if (holds(study.findings, condition) != holding) continue;
    const std::string asked = predicate(study, claim, condition, !holding);
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& known) { return known.first == asked; });
    if (group == groups.end()) group = groups.insert(groups.end(), {asked, {}});
    group->second.push_back(fmt::format("{} ({})", name_within(claim, condition.finding),
                                        with_interval(*find(study.findings, condition.finding))));
  }
  std::vector<std::string> parts;
  for (const auto& [asked, subjects] : groups)
    parts.push_back(fmt::format("{}{} {}",
                                subjects.size() == 1 ? ""
                                : any                ? "one of "
                                                     : "each of ",
                                fmt::join(subjects, ", "), asked));
  return fmt::format("{}", fmt::join(parts, any ? ", or " : ", and "));
}

std::string falsify_item(const Results& study, const Claim& claim) {
  const std::string lead =
      fmt::format("* **[{}](#{})**, {}", claim.id, anchor(claim.id), to_text(claim.verdict));
  switch (claim.verdict) {
    case Verdict::supported:
      return fmt::format("{}; no longer if {}.\n", lead, turned(study, claim, true, true));
    case Verdict::refuted:
      return fmt::format("{}; no longer if {}.\n", lead, turned(study, claim, false, true));
    case Verdict::conditional:
      return fmt::format("{}; supported if {}; refuted if {}.\n", lead, turned(study, claim, false, false),
                         turned(study, claim, true, false));
    case Verdict::unmeasured:
      break;
  }
  return fmt::format("{}: {}.\n", lead, escape_markdown(claim.condition));
}

std::string list_item(const Results& study, const Claim& claim) {
  std::string verdict(to_text(claim.verdict));
  verdict.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(verdict.front())));
  std::string text = fmt::format("* **[{}](#{}) “{}”** {}", claim.id, anchor(claim.id),
                                 escape_markdown(claim.statement), verdict);
  text += claim.condition.empty() ? "." : fmt::format(": {}.", escape_markdown(claim.condition));
  if (const Condition* condition = deciding_condition(study, claim)) {
    const Finding& finding = *find(study.findings, condition->finding);
    text += fmt::format(
        " Decided by {} = {}{}: the claim needs one that {}.", name_within(claim, finding.id),
        with_interval(finding),
        finding.theory ? fmt::format(" (theory or chance {})", format_number(*finding.theory)) : "",
        predicate(study, claim, *condition, true));
  }
  return text + "\n";
}

}  // namespace

std::vector<const Claim*> in_order(const Results& study) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : study.claims) claims.push_back(&claim);
  const auto key = [](const Claim* claim) {
    return std::tuple(claim->id.front(), claim->id.size(), claim->id);
  };
  std::stable_sort(claims.begin(), claims.end(),
                   [&](const Claim* a, const Claim* b) { return key(a) < key(b); });
  return claims;
}

std::string anchor(std::string_view claim) {
  std::string text;
  for (const char c : claim) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

double bound_of(const Results& study, const Condition& condition) {
  if (const double* limit = std::get_if<double>(&condition.bound)) return *limit;
  const std::string& name = std::get<std::string>(condition.bound);
  return name == "theory" ? *find(study.findings, condition.finding)->theory
                          : find(study.findings, name)->value;
}

std::string name_within(const Claim& claim, std::string_view finding) {
  const std::string own = fmt::format("{}.", claim.id);
  return fmt::format("`{}`", finding.starts_with(own) ? finding.substr(own.size()) : finding);
}

std::size_t conditions_held(const Results& study, const Claim& claim) {
  return static_cast<std::size_t>(
      std::count_if(claim.rule.begin(), claim.rule.end(),
                    [&](const Condition& condition) { return holds(study.findings, condition); }));
}

std::size_t count(const Facts& facts, Verdict verdict) {
  std::size_t number = 0;
  for (const Results& study : facts.studies())
    for (const Claim& claim : study.claims) number += claim.verdict == verdict;
  return number;
}

std::string claims_list(const Facts& facts, const std::vector<Verdict>& verdicts) {
  std::string out;
  for (const Verdict verdict : verdicts)
    for (const Results& study : facts.studies())
      for (const Claim* claim : in_order(study))
        if (claim->verdict == verdict) out += list_item(study, *claim);
  return out.empty() ? "None.\n" : out;
}

std::string falsify_list(const Facts& facts) {
  std::string out;
  for (const Results& study : facts.studies())
    for (const Claim* claim : in_order(study)) out += falsify_item(study, *claim);
  return out;
}

}  // namespace perp::report
