#include "perp/study/table.hpp"

#include "perp/base/error.hpp"
#include "perp/io/csv.hpp"

namespace perp {
namespace {

void write_cell(CsvWriter& csv, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    csv.number(*integer);
  else if (const auto* real = std::get_if<double>(&value))
    csv.number(*real);
  else
    csv.text(std::get<std::string>(value));
}

}  // namespace

Column::Column(std::string_view name_, std::string_view unit_, Kind kind_, std::string_view meaning_,
               std::string_view low_, std::string_view high_)
    : name(name_), unit(unit_), kind(kind_), meaning(meaning_), low(low_), high(high_) {}

Table::Table(std::string_view file_, std::initializer_list<Column> columns_,
             std::vector<std::vector<Value>> rows_)
    : file(file_), columns(columns_), rows(std::move(rows_)) {}
Table::Table(std::string_view file_, std::vector<Column> columns_, std::vector<std::vector<Value>> rows_)
    : file(file_), columns(std::move(columns_)), rows(std::move(rows_)) {}

void Table::add(std::initializer_list<Value> row) { add(std::vector<Value>(row)); }

void Table::add(std::vector<Value> row) {
  require(row.size() == columns.size(), "table '{}': a row has {} values, the table {} columns", file,
          row.size(), columns.size());
  rows.push_back(std::move(row));
}

const Value& Table::at(std::size_t row, std::string_view column) const {
  std::string names;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name == column) return rows.at(row)[c];
    names += (c ? ", " : "") + columns[c].name;
  }
  refuse("table '{}' has no column '{}'; it has {}", file, column, names);
}

std::string to_csv(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  CsvWriter csv(names);
  for (const std::vector<Value>& row : table.rows) {
    for (const Value& value : row) write_cell(csv, value);
    csv.end_row();
  }
  return csv.str();
}

}  // namespace perp
