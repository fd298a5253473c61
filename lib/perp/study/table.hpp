#pragma once
// A table of results: what a CSV file holds, with the definition of each column.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/finding.hpp"

namespace perp {

struct Column {
  std::string name;  ///< [a-z0-9_]+
  std::string unit;  ///< "1" for a pure number, "" for a text
  Kind kind = Kind::exact;
  std::string meaning;
  std::string low, high;  ///< names of the columns that hold this one's interval

  Column(std::string_view name, std::string_view unit, Kind kind = Kind::exact, std::string_view meaning = {},
         std::string_view low = {}, std::string_view high = {});
};

struct Table {
  std::string file;  ///< "<name>.csv"
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
  std::string
      sha256;  ///< of the CSV file, as results.json has it; empty until written, and in files of older versions

  Table() = default;
  Table(std::string_view file, std::initializer_list<Column> columns,
        std::vector<std::vector<Value>> rows = {});
  Table(std::string_view file, std::vector<Column> columns, std::vector<std::vector<Value>> rows = {});

  /// Appends a row. Throws Error unless it has a value per column.
  void add(std::initializer_list<Value> row);
  void add(std::vector<Value> row);

  /// The value of a named column. Throws Error naming the columns there are.
  const Value& at(std::size_t row, std::string_view column) const;
  double number(std::size_t row, std::string_view column) const { return to_number(at(row, column)); }
};

/// The table as CSV text: header of column names, then rows; see csv.hpp for quoting.
std::string to_csv(const Table& table);

}  // namespace perp
