#include "reports/render/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/text.hpp"

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

std::string subject(const Condition& condition) {
  return condition.says.empty() ? fmt::format("`{}`", condition.finding) : escape_markdown(condition.says);
}

/// "MiniLM: share of pairs" as "MiniLM" and "share of pairs", in pieces that commas part; without a model no name.
struct Phrase {
  std::string model;
  std::vector<std::string> pieces;
};

Phrase phrase_of(const Condition& condition) {
  std::string_view text = condition.says;
  Phrase phrase;
  const std::size_t colon = text.find(": ");
  if (std::ranges::count(condition.levels, "model", &std::pair<std::string, std::string>::first) > 0 &&
      colon != text.npos) {
    phrase.model = text.substr(0, colon);
    text.remove_prefix(colon + 2);
  }
  for (std::size_t comma; (comma = text.find(", ")) != text.npos; text.remove_prefix(comma + 2))
    phrase.pieces.emplace_back(text.substr(0, comma));
  phrase.pieces.emplace_back(text);
  return phrase;
}

/// "O1.share_near" of "O1.share_near.gaussian.d768"
std::string_view quantity(std::string_view finding) {
  return finding.substr(0, finding.find('.', finding.find('.') + 1));
}

/// Do both ask the same of one quantity, in other places?
bool are_one_line(const Condition& a, const Condition& b) {
  const auto* number = std::get_if<double>(&a.bound);
  return !a.finding.empty() && !a.says.empty() && a.role == b.role && a.evidence == b.evidence &&
         a.is == b.is && a.margin == b.margin &&
         (number ? a.bound == b.bound : a.bound.index() == b.bound.index()) &&
         quantity(a.finding) == quantity(b.finding) &&
         phrase_of(a).pieces.front() == phrase_of(b).pieces.front();
}

/// What a line of a rule measures, and the name of the place of each of its conditions.
struct Line {
  std::vector<std::size_t> conditions;
  std::string measures;
  std::vector<std::string> places;
};

std::string joined(const auto& begin, const auto& end) {
  return fmt::format("{}", fmt::join(begin, end, ", "));
}

/// "MiniLM, d = 64", of factors in the rule
std::string levels_of(const Condition& condition) {
  std::vector<std::string> names;
  for (const auto& [factor, level] : condition.levels)
    names.push_back(level.find_first_not_of("-.0123456789") == level.npos
                        ? fmt::format("{} = {}", factor, level)
                        : display_name(level, factor));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What all begin with is measured; what follows names the place. Where the words are the same, the rule's factors do.
void name_places(const Claim& claim, Line& line) {
  std::vector<Phrase> phrases;
  for (const std::size_t i : line.conditions) phrases.push_back(phrase_of(claim.rule[i]));
  const std::vector<std::string>& first = phrases.front().pieces;
  auto same = std::ssize(first);
  for (const Phrase& each : phrases)
    same = std::min(same, std::ranges::mismatch(first, each.pieces).in1 - first.begin());
  line.measures = joined(first.begin(), first.begin() + same);
  for (Phrase& each : phrases) {
    if (!each.model.empty()) each.pieces.insert(each.pieces.begin() + same, each.model);
    line.places.push_back(joined(each.pieces.begin() + same, each.pieces.end()));
  }
  if (line.places.size() > 1 && std::ranges::count(line.places, line.places[0]) == std::ssize(line.places))
    std::ranges::transform(line.conditions, line.places.begin(),
                           [&](std::size_t i) { return levels_of(claim.rule[i]); });
}

/// The rule's lines, core before limits: conditions that differ by their place alone are one.
std::vector<Line> lines_of(const Claim& claim) {
  std::vector<Line> lines;
  for (const Role role : {Role::core, Role::limit})
    for (std::size_t i = 0; i < claim.rule.size(); ++i) {
      if (claim.rule[i].role != role) continue;
      const auto same = std::ranges::find_if(lines, [&](const Line& line) {
        return are_one_line(claim.rule[line.conditions[0]], claim.rule[i]);
      });
      if (same != lines.end())
        same->conditions.push_back(i);
      else
        lines.push_back({{i}, {}, {}});
    }
  for (Line& line : lines) name_places(claim, line);
  return lines;
}

/// "above 0.99", "0.5 ± 0.1", "theory ± 0.1"; a bound that is another finding stands beside each number.
std::string asked(const Condition& condition) {
  const double* number = std::get_if<double>(&condition.bound);
  const std::string bound = number                                               ? format_number(*number)
                            : std::get<std::string>(condition.bound) == "theory" ? "theory"
                                                                                 : "what stands beside";
  if (condition.is != Is::equal) return fmt::format("{} {}", to_text(condition.is), bound);
  return fmt::format("{} ± {}", bound, format_number(condition.margin));
}

/// "MiniLM: 0.93 beside 0.95"
std::string measured_at(const Facts& facts, const Claim& claim, std::size_t condition,
                        const std::string& place) {
  const Condition& asks = claim.rule[condition];
  const Reading& reading = claim.judgement.readings[condition];
  std::vector<std::string> parts;
  const bool measured = reading.answer != Answer::unmeasured;
  if (!place.empty()) parts.push_back(escape_markdown(place) + (measured ? ":" : ""));
  if (measured) {
    parts.push_back(judged_number(facts, asks, reading));
    if (std::holds_alternative<std::string>(asks.bound))
      parts.push_back(fmt::format("beside {}", format_number(*bound_of(facts.findings(), asks))));
    if (facts.is_of_long(asks.finding)) parts.emplace_back("(preset long)");
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

/// "**holds** MiniLM: 0.13 [0.12, 0.14]; **unmeasured** (a released model)"
std::string outcomes(const Facts& facts, const Claim& claim, const Line& line) {
  std::vector<std::string> parts;
  for (const Answer answer : {Answer::holds, Answer::fails, Answer::open, Answer::unmeasured}) {
    std::vector<std::string> numbers;
    std::string needs;
    for (std::size_t i = 0; i < line.conditions.size(); ++i) {
      const std::size_t condition = line.conditions[i];
      if (claim.judgement.readings[condition].answer != answer) continue;
      numbers.push_back(measured_at(facts, claim, condition, line.places[i]));
      if (answer == Answer::unmeasured) needs = claim.rule[condition].needs;
    }
    if (numbers.empty()) continue;
    if (!needs.empty()) numbers.back() += fmt::format(" (it needs {})", escape_markdown(needs));
    parts.push_back(
        fmt::format("**{}** {}", to_text(answer), trim(fmt::format("{}", fmt::join(numbers, "; ")))));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// A row for each line of the rule.
std::string table_of_lines(const Facts& facts, const Claim& claim) {
  MarkdownRows rows;
  for (const Line& line : lines_of(claim)) {
    const Condition& condition = claim.rule[line.conditions.front()];
    const std::string part = claim.of.empty() ? "checked" : condition.role == Role::core ? "claim" : "limit";
    rows.push_back({part, condition.says.empty() ? subject(condition) : escape_markdown(line.measures),
                    condition.finding.empty() ? nothing : asked(condition), outcomes(facts, claim, line),
                    std::string(to_text(condition.evidence))});
  }
  return markdown_table({"part", "what is measured", "required",
                         fmt::format("outcome [{}]", format_level(judged_level)), "evidence"},
                        rows);
}

/// Whether the core rests on theorems or closed forms alone, so that no measurement can change it.
bool is_settled(const Claim& claim) {
  return std::ranges::all_of(evidence_of(claim.rule), [](Evidence kind) {
    return kind == Evidence::theorem || kind == Evidence::closed_form;
  });
}

/// A "depends" asks for more than each condition does.
std::string stricter(const Claim& claim) {
  if (claim.verdict() != Verdict::depends || claim.judgement.strict_level <= judged_level) return "";
  return fmt::format(", also at the stricter {}", format_level(claim.judgement.strict_level));
}

}  // namespace

std::string anchor(std::string_view claim) { return lower(claim); }

std::optional<std::size_t> leading_condition(const Claim& claim) {
  for (std::size_t i = 0; i < claim.rule.size(); ++i)
    if (claim.rule[i].role == Role::core && claim.judgement.readings[i].answer != Answer::unmeasured)
      return i;
  return std::nullopt;
}

std::string evidence_text(const Claim& claim) {
  std::vector<std::string> names;
  for (const Evidence evidence : evidence_of(claim.rule)) names.emplace_back(to_text(evidence));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::size_t count(const Facts& facts, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(facts.claims(), verdict, &Claim::verdict));
}

std::string verdict_text(const Claim& claim, bool in_short) {
  const Judgement& judgement = claim.judgement;
  std::string text = fmt::format("**{}**", capital(to_text(judgement.verdict)));
  if (judgement.verdict == Verdict::depends && !judgement.factor.empty())
    text += fmt::format(" on the {}", escape_markdown(judgement.factor));
  if (judgement.limited) text += ", with limits";
  if (judgement.unmeasured > 0 && judgement.verdict != Verdict::unmeasured)
    text += fmt::format(" ({} of {}{} measured)", judgement.core - judgement.unmeasured, judgement.core,
                        in_short ? "" : " conditions");
  return text;
}

std::string found_text(const Facts& facts, const Claim& claim, const Said& said) {
  if (!said.found.empty()) return said.found;
  if (const auto leading = leading_condition(claim)) {
    const Condition& condition = claim.rule[*leading];
    return fmt::format("{} ({})", subject(condition),
                       judged_number(facts, condition, claim.judgement.readings[*leading]));
  }
  const auto missing =
      std::ranges::find_if(claim.rule, [](const Condition& condition) { return !condition.needs.empty(); });
  return missing == claim.rule.end() ? "no number" : "it needs " + escape_markdown(missing->needs);
}

std::string answer_text(const Facts& facts, const Claim& claim, const Said& said) {
  std::string text =
      fmt::format("**Answer.** {}. {}.", verdict_text(claim), capital(found_text(facts, claim, said)));
  if (!said.matters.empty()) text += fmt::format(" {}.", capital(said.matters));
  return text;
}

std::string all_rules(const Facts& facts, const Links& links) {
  std::string text;
  for (const Claim& claim : facts.claims())
    if (!claim.rule.empty())
      text += fmt::format("## {}\n\n**{}** {}\n\nVerdict: {}{}{}.\n\n{}\n", claim.id,
                          links.label(escape_markdown(claim.statement), "#" + anchor(claim.id)),
                          escape_markdown(claim.source), verdict_text(claim),
                          is_settled(claim) ? ", by proof or closed form" : "", stricter(claim),
                          table_of_lines(facts, claim));
  return text;
}

}  // namespace perp::report
