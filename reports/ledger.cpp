#include "reports/ledger.hpp"

#include <cmath>

#include "perp/base/error.hpp"
#include "reports/claims.hpp"
#include "reports/data_table.hpp"
#include "reports/escape.hpp"
#include "reports/number.hpp"

namespace perp::report {
namespace {

std::string relation_word(Is is, bool has_interval) {
  switch (is) {
    case Is::below:
      return "<";
    case Is::above:
      return ">";
    case Is::within:
      return has_interval ? "contains" : "=";
    case Is::outside:
      return has_interval ? "excludes" : "≠";
  }
  return "?";
}

void add_deciding_cells(MarkdownTable& table, const Results& study, const Claim& claim) {
  const Condition* condition = deciding_condition(study, claim);
  if (!condition) {
    table.number("–");
    table.text("–");
    return table.number("–");
  }
  const Finding& finding = *find(study.findings, condition->finding);
  table.number(format_with_interval(finding.value, finding.low, finding.high));
  table.text(fmt::format("{} {} {}: {}", name_within(claim, finding.id),
                         relation_word(condition->is, finding.low && finding.high),
                         format_number(bound_of(study, *condition)),
                         holds(study.findings, *condition) ? "holds" : "fails"));
  table.number(finding.theory ? format_number(*finding.theory) : "–");
}

/// The verdict; how many of the rule's conditions hold where that is not all or none, and what a supported
/// claim leaves open. The other conditions stand in the list of surprises and are too long for here.
std::string verdict_cell(const Results& study, const Claim& claim) {
  const std::string verdict = fmt::format("**{}**", to_text(claim.verdict));
  if (claim.verdict == Verdict::conditional)
    return fmt::format("{}, {} of {}", verdict, conditions_held(study, claim), claim.rule.size());
  if (claim.verdict == Verdict::supported && !claim.condition.empty())
    return fmt::format("{}: {}", verdict, escape_markdown(claim.condition));
  return verdict;
}

void add_csv_row(Table& table, const Results& study, const Claim& claim) {
  const double none = std::nan("");
  const auto conditions = static_cast<std::int64_t>(claim.rule.size());
  std::vector<Value> deciding = {conditions, none,          std::string(), none, none, none,
                                 none,       std::string(), none,          none, none};
  if (const Condition* condition = deciding_condition(study, claim)) {
    const Finding& finding = *find(study.findings, condition->finding);
    deciding = {conditions,
                static_cast<std::int64_t>(conditions_held(study, claim)),
                finding.id,
                finding.value,
                finding.low.value_or(none),
                finding.high.value_or(none),
                finding.level.value_or(none),
                std::string(to_text(condition->is)),
                bound_of(study, *condition),
                finding.theory.value_or(none),
                static_cast<std::int64_t>(finding.n)};
  }
  std::vector<Value> row = {study.study, claim.id, std::string(to_text(claim.verdict)), claim.condition};
  row.insert(row.end(), deciding.begin(), deciding.end());
  row.insert(row.end(), {claim.statement, claim.source});
  table.add(std::move(row));
}

}  // namespace

std::string ledger_markdown(const Facts& facts, std::string_view report) {
  MarkdownTable table({"", "claim", "verdict", "deciding number", "rule", "theory or chance"});
  for (const Results& study : facts.studies())
    for (const Claim* claim : in_order(study)) {
      table.text(fmt::format("[{}]({}#{})", claim->id, report, anchor(claim->id)));
      table.text(escape_markdown(claim->statement));
      table.text(verdict_cell(study, *claim));
      add_deciding_cells(table, study, *claim);
      table.end_row();
    }
  return table.str();
}

std::string ledger_csv(const Facts& facts) {
  Table table{"ledger.csv", {}, {}};
  for (const char* name : {"study", "claim", "verdict", "condition", "conditions", "held", "finding", "value",
                           "low", "high", "level", "relation", "bound", "theory", "n", "statement", "source"})
    table.columns.push_back({name, "", Kind::exact, ""});
  for (const Results& study : facts.studies())
    for (const Claim* claim : in_order(study)) add_csv_row(table, study, *claim);
  return to_csv(table);
}

}  // namespace perp::report
