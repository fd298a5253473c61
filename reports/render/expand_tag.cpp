// What a single tag stands for: values, parts of claims, parameters, and the directives.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/expand.hpp"
#include "reports/render/runs.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
std::string Expander::tag(const std::string& tag) {
  constexpr std::array<std::string_view, 18> directives{
      "table",   "cell",  "ledger", "figure",   "command",  "machine",    "study", "section", "chapter",
      "include", "rules", "inputs", "commands", "artifact", "references", "label", "result",  "instrument"};
  const std::vector<std::string> words = words_of(tag);
  if (std::find(directives.begin(), directives.end(), words.front()) != directives.end())
    return directive(words, tag);
  const std::size_t bar = std::min(tag.find('|'), tag.size());
  const std::string_view name = trim(std::string_view(tag).substr(0, bar));
  const std::string_view format = trim(std::string_view(tag).substr(std::min(bar + 1, tag.size())));
  require(bar == tag.size() || !format.empty(), "'{}' has a '|' and no format behind it", tag);
  require(name.find(' ') == name.npos, "'{}' is no value and none of: {}", name, fmt::join(directives, ", "));
  return value(name, format);
}

std::string Expander::directive(const std::vector<std::string>& words, const std::string& tag) {
  const std::string& word = words.front();
  require(target_ == Target::markdown, "'{}' cannot stand here, only values can", word);
  const std::string_view behind = std::string_view(tag).substr(word.size());
  if (word == "table") return data_table(facts_, behind, links_, sources_.sections);
  if (word == "cell") return data_cell(facts_, behind);
  constexpr std::array<std::string_view, 7> alone{"ledger", "machine",  "rules",     "commands",
                                                  "inputs", "artifact", "references"};
  if (std::ranges::find(alone, word) != alone.end()) {
    require(words.size() == 1, "'{}' stands alone; it has {} words behind it", word, words.size() - 1);
    return directive_alone(word);
  }
  if (word == "label") {
    require(words.size() == 3, "expected: label Table name");
    return label(words[1], words[2]);
  }
  require(words.size() == 2, "expected one name behind '{}'; there are {}", word, words.size() - 1);
  if (word == "study") return study(words[1]);
  if (word == "chapter") return chapter(words[1]);
  if (word == "result") return result(words[1]);
  if (word == "instrument") return instrument(words[1]);
  if (word == "include") return included(words[1]);
  if (word == "section") return section(words[1]);
  if (word == "figure") return figure(words[1]);
  return command(words[1]);
}

std::string Expander::directive_alone(const std::string& word) {
  if (word == "machine") return links_.label("MACHINE.md", "MACHINE.md");
  if (word == "rules") return all_rules(facts_, links_);
  if (word == "inputs") return inputs_table(facts_);
  if (word == "commands") return commands(facts_);
  if (word == "artifact") return artifact_table(facts_, links_);
  if (word == "references") return {references_mark};
  return ledger();
}

std::string Expander::ledger() {
  return ledger_markdown(
      facts_, links_, [&](const Claim& claim) { return said(claim, target_); },
      [&](const Claim& claim) { return sources(claim); });
}

/// "[d, e]" with each letter leading to the text in the references, where references.bib has it.
std::string Expander::sources(const Claim& claim) {
  std::string out, plain;
  const auto is_letter = [&](std::size_t at) {
    return at < claim.source.size() && std::isalpha(static_cast<unsigned char>(claim.source[at]));
  };
  for (std::size_t i = 0; i < claim.source.size(); ++i) {
    const std::string letter = claim.source.substr(i, 1), key = "source-" + letter;
    plain += letter;
    if (!is_letter(i) || is_letter(i + 1) || (i > 0 && is_letter(i - 1)) || !citations_.knows(key)) continue;
    citations_.number(key);
    plain.pop_back();
    out += fmt::format("{}[{}](#{})", escape_markdown(plain), letter, links_.own_place("ref-" + key));
    plain.clear();
  }
  return out + escape_markdown(plain);
}

/// How many claims, claims of one verdict, or findings there are.
std::string Expander::counted(std::string_view what) const {
  std::size_t findings = 0;
  for (const Results& study : facts_.studies()) findings += study.findings.size();
  const std::size_t number = what == "claims"     ? facts_.claims().size()
                             : what == "findings" ? findings
                                                  : count(facts_, verdict_from(what));
  return format_number(static_cast<double>(number));
}

std::string Expander::value(std::string_view name, std::string_view format) {
  if (const Finding* finding = facts_.finding(name)) return finding_part(*finding, "", format);
  const auto plain = [&] { require(format.empty(), "'{}' is a text and takes no format", name); };
  if (name == "judged_level") return plain(), format_level(judged_level);
  if (name == "preset" || name == "seed") return plain(), of_studies(std::string(name));
  if (name.starts_with("count.")) return plain(), counted(name.substr(6));
  if (name.starts_with("parameter.")) return parameter(name.substr(10), format);
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) unknown(name);
  const std::string_view whole = name.substr(0, dot), part = name.substr(dot + 1);
  if (const Finding* finding = facts_.finding(whole)) return finding_part(*finding, part, format);
  if (const Claim* claim = claim_or_entry(whole)) {
    std::string text = claim_part(*claim, part);
    return plain(), text;
  }
  unknown(name);
}

void Expander::unknown(std::string_view name) const {
  std::vector<std::string> known;
  for (const Results& study : facts_.studies())
    for (const Finding& finding : study.findings) known.push_back(finding.id);
  const std::string meant = nearest(name, known);
  refuse("unknown {}{}", in_quotes(name),
         meant.empty() ? "" : fmt::format("; the nearest finding is '{}'", meant));
}

std::string Expander::number(double value, std::string_view format) const {
  if (checking_ > 0 && !std::isfinite(value)) return "";
  return format_number(value, format);
}

std::string Expander::escaped(std::string_view text) const {
  return target_ == Target::markdown ? escape_markdown(text) : std::string(text);
}

/// On a page for a browser a number says what it is: under the pointer, and where it is clicked.
std::string Expander::finding_part(const Finding& finding, std::string_view part, std::string_view format) {
  std::string said = said_of(finding, part, format);
  if (links_.form() == Form::github || target_ != Target::markdown || checking_ > 0 || part == "n")
    return said;
  std::string title;
  for (const char c : escape_html(finding_text(facts_, finding)))
    title += c == '|' ? "&#124;" : std::string(1, c);  // in a table a bar would end the cell
  const double value = part == "theory" ? *finding.theory : finding.value;
  return fmt::format("<data value=\"{}\" title=\"{}\">{}</data>", value, title, said);
}

std::string Expander::said_of(const Finding& finding, std::string_view part, std::string_view format) const {
  if (part.empty()) {
    require(checking_ > 0 || !std::isnan(finding.value), "finding '{}' was not measured (NaN)", finding.id);
    return number(finding.value, format);
  }
  if (part == "interval") {
    require(finding.low && finding.high, "finding '{}' has no interval", finding.id);
    return format_interval(finding.low, finding.high, format, draws_of(finding));
  }
  if (part == "theory") {
    require(finding.theory.has_value(), "finding '{}' has no theory", finding.id);
    return number(*finding.theory, format);
  }
  if (part == "n") return number(static_cast<double>(finding.n), format);
  unknown(fmt::format("{}.{}", finding.id, part));
}

std::string Expander::claim_part(const Claim& claim, std::string_view part) const {
  if (part == "verdict") return to_text(claim.judgement);
  if (part == "statement") return escaped(claim.statement);
  if (part == "source") return escaped(claim.source);
  unknown(fmt::format("{}.{}", claim.id, part));
}

std::string Expander::parameter(std::string_view name, std::string_view format) const {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const Results* results = facts_.study(name.substr(0, dot));
  require(results != nullptr && dot < name.size(),
          "expected parameter.<study>.<name>, the study being among the results");
  const Value& value = at(results->parameters, name.substr(dot + 1));
  if (!std::holds_alternative<std::string>(value)) return number(to_number(value), format);
  require(format.empty(), "parameter '{}' is a text and takes no format", name);
  return escaped(std::get<std::string>(value));
}

/// The preset or seed of the study at hand; outside of one, of all, which one by one if they differ.
std::string Expander::of_studies(const std::string& word) const {
  const auto of = [&](const Results& r) {
    return word == "seed" ? fmt::format("{}", r.seed) : escaped(r.preset);
  };
  if (study_) return of(*study_);
  const auto& studies = facts_.studies();
  const std::string first = of(studies.front());
  if (std::all_of(studies.begin(), studies.end(), [&](const Results& r) { return of(r) == first; }))
    return first;
  std::string text;
  for (const Results& r : studies)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", of(r), escaped(r.study));
  return text;
}

const Claim& Expander::claim_named(const std::string& id) const {
  const Claim* claim = claim_or_entry(id);
  require(claim != nullptr, "no results for a claim '{}'", id);
  return *claim;
}

/// The last line of a section: how to measure it again, and where all of its numbers and its rule stand.
std::string Expander::command(const std::string& id) const {
  std::string line = code_span(command_for(facts_, id));
  if (!claim_named(id).findings.empty())
    line += " · " + links_.label("all numbers", fmt::format("FINDINGS.md#{}", anchor(id)));
  if (!claim_named(id).rule.empty())
    line += " · " +
            links_.label("how it is judged", fmt::format("chapters/rules.md#{}", anchor(claim_named(id).of)));
  return line;
}

}  // namespace perp::report
