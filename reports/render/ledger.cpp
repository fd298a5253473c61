#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "perp/study/display.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

const double none = std::nan("");

/// The cells that a condition has in either file: value, low, high, level.
std::vector<Value> judged_cells(const Finding* finding, const Reading& reading) {
  if (!finding || reading.answer == Answer::unmeasured) return {none, none, none, none};
  if (!reading.interval) return {finding->value, none, none, none};
  return {finding->value, reading.interval->low, reading.interval->high, reading.interval->level};
}

void append(std::vector<Value>& row, std::vector<Value> cells) {
  row.insert(row.end(), std::make_move_iterator(cells.begin()), std::make_move_iterator(cells.end()));
}

std::vector<Value> leading_cells(const Facts& facts, const Claim& claim) {
  const auto leading = leading_condition(claim);
  if (!leading) return {std::string(), none, none, none, none, std::string(), none, none, none};
  const Condition& condition = claim.rule[*leading];
  const Finding& finding = *find(facts.findings(), condition.finding);
  std::vector<Value> cells{finding.id};
  append(cells, judged_cells(&finding, claim.judgement.readings[*leading]));
  append(cells, {std::string(to_text(condition.is)), bound_of(facts.findings(), condition).value_or(none),
                 finding.theory.value_or(none), static_cast<std::int64_t>(finding.n)});
  return cells;
}

void add_claim(Table& table, const Facts& facts, const Claim& claim, const Said& said) {
  const auto& readings = claim.judgement.readings;
  const auto leading = leading_condition(claim);
  std::vector<Value> row{facts.study_of_claim(claim.id)->study,
                         claim.id,
                         to_text(claim.judgement),
                         without_escapes(found_text(facts, claim, said)),
                         whole(claim.rule.size()),
                         std::ranges::count(readings, Answer::holds, &Reading::answer)};
  append(row, leading_cells(facts, claim));
  append(row, {claim.statement, claim.source, evidence_text(claim),
               std::string(to_text(leading ? readings[*leading].answer : Answer::unmeasured))});
  table.add(std::move(row));
}

void add_condition(Table& table, const Facts& facts, const Claim& claim, std::size_t place) {
  const Condition& condition = claim.rule[place];
  const Reading& reading = claim.judgement.readings[place];
  const Finding* finding = find(facts.findings(), condition.finding);
  std::vector<std::string> levels;
  for (const auto& [name, level] : condition.levels) levels.push_back(fmt::format("{}={}", name, level));
  const bool student = reading.interval && finding->spread->mean;
  std::vector<Value> row{claim.id, std::string(to_text(condition.role)),
                         fmt::format("{}", fmt::join(levels, " ")), condition.finding, condition.says};
  append(row, judged_cells(finding, reading));
  append(row,
         {student && std::isfinite(finding->spread->mean->freedom) ? finding->spread->mean->freedom : none,
          std::string(to_text(condition.is)), bound_of(facts.findings(), condition).value_or(none),
          condition.is == Is::equal ? condition.margin : none, std::string(to_text(reading.answer)),
          std::string(to_text(condition.evidence)), condition.needs});
  table.add(std::move(row));
}

Table table_of(const char* file, std::initializer_list<const char*> names) {
  Table table{file, {}, {}};
  for (const char* name : names) table.columns.push_back({name, "", Kind::exact, ""});
  return table;
}

}  // namespace

std::string ledger_markdown(const Facts& facts, const Links& links,
                            const std::function<Said(const Claim&)>& said,
                            const std::function<std::string(const Claim&)>& sources) {
  MarkdownRows rows;
  for (const Claim& claim : facts.claims()) {
    const Said of_claim = said(claim);
    const std::string linked = links.label(escape_markdown(claim.statement), "#" + anchor(claim.id));
    rows.push_back({std::string(trim(fmt::format("{} · {} {}", claim.id, linked, sources(claim)))),
                    verdict_text(claim, true), found_text(facts, claim, of_claim), evidence_text(claim),
                    of_claim.matters.empty() ? "–" : of_claim.matters});
  }
  return markdown_table({"claim", "verdict", "what was found", "evidence", "in practice"}, rows);
}

std::string ledger_csv(const Facts& facts, const std::function<Said(const Claim&)>& said) {
  Table table = table_of("ledger.csv", {"study", "claim", "verdict", "condition", "conditions", "held",
                                        "finding", "value", "low", "high", "level", "relation", "bound",
                                        "theory", "n", "statement", "source", "evidence", "outcome"});
  for (const Claim& claim : facts.claims()) add_claim(table, facts, claim, said(claim));
  return to_csv(table);
}

std::string conditions_csv(const Facts& facts) {
  Table table = table_of("conditions.csv",
                         {"claim", "role", "factor", "finding", "says", "value", "low", "high", "level",
                          "freedom", "relation", "bound", "margin", "outcome", "evidence", "needs"});
  for (const Claim& claim : facts.claims())
    for (std::size_t i = 0; i < claim.rule.size(); ++i) add_condition(table, facts, claim, i);
  return to_csv(table);
}

}  // namespace perp::report
