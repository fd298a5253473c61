// Which guarded passages stand: by values, by verdict, by what was measured.

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "perp/study/display.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/expand.hpp"
#include "reports/render/text.hpp"

namespace perp::report {

namespace fs = std::filesystem;

/// {{#when GUARD, GUARD}}: the passage stands where all of them hold.
Expander::Branch Expander::guarded(const Piece& opening, std::string_view file) {
  const std::string guards(trim(std::string_view(opening.text).substr(std::string_view("#when").size())));
  require(!guards.empty(), "expected: #when and what the passage takes for granted");
  Branch worst = Branch::taken;
  for (const std::string& text : split(guards, ',')) {
    std::string why;
    const Branch branch = guard(text, why);
    if (branch == Branch::taken) continue;
    if (checking_ == 0 && !text.starts_with("preset "))
      left_out_.push_back({fmt::format("{}:{}", file, opening.line), text, why});
    if (worst != Branch::left_out) worst = branch;
  }
  return worst;
}

/// One guard: "ID below 0.5", "ID above 0.5" or "ID within 0.01" (of zero), by the whole interval at the level that
/// judges conditions; "measured ID", "holds ID", "fails ID", "open ID", "verdict O1 true|depends", "preset full|long".
Expander::Branch Expander::guard(const std::string& text, std::string& why) const {
  constexpr std::array<std::string_view, 3> bounds{"below", "above", "within"};
  constexpr std::array<std::string_view, 6> kinds{"measured", "holds", "fails", "open", "verdict", "preset"};
  const std::vector<std::string> words = words_of(text);
  const bool is_bound = words.size() == 3 && std::ranges::find(bounds, words[1]) != bounds.end();
  if (!is_bound) {
    require(!words.empty() && std::ranges::find(kinds, words.front()) != kinds.end(),
            "{}: expected 'ID {} NUMBER' or one of {}", in_quotes(text), fmt::join(bounds, "|"),
            fmt::join(kinds, ", "));
    const Branch branch = words.front() == "preset" ? of_preset(words) : decide(words);
    if (branch == Branch::checked) why = "does not hold";
    return branch;
  }
  const std::string& id = words.front();
  check_claim_is_known(id.substr(0, id.find('.')));
  const std::optional<double> bound = parse_double(words[2]);
  require(bound.has_value(), "{}: expected a number behind '{}'", in_quotes(text), words[1]);
  const Finding* finding = facts_.finding(id);
  if (!finding) return Branch::left_out;
  Condition condition{.finding = id, .is = Is::equal, .bound = 0.0, .margin = *bound};
  if (words[1] != "within") condition = {.finding = id, .is = is_from(words[1]), .bound = *bound};
  const Answer came_out = perp::answer({*finding}, condition);
  if (came_out == Answer::holds) return Branch::taken;
  if (came_out == Answer::unmeasured) return Branch::left_out;
  why = format_with_interval(finding->value, finding->low, finding->high, "", draws_of(*finding));
  return Branch::checked;
}

Expander::Branch Expander::of_preset(const std::vector<std::string>& words) const {
  require(words.size() == 2, "expected: preset full|long");
  const std::vector<std::string> presets = split(words[1], '|');
  for (const std::string& preset : presets)
    require(preset == "quick" || preset == "full" || preset == "long",
            "preset '{}' is none of quick, full, long", preset);
  return std::ranges::find(presets, of_studies("preset")) != presets.end() ? Branch::taken : Branch::left_out;
}

/// "measured ID|ID", "holds ID", "fails ID", "open ID", "verdict O1 true|depends".
Expander::Branch Expander::decide(const std::vector<std::string>& words) const {
  const std::string& kind = words.front();
  const auto branch = [](bool taken) { return taken ? Branch::taken : Branch::left_out; };
  if (kind == "verdict") {
    require(words.size() >= 3, "expected: verdict O1 true|depends");
    std::string list;
    for (auto word = words.begin() + 2; word != words.end(); ++word) list += *word;
    bool named = false;
    const Claim* claim = claim_or_entry(words[1]);
    for (const std::string& verdict : split(list, '|')) {
      const Verdict known = verdict_from(verdict);
      named = named || (claim && claim->verdict() == known);
    }
    check_claim_is_known(words[1]);
    if (!claim || named) return branch(named);
    return claim->verdict() == Verdict::unmeasured ? Branch::left_out : Branch::checked;
  }
  require(words.size() == 2, "expected one name behind '{}'; there are {}", kind, words.size() - 1);
  if (kind != "measured") return condition_came_out(kind, words[1]);
  bool any = false;  // each is asked, so that a misspelt one shows
  for (const std::string& name : split(words[1], '|')) any = is_measured(name) || any;
  return branch(any);
}

bool Expander::is_measured(const std::string& id) const {
  check_claim_is_known(id.substr(0, id.find('.')));
  if (const Claim* claim = facts_.entry(id)) return claim->verdict() != Verdict::unmeasured;
  const Finding* finding = facts_.finding(id);
  return finding && finding->value == finding->value;
}

/// How the condition on that finding came out, in the claim that has it.
Expander::Branch Expander::condition_came_out(const std::string& kind, const std::string& id) const {
  check_claim_is_known(id.substr(0, id.find('.')));
  if (!find(facts_.findings(), id)) return Branch::left_out;
  const auto seek = [&](const std::vector<Claim>& claims) -> std::optional<Answer> {
    for (const Claim& claim : claims)
      for (std::size_t i = 0; i < claim.rule.size(); ++i)
        if (claim.rule[i].finding == id) return claim.judgement.readings[i].answer;
    return std::nullopt;
  };
  std::optional<Answer> came_out = seek(facts_.claims());
  for (const Results& study : facts_.studies())
    if (!came_out) came_out = seek(study.claims);
  require(came_out.has_value(), "no claim has a condition on '{}'", id);
  if (*came_out == Answer::unmeasured) return Branch::left_out;
  return to_text(*came_out) == kind ? Branch::taken : Branch::checked;
}

const Claim* Expander::claim_or_entry(std::string_view id) const {
  const Claim* claim = facts_.claim(id);
  return claim ? claim : facts_.entry(id);
}

/// Absent results are no error, a misspelt claim is: some study has a section for every claim there is.
void Expander::check_claim_is_known(const std::string& id) const {
  static const Pattern form("[A-Z][0-9]+");
  require(form.fits(id), "{} is not the name of a claim", in_quotes(id));
  if (facts_.entry(id)) return;
  if (fs::is_directory(sources_.sections))
    for (const fs::directory_entry& entry : fs::directory_iterator(sources_.sections))
      if (fs::exists(entry.path() / fmt::format("{}.md", anchor(id)))) return;
  refuse("no results and no section have a claim '{}'", id);
}

}  // namespace perp::report
