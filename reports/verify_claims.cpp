// Claims of both runs: what is said of each and what it rests on.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "perp/io/numbers.hpp"
#include "reports/verify_prose.hpp"
#include "reports/verify_study.hpp"

namespace perp::report {
namespace {

struct ClaimPair {
  const Claim* published = nullptr;
  const Claim* fresh = nullptr;
};

std::map<std::string, ClaimPair> pairs_of(const StudyPair& pair) {
  std::map<std::string, ClaimPair> claims;
  for (const Claim& claim : pair.published.results.claims) claims[claim.id].published = &claim;
  for (const Claim& claim : pair.fresh.results.claims) claims[claim.id].fresh = &claim;
  return claims;
}

std::string verdict_text(const Claim* claim) { return claim ? std::string(to_text(claim->verdict)) : "–"; }

std::string bound_text(const Bound& bound) {
  const double* number = std::get_if<double>(&bound);
  return number ? shortest(*number) : std::get<std::string>(bound);
}
std::string text_of(const Condition& condition) {
  return fmt::format("{} {} {}", condition.finding, to_text(condition.is), bound_text(condition.bound));
}

constexpr const char* unmeasured = "unmeasured";

/// Whether a condition holds there, in words.
std::string outcome_of(const std::vector<Finding>& findings, const Condition& condition) {
  const Verdict verdict = judge(findings, {condition});
  return verdict == Verdict::supported ? "holds" : verdict == Verdict::refuted ? "fails" : unmeasured;
}

bool same_bound(const Bound& before, const Bound& now, Common common) {
  const double *a = std::get_if<double>(&before), *b = std::get_if<double>(&now);
  if (!a || !b) return before == now;
  return compare(Pair{Kind::exact, {*a}, {*b}}, common).outcome <= Outcome::within;
}

/// What one run says of a claim and the other does not, worst first; empty where they agree.
class ClaimComparison {
 public:
  ClaimComparison(const StudyPair& pair, const Claim& before, const Claim& now)
      : pair_(pair), before_(before), now_(now) {
    compare_texts();
    compare_rules();
    std::ranges::stable_sort(moved, std::greater(), &Moved::outcome);
  }
  std::vector<Moved> moved;

 private:
  void add(Outcome outcome, const std::string& what, std::string was, std::string is, std::string why) {
    moved.push_back({outcome, before_.id + " " + what, std::move(was), std::move(is), std::move(why)});
  }

  /// Another seed may choose other words; the same draws may not.
  Outcome of_words() const { return pair_.common == Common::definitions ? Outcome::listed : Outcome::failed; }

  void compare_texts() {
    if (before_.statement != now_.statement)
      add(Outcome::failed, "statement", before_.statement, now_.statement, "another statement");
    if (before_.source != now_.source)
      add(Outcome::failed, "source", before_.source, now_.source, "another source");
    const std::optional<Parting> part = parting(before_.condition, now_.condition);
    if (part) add(of_words(), "condition", part->published, part->fresh, "other words");
  }

  void compare_rules() {
    if (before_.rule.size() != now_.rule.size())
      return add(Outcome::failed, "rule", fmt::format("{} conditions", before_.rule.size()),
                 fmt::format("{} conditions", now_.rule.size()), "another rule");
    for (std::size_t i = 0; i < now_.rule.size(); ++i) compare_conditions(before_.rule[i], now_.rule[i]);
  }

  void compare_conditions(const Condition& was, const Condition& is) {
    const std::string old_text = text_of(was), text = text_of(is);
    if (was.finding != is.finding || was.is != is.is || !same_bound(was.bound, is.bound, pair_.common))
      return add(Outcome::failed, "rule", old_text, text, "another rule");
    const std::string before = outcome_of(pair_.published.results.findings, was),
                      now = outcome_of(pair_.fresh.results.findings, is);
    // What was measured in one run only is reported as a finding.
    if (before == unmeasured || now == unmeasured) return;
    if (before != now) add(of_words(), fmt::format("rule {}", text), before, now, "another outcome");
  }

  const StudyPair& pair_;
  const Claim &before_, &now_;
};

}  // namespace

void verify_claims(const StudyPair& pair) {
  for (const auto& [id, claims] : pairs_of(pair)) {
    const std::string before = verdict_text(claims.published), now = verdict_text(claims.fresh);
    std::vector<Moved> moved;
    if (before != now) moved.push_back({Outcome::failed, id + " verdict", before, now, "another verdict"});
    if (claims.published && claims.fresh)
      for (Moved& other : ClaimComparison(pair, *claims.published, *claims.fresh).moved)
        moved.push_back(std::move(other));
    Moved worst = moved.empty() ? Moved{Outcome::equal, id, before, now, ""} : std::move(moved.front());
    pair.into.note("claims", pair.excused(std::move(worst), true, Kind::exact));
  }
}

}  // namespace perp::report
