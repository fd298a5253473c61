// Claims of both runs: the same rule, and no condition that came out the opposite way.

#include <fmt/format.h>

#include <algorithm>

#include "perp/io/numbers.hpp"
#include "reports/verify_study.hpp"

namespace perp::report {
namespace {

std::string bound_text(const Bound& bound) {
  const double* number = std::get_if<double>(&bound);
  return number ? shortest(*number) : std::get<std::string>(bound);
}
std::string text_of(const Condition& condition) {
  return fmt::format("{} {} {}", condition.finding.empty() ? condition.needs : condition.finding,
                     to_text(condition.is), bound_text(condition.bound));
}

bool same_bound(const Bound& before, const Bound& now, Common common) {
  const double *a = std::get_if<double>(&before), *b = std::get_if<double>(&now);
  if (!a || !b) return before == now;
  return compare(Pair{Kind::exact, {*a}, {*b}}, common).outcome <= Outcome::within;
}

bool same_condition(const Condition& was, const Condition& is, Common common) {
  return was.finding == is.finding && was.is == is.is && same_bound(was.bound, is.bound, common) &&
         was.margin == is.margin && was.role == is.role && was.evidence == is.evidence &&
         was.levels == is.levels && was.says == is.says && was.needs == is.needs;
}

/// Whether two answers are opposites: what is open contradicts neither.
bool opposite(Answer a, Answer b) {
  return (a == Answer::holds && b == Answer::fails) || (a == Answer::fails && b == Answer::holds);
}

/// One condition of both runs; nothing where it came out the same.
std::optional<Moved> compare_conditions(const Claim& before, const Claim& now, std::size_t place,
                                        Common common) {
  const Condition &was = before.rule[place], &is = now.rule[place];
  if (!same_condition(was, is, common))
    return Moved{Outcome::failed, before.id + ".rule", text_of(was), text_of(is), "another rule"};
  const Answer then = before.judgement.readings.at(place).answer,
               here = now.judgement.readings.at(place).answer;
  // What was measured in one run only is reported as a finding.
  if (then == here || then == Answer::unmeasured || here == Answer::unmeasured) return std::nullopt;
  const bool turned = opposite(then, here);
  return Moved{turned ? Outcome::failed : Outcome::listed, fmt::format("{} {}", before.id, text_of(is)),
               std::string(to_text(then)), std::string(to_text(here)),
               turned ? "the opposite outcome" : "open in one run"};
}

/// The worst of what the runs say differently of a claim.
Moved compare_claims(const Claim& before, const Claim& now, Common common) {
  const std::string then = to_text(before.judgement), here = to_text(now.judgement);
  std::vector<Moved> moved{{Outcome::equal, before.id, then, here, ""}};
  // A verdict follows from its conditions: whether one of them came out the opposite way is asked below.
  if (then != here) moved.push_back({Outcome::listed, before.id + ".verdict", then, here, "another verdict"});
  if (const auto other = apart(before.id, {{"statement", before.statement, now.statement},
                                           {"source", before.source, now.source},
                                           {"claim", before.of, now.of},
                                           {"number of conditions", fmt::format("{}", before.rule.size()),
                                            fmt::format("{}", now.rule.size())}}))
    moved.push_back(*other);
  for (std::size_t i = 0; i < std::min(before.rule.size(), now.rule.size()); ++i)
    if (const auto other = compare_conditions(before, now, i, common)) moved.push_back(*other);
  return *std::ranges::max_element(moved, {}, &Moved::outcome);
}

}  // namespace

void verify_claims(const StudyPair& pair) {
  side_by_side(pair, "claims", pair.published.results.claims, pair.fresh.results.claims, &Claim::id,
               [&](const Claim& before, const Claim& now) {
                 pair.into.note("claims",
                                pair.excused(compare_claims(before, now, pair.common), true, Kind::exact));
               });
}

}  // namespace perp::report
