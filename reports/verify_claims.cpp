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

std::string verdict_text(const Claim* claim) { return claim ? to_text(claim->judgement) : "–"; }

std::string bound_text(const Bound& bound) {
  const double* number = std::get_if<double>(&bound);
  return number ? shortest(*number) : std::get<std::string>(bound);
}
std::string text_of(const Condition& condition) {
  return fmt::format("{} {} {}", condition.finding.empty() ? condition.needs : condition.finding,
                     to_text(condition.is), bound_text(condition.bound));
}

/// Whether two answers are opposites: what is open contradicts neither.
bool opposite(Answer a, Answer b) {
  return (a == Answer::holds && b == Answer::fails) || (a == Answer::fails && b == Answer::holds);
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
    if (before_.of != now_.of) add(Outcome::failed, "of", before_.of, now_.of, "evidence for another claim");
    const auto compare_words = [&](const char* what, const std::string& was, const std::string& is) {
      if (const std::optional<Parting> part = parting(was, is))
        add(of_words(), what, part->published, part->fresh, "other words");
    };
    compare_words("condition", before_.condition, now_.condition);
    compare_words("matters", before_.matters, now_.matters);
  }

  void compare_rules() {
    if (before_.rule.size() != now_.rule.size())
      return add(Outcome::failed, "rule", fmt::format("{} conditions", before_.rule.size()),
                 fmt::format("{} conditions", now_.rule.size()), "another rule");
    for (std::size_t i = 0; i < now_.rule.size(); ++i) compare_conditions(i);
  }

  bool same_condition(const Condition& was, const Condition& is) const {
    return was.finding == is.finding && was.is == is.is && same_bound(was.bound, is.bound, pair_.common) &&
           was.margin == is.margin && was.role == is.role && was.evidence == is.evidence &&
           was.levels == is.levels && was.says == is.says && was.needs == is.needs;
  }

  void compare_conditions(std::size_t place) {
    const Condition &was = before_.rule[place], &is = now_.rule[place];
    const std::string text = text_of(is);
    if (!same_condition(was, is)) return add(Outcome::failed, "rule", text_of(was), text, "another rule");
    const Answer before = before_.judgement.readings.at(place).answer,
                 now = now_.judgement.readings.at(place).answer;
    // What was measured in one run only is reported as a finding.
    if (before == now || before == Answer::unmeasured || now == Answer::unmeasured) return;
    add(opposite(before, now) ? Outcome::failed : Outcome::listed, fmt::format("rule {}", text),
        std::string(to_text(before)), std::string(to_text(now)),
        opposite(before, now) ? "the opposite outcome" : "open in one run");
  }

  const StudyPair& pair_;
  const Claim &before_, &now_;
};

}  // namespace

void verify_claims(const StudyPair& pair) {
  for (const auto& [id, claims] : pairs_of(pair)) {
    const std::string before = verdict_text(claims.published), now = verdict_text(claims.fresh);
    std::vector<Moved> moved;
    // A verdict follows from its conditions: whether one of them came out the opposite way is asked below.
    const bool both = claims.published && claims.fresh;
    if (before != now)
      moved.push_back(
          {both ? Outcome::listed : Outcome::failed, id + " verdict", before, now, "another verdict"});
    if (both)
      for (Moved& other : ClaimComparison(pair, *claims.published, *claims.fresh).moved)
        moved.push_back(std::move(other));
    std::ranges::stable_sort(moved, std::greater(), &Moved::outcome);
    Moved worst = moved.empty() ? Moved{Outcome::equal, id, before, now, ""} : std::move(moved.front());
    pair.into.note("claims", pair.excused(std::move(worst), true, Kind::exact));
  }
}

}  // namespace perp::report
