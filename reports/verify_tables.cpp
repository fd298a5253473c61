#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/io/csv.hpp"
#include "perp/io/numbers.hpp"
#include "reports/verify_study.hpp"

namespace perp::report {
namespace {

using Row = std::size_t;
using RowPairs = std::vector<std::pair<Row, Row>>;

/// One table of both runs: its definition now, its rows then and now.
struct TablePair {
  const Table& definition;
  Csv published, fresh;
  double level;     ///< of the intervals in its columns
  bool has_cutoff;  ///< a column says at which cutoff of singular values the row was computed
  bool has_trials;  ///< a column says of how many decisions the row's shares are
};

/// A row by what it is about: its exact texts and whole numbers.
std::string key_of(const TablePair& table, const Csv& csv, Row row) {
  std::string key;
  for (std::size_t c = 0; c < table.definition.columns.size(); ++c)
    if (table.definition.columns[c].kind == Kind::exact) key += csv.rows[row][c] + "\n";
  return key;
}

/// Rows side by side: in order where both runs have as many, else those that are about the same.
RowPairs row_pairs(const TablePair& table) {
  RowPairs pairs;
  if (table.published.rows.size() == table.fresh.rows.size()) {
    for (Row row = 0; row < table.fresh.rows.size(); ++row) pairs.emplace_back(row, row);
    return pairs;
  }
  std::multimap<std::string, Row> now;
  for (Row row = 0; row < table.fresh.rows.size(); ++row) now.emplace(key_of(table, table.fresh, row), row);
  for (Row row = 0; row < table.published.rows.size(); ++row)
    if (const auto it = now.find(key_of(table, table.published, row)); it != now.end()) {
      pairs.emplace_back(row, it->second);
      now.erase(it);
    }
  return pairs;
}

bool is_number(const std::string& cell) { return cell.empty() || parse_double(cell).has_value(); }
double number(const std::string& cell) { return cell.empty() ? std::nan("") : *parse_double(cell); }

std::optional<double> cell_of(const Csv& csv, Row row, const std::string& column) {
  if (column.empty()) return std::nullopt;
  const std::string& cell = csv.rows[row][csv.column(column)];
  return is_number(cell) && !cell.empty() ? std::optional(number(cell)) : std::nullopt;
}

/// The largest magnitude in the column, and whether all its numbers are whole.
struct Range {
  double scale = 0;
  bool whole = true;
};
Range range_of(const TablePair& table, std::size_t column) {
  Range range;
  for (const Csv* csv : {&table.published, &table.fresh})
    for (const auto& row : csv->rows)
      if (const std::optional<double> value = parse_double(row[column])) {
        range.scale = std::max(range.scale, std::abs(*value));
        range.whole = range.whole && *value == std::floor(*value);
      }
  return range;
}

Estimate estimate_at(const TablePair& table, const Csv& csv, Row row, const Column& column) {
  return {number(csv.rows[row][csv.column(column.name)]), cell_of(csv, row, column.low),
          cell_of(csv, row, column.high), table.level};
}

/// What one decision moves here: a column `trials` says of how many decisions each share of the row is, and a
/// share is what has an interval. That is over eight groups or more (fewest_replicates).
double one_decision_at(const TablePair& table, Row row, const Column& column) {
  const std::optional<double> trials = cell_of(table.fresh, row, table.has_trials ? "trials" : "");
  if (!trials || *trials < 1) return 0;
  if (!column.low.empty()) return 1 / *trials;
  const bool ends_one = std::ranges::any_of(table.definition.columns, [&](const Column& share) {
    return share.low == column.name || share.high == column.name;
  });
  return ends_one ? tolerance::end_of_share(fewest_replicates - 1, table.level) / *trials : 0;
}

/// Where a column holds numbers of several units, a row's label ends with its own: "its departure from
/// chance, standard deviations".
std::string unit_at(const TablePair& table, Row row, const Column& column) {
  for (const Column& label : table.definition.columns)
    if (label.kind == Kind::exact && column.unit == "1" &&
        table.fresh.rows[row][table.fresh.column(label.name)].ends_with(
            fmt::format(", {}", standard_deviations)))
      return standard_deviations;
  return column.unit;
}

Judgement compare_cells(const TablePair& table, const Column& column, const Range& range, Row before, Row now,
                        Common common) {
  const std::size_t at = table.fresh.column(column.name);
  const std::string &old_cell = table.published.rows[before][at], &cell = table.fresh.rows[now][at];
  if (!is_number(old_cell) || !is_number(cell)) return compare(column.kind, old_cell, cell, common);
  Pair pair{column.kind, estimate_at(table, table.published, before, column),
            estimate_at(table, table.fresh, now, column), unit_at(table, now, column), range.scale};
  pair.cutoff = cell_of(table.fresh, now, table.has_cutoff ? "cutoff" : "").value_or(1);
  pair.place = range.whole;
  pair.one_decision = one_decision_at(table, now, column);
  return compare(pair, common);
}

/// Whether a bin and one of its neighbours together hold what they held.
bool shared_with_a_neighbour(const TablePair& table, const Column& column, const Range& range,
                             const RowPairs& rows, std::size_t at, Common common) {
  if (column.name != density || column.kind != Kind::sampled) return false;
  const std::size_t cell = table.fresh.column(column.name);
  const auto sum = [&](const Csv& csv, Row row, Row beside) {
    return Estimate{number(csv.rows[row][cell]) + number(csv.rows[beside][cell])};
  };
  for (const std::size_t other : {at - 1, at + 1}) {
    if (other >= rows.size()) continue;
    const auto& [before, now] = rows[at];
    const auto& [before_beside, now_beside] = rows[other];
    const Pair pair{column.kind, sum(table.published, before, before_beside),
                    sum(table.fresh, now, now_beside), column.unit, range.scale};
    if (compare(pair, common).outcome <= Outcome::within) return true;
  }
  return false;
}

/// One line per column and outcome: how many cells, and the first of them.
void verify_column(const StudyPair& pair, const TablePair& table, const RowPairs& rows,
                   const Column& column) {
  const std::size_t at = table.fresh.column(column.name);
  const Range range = range_of(table, at);
  std::map<Outcome, std::pair<std::size_t, Moved>> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [before, now] = rows[i];
    Judgement judged = compare_cells(table, column, range, before, now, pair.common);
    if (judged.outcome == Outcome::failed && pair.common == Common::draws &&
        shared_with_a_neighbour(table, column, range, rows, i, pair.common))
      judged = {Outcome::within, ""};
    Moved moved = pair.excused(
        {judged.outcome,
         fmt::format("{}/{} {} row {}", pair.name(), table.definition.file, column.name, now + 1),
         table.published.rows[before][at], table.fresh.rows[now][at], judged.why},
        false, column.kind);
    const Outcome outcome = moved.outcome;
    ++found.try_emplace(outcome, 0, std::move(moved)).first->second.first;
  }
  for (auto& [outcome, entry] : found) {
    auto& [times, first] = entry;
    pair.into.count("table values", outcome, times - 1);
    if (times > 1) first.where += fmt::format(" and {} more", times - 1);
    pair.into.note("table values", std::move(first));
  }
}

/// The least level that a finding of the study has, for columns do not say theirs: it gives the widest
/// errors.
double level_of(const Results& results) {
  double level = 0.99;
  for (const Finding& finding : results.findings) level = std::min(level, finding.level.value_or(level));
  return level;
}

bool has_column(const Table& table, std::string_view name) {
  return std::ranges::count(table.columns, name, &Column::name) > 0;
}

void verify_table(const StudyPair& pair, const Table& before, const Table& definition) {
  const TablePair table{definition,
                        read_csv(pair.published.folder / definition.file),
                        read_csv(pair.fresh.folder / definition.file),
                        level_of(pair.fresh.results),
                        has_column(definition, "cutoff"),
                        has_column(definition, "trials")};
  const std::string name = pair.name() + "/" + definition.file;
  const auto missing = [&](Moved moved) {
    pair.into.note("table values", pair.excused(std::move(moved), true, Kind::exact));
  };
  if (table.published.columns != table.fresh.columns)
    return missing({Outcome::failed, name, fmt::format("{} columns", table.published.columns.size()),
                    fmt::format("{} columns", table.fresh.columns.size()), "other columns"});
  for (std::size_t i = 0; i < std::min(before.columns.size(), definition.columns.size()); ++i) {
    const Column &was = before.columns[i], &is = definition.columns[i];
    if (auto other = apart(fmt::format("{} {}", name, is.name),
                           {{"kind", std::string(to_text(was.kind)), std::string(to_text(is.kind))},
                            {"unit", was.unit, is.unit},
                            {"meaning", was.meaning, is.meaning},
                            {"interval", was.low + " " + was.high, is.low + " " + is.high}}))
      missing(std::move(*other));
  }
  const RowPairs rows = row_pairs(table);
  if (rows.size() != table.published.rows.size() || rows.size() != table.fresh.rows.size())
    missing({Outcome::failed, name, fmt::format("{} rows", table.published.rows.size()),
             fmt::format("{} rows", table.fresh.rows.size()),
             fmt::format("{} of them about the same", rows.size())});
  for (const Column& column : definition.columns) verify_column(pair, table, rows, column);
}

}  // namespace

void verify_tables(const StudyPair& pair) {
  side_by_side(pair, "table values", pair.published.results.tables, pair.fresh.results.tables, &Table::file,
               [&](const Table& before, const Table& now) { verify_table(pair, before, now); });
}

}  // namespace perp::report
