#include "reports/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>

#include "perp/study/number.hpp"
#include "reports/data_table.hpp"
#include "reports/escape.hpp"

namespace perp::report {
namespace {

constexpr const char* nothing = "–";

std::string capital(std::string_view word) {
  std::string text(word);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// "0.57 [0.56, 0.58]" with the interval that judges it.
std::string judged_number(const Facts& facts, const Condition& condition, const Reading& reading) {
  if (reading.answer == Answer::unmeasured) return nothing;
  const Finding& finding = *find(facts.findings(), condition.finding);
  if (!reading.interval) return format_number(finding.value);
  return format_with_interval(finding.value, reading.interval->low, reading.interval->high, "",
                              {draws_of(finding).n, judged_level});
}

/// "0.1", "0.0875 (theory)", "0.3 (`norm_ratio.sinusoidal`)"
std::string bound_text(const Facts& facts, const Condition& condition) {
  const std::string* name = std::get_if<std::string>(&condition.bound);
  const std::optional<double> bound = bound_of(facts.findings(), condition);
  const std::string number = bound ? format_number(*bound) : nothing;
  if (!name) return number;
  return fmt::format("{} ({})", number, *name == "theory" ? "theory" : fmt::format("`{}`", *name));
}

/// "above 0.99", "0.5 ± 0.1"
std::string asked(const Facts& facts, const Condition& condition) {
  const std::string bound = bound_text(facts, condition);
  if (condition.is != Is::equal) return fmt::format("{} {}", to_text(condition.is), bound);
  return fmt::format("{} ± {}", bound, format_number(condition.margin));
}

/// Degrees of freedom behind the interval: "7", "12.3"; nothing where there is no Student's t.
std::string freedom_text(const Facts& facts, const Condition& condition, const Reading& reading) {
  if (!reading.interval) return nothing;
  const std::optional<Spread>& spread = find(facts.findings(), condition.finding)->spread;
  if (!spread->mean || std::isinf(spread->mean->freedom)) return nothing;
  return format_number(spread->mean->freedom);
}

std::string subject(const Condition& condition) {
  return condition.says.empty() ? fmt::format("`{}`", condition.finding) : escape_markdown(condition.says);
}

std::string outcome_text(const Facts& facts, const Condition& condition, const Reading& reading) {
  if (reading.answer == Answer::unmeasured && !condition.needs.empty())
    return fmt::format("unmeasured: {}", escape_markdown(condition.needs));
  return fmt::format("{}{}", to_text(reading.answer),
                     facts.is_of_long(condition.finding) ? " (preset long)" : "");
}

/// The conditions of a role that came out so, with their numbers: "share at d = 512 (0.977); …"; of many how
/// many: the table of the rule follows.
std::string named(const Facts& facts, const Claim& claim, Role role, Answer answer) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < claim.rule.size(); ++i) {
    const Condition& condition = claim.rule[i];
    const Reading& reading = claim.judgement.readings[i];
    if (condition.role == role && reading.answer == answer)
      names.push_back(fmt::format("{} ({})", subject(condition), judged_number(facts, condition, reading)));
  }
  if (names.size() > 2) return fmt::format("{} conditions", names.size());
  return fmt::format("{}", fmt::join(names, "; "));
}

/// The limits that make it "with limits", or would, and those that are open.
std::string limits_text(const Facts& facts, const Claim& claim) {
  const bool is_false = claim.verdict() == Verdict::is_false, is_open = claim.verdict() == Verdict::open;
  std::string text;
  if (const std::string met = named(facts, claim, Role::limit, is_false ? Answer::holds : Answer::fails);
      !met.empty())
    text += fmt::format(" Where it {}: {}.", is_false ? "holds" : is_open ? "would end" : "ends", met);
  if (const std::string open = named(facts, claim, Role::limit, Answer::open); !open.empty())
    text += fmt::format(" Open whether it ends there: {}.", open);
  return text;
}

/// Where no factor tells what holds from what fails, both are listed.
std::string sides_text(const Facts& facts, const Claim& claim) {
  if (claim.verdict() != Verdict::depends || !claim.judgement.factor.empty()) return "";
  const std::string open = named(facts, claim, Role::core, Answer::open);
  return fmt::format(" Holds: {}. Fails: {}.{}", named(facts, claim, Role::core, Answer::holds),
                     named(facts, claim, Role::core, Answer::fails),
                     open.empty() ? "" : fmt::format(" Open: {}.", open));
}

/// "**Depends** on positions"
std::string verdict_and_factor(const Claim& claim) {
  const Judgement& judgement = claim.judgement;
  std::string text = fmt::format("**{}**", capital(to_text(judgement.verdict)));
  if (judgement.verdict == Verdict::depends && !judgement.factor.empty())
    text += fmt::format(" on {}", escape_markdown(judgement.factor));
  return text;
}

/// The conditions as rows, core before limits.
MarkdownTable condition_table(const Facts& facts, const Claim& claim) {
  const bool any_limit = std::ranges::count(claim.rule, Role::limit, &Condition::role) > 0;
  MarkdownTable table({any_limit ? "claim or limit" : "", "condition",
                       fmt::format("measured [{}]", format_level(judged_level)), "df", "required", "outcome",
                       "evidence"});
  for (const Role role : {Role::core, Role::limit})
    for (std::size_t i = 0; i < claim.rule.size(); ++i) {
      const Condition& condition = claim.rule[i];
      if (condition.role != role) continue;
      const Reading& reading = claim.judgement.readings[i];
      table.text(claim.of.empty() ? "checked" : role == Role::core ? "claim" : "limit");
      table.text(subject(condition));
      table.number(judged_number(facts, condition, reading));
      table.number(freedom_text(facts, condition, reading));
      table.text(condition.finding.empty() ? nothing : asked(facts, condition));
      table.text(outcome_text(facts, condition, reading));
      table.text(std::string(to_text(condition.evidence)));
      table.end_row();
    }
  return table;
}

/// A "depends" asks for more than each condition does.
std::string stricter(const Claim& claim) {
  if (claim.verdict() != Verdict::depends || claim.judgement.strict_level <= judged_level) return "";
  return fmt::format("\n*“Depends”: one condition holds and one fails at {} as well.*\n",
                     format_level(claim.judgement.strict_level));
}

}  // namespace

std::string anchor(std::string_view claim) {
  std::string text(claim);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

const Condition* leading_condition(const Claim& claim) {
  for (std::size_t i = 0; i < claim.rule.size(); ++i)
    if (claim.rule[i].role == Role::core && claim.judgement.readings[i].answer != Answer::unmeasured)
      return &claim.rule[i];
  return nullptr;
}

std::size_t conditions_held(const Claim& claim) {
  return static_cast<std::size_t>(
      std::ranges::count(claim.judgement.readings, Answer::holds, &Reading::answer));
}

bool is_settled(const Claim& claim) {
  return std::ranges::all_of(evidence_of(claim.rule), [](Evidence kind) {
    return kind == Evidence::theorem || kind == Evidence::closed_form;
  });
}

std::string evidence_text(const Claim& claim) {
  std::vector<std::string> names;
  for (const Evidence evidence : evidence_of(claim.rule)) names.emplace_back(to_text(evidence));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::size_t count(const Facts& facts, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(facts.claims(), verdict, &Claim::verdict));
}

std::string verdict_text(const Claim& claim) {
  const Judgement& judgement = claim.judgement;
  std::string text = verdict_and_factor(claim);
  if (judgement.verdict == Verdict::open) {
    const auto are = [&](Answer answer) {
      std::size_t number = 0;
      for (std::size_t i = 0; i < claim.rule.size(); ++i)
        number += claim.rule[i].role == Role::core && judgement.readings[i].answer == answer;
      return number;
    };
    std::vector<std::string> parts;
    for (const auto& [answer, one, several] :
         {std::tuple(Answer::holds, "holds", "hold"), std::tuple(Answer::fails, "fails", "fail"),
          std::tuple(Answer::open, "is open", "are open")})
      if (const std::size_t n = are(answer); n > 0)
        parts.push_back(fmt::format("{} {}", n, n == 1 ? one : several));
    text += fmt::format(" (of the conditions that decide, {})", fmt::join(parts, ", "));
  }
  if (judgement.limited) text += ", with limits";
  if (judgement.unmeasured > 0 && judgement.verdict != Verdict::unmeasured)
    text +=
        fmt::format(" ({} of {} conditions measured)", judgement.core - judgement.unmeasured, judgement.core);
  return text;
}

std::string found_text(const Facts& facts, const Claim& claim, const Said& said) {
  if (!said.found.empty()) return said.found;
  if (const Condition* leading = leading_condition(claim)) {
    const Reading& reading = claim.judgement.readings[static_cast<std::size_t>(leading - claim.rule.data())];
    return fmt::format("{} ({})", subject(*leading), judged_number(facts, *leading, reading));
  }
  const auto missing =
      std::ranges::find_if(claim.rule, [](const Condition& condition) { return !condition.needs.empty(); });
  return missing == claim.rule.end() ? "no number" : "it needs " + escape_markdown(missing->needs);
}

std::string answer_text(const Facts& facts, const Claim& claim, const Said& said) {
  std::string text = fmt::format("**Answer.** {}: {}.", verdict_text(claim), found_text(facts, claim, said));
  if (!said.matters.empty()) text += fmt::format(" At real sizes: {}.", said.matters);
  return text + sides_text(facts, claim) + limits_text(facts, claim);
}

std::string verdict_in_short(const Claim& claim) {
  return verdict_and_factor(claim) + (claim.judgement.limited ? ", with limits" : "");
}

std::string level_text(const Claim& claim) {
  for (std::size_t i = 0; i < claim.rule.size(); ++i)
    if (claim.rule[i].role == Role::core && claim.judgement.readings[i].interval)
      return format_level(judged_level);
  return "exact";
}

std::string rule_table(const Facts& facts, const Claim& claim, const Links& links) {
  if (claim.rule.empty()) return "";
  const MarkdownTable table = condition_table(facts, claim);
  std::string text = table.str(most_rows);
  if (table.rows() > most_rows)
    text += fmt::format("\n*{} of {} conditions; all in the {}.*\n", most_rows, table.rows(),
                        links.label("table of rules", "chapters/rules.md"));
  return text + stricter(claim);
}

std::string all_rules(const Facts& facts, const Links& links) {
  std::string text;
  for (const Claim& claim : facts.claims()) {
    if (claim.rule.empty()) continue;
    text += fmt::format(
        "## {}\n\n**{}** {}\n\nVerdict: {}.{}\n\n{}{}\n", claim.id,
        links.label(escape_markdown(claim.statement), "#" + anchor(claim.id)), escape_markdown(claim.source),
        verdict_text(claim),
        is_settled(claim)
            ? " What is measured is an identity or a closed form: no measurement can turn it, only a "
              "mistake in a proof or in the program."
            : "",
        condition_table(facts, claim).str(), stricter(claim));
  }
  return text;
}

}  // namespace perp::report
