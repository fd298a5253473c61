#include "reports/ledger.hpp"

#include <cctype>
#include <cmath>

#include "perp/base/error.hpp"
#include "reports/data_table.hpp"
#include "reports/escape.hpp"
#include "reports/number.hpp"

namespace perp::report {
namespace {

std::string relation_word(Is is) {
  switch (is) {
    case Is::below:
      return "<";
    case Is::above:
      return ">";
    case Is::within:
      return "contains";
    case Is::outside:
      return "excludes";
  }
  return "?";
}

/// The number a condition compares with. Only for a condition that was measured.
double bound_of(const Results& study, const Condition& condition) {
  if (const double* limit = std::get_if<double>(&condition.bound)) return *limit;
  const std::string& name = std::get<std::string>(condition.bound);
  return name == "theory" ? *find(study.findings, condition.finding)->theory
                          : find(study.findings, name)->value;
}

void add_deciding_cells(MarkdownTable& table, const Results& study, const Claim& claim) {
  const Condition* condition = deciding_condition(study, claim);
  if (!condition) {
    for (int i = 0; i < 3; ++i) table.number("–");
    return;
  }
  const Finding& finding = *find(study.findings, condition->finding);
  table.number(format_with_interval(finding.value, finding.low, finding.high));
  table.number(
      fmt::format("{} {}", relation_word(condition->is), format_number(bound_of(study, *condition))));
  table.number(finding.theory ? format_number(*finding.theory) : "–");
}

std::string verdict_cell(const Claim& claim) {
  const std::string verdict = fmt::format("**{}**", to_text(claim.verdict));
  return claim.condition.empty() ? verdict : fmt::format("{}: {}", verdict, escape_markdown(claim.condition));
}

void add_csv_row(Table& table, const Results& study, const Claim& claim) {
  const double none = std::nan("");
  std::vector<Value> deciding = {std::string(), none, none, none, none, std::string(), none, none, none};
  if (const Condition* condition = deciding_condition(study, claim)) {
    const Finding& finding = *find(study.findings, condition->finding);
    deciding = {finding.id,
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

std::string anchor(std::string_view claim) {
  std::string text;
  for (const char c : claim) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string ledger_markdown(const Facts& facts, std::string_view report) {
  MarkdownTable table({"", "claim", "verdict", "deciding number", "rule", "theory or chance"});
  for (const Results& study : facts.studies())
    for (const Claim& claim : study.claims) {
      table.text(fmt::format("[{}]({}#{})", claim.id, report, anchor(claim.id)));
      table.text(escape_markdown(claim.statement));
      table.text(verdict_cell(claim));
      add_deciding_cells(table, study, claim);
      table.end_row();
    }
  return table.str();
}

std::string ledger_csv(const Facts& facts) {
  Table table{"ledger.csv", {}, {}};
  for (const char* name : {"study", "claim", "verdict", "condition", "finding", "value", "low", "high",
                           "level", "relation", "bound", "theory", "n", "statement", "source"})
    table.columns.push_back({name, "", Kind::exact, ""});
  for (const Results& study : facts.studies())
    for (const Claim& claim : study.claims) add_csv_row(table, study, claim);
  return to_csv(table);
}

}  // namespace perp::report
