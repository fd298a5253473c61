#pragma once
// Values computed elsewhere, by SciPy, NumPy or mpmath: tests/reference/<file>.csv, made by the script beside
// it. A column is an argument or what is expected. And inputs of such tables.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::test {

/// Values of one row, by column; the row says where it stands.
struct ReferenceRow {
  std::string place;
  std::map<std::string, double, std::less<>> values;

  /// Throws std::out_of_range naming row and column if there is none.
  double operator[](const std::string& column) const {
    const auto found = values.find(column);
    if (found == values.end()) throw std::out_of_range(place + ": no column " + column);
    return found->second;
  }
  std::size_t whole(const std::string& column) const {
    return static_cast<std::size_t>(std::llround((*this)[column]));
  }
};

/// The rows of tests/reference/<file>.csv. Throws std::runtime_error for a file that is absent or holds none.
inline std::vector<ReferenceRow> reference_table(const std::string& file) {
  std::ifstream in(std::filesystem::path(PERP_SOURCE_DIR) / "tests/reference" / (file + ".csv"));
  const auto fields_of = [](const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream rest(line);
    for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
    return fields;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> columns = fields_of(line);
  std::vector<ReferenceRow> rows;
  while (std::getline(in, line)) {
    ReferenceRow row{file + ".csv: " + line, {}};
    const std::vector<std::string> fields = fields_of(line);
    for (std::size_t i = 0; i < columns.size(); ++i) row.values[columns[i]] = std::stod(fields.at(i));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw std::runtime_error("tests/reference/" + file + ".csv holds no rows");
  return rows;
}

/// Holds `value` of every row against what is expected there; `off` says by how much it may differ.
template <class Value, class Off>
void check_reference(const std::string& file, const std::string& expected, const Value& value,
                     const Off& off) {
  for (const ReferenceRow& row : reference_table(file)) {
    const double wanted = row[expected], got = value(row);
    BOOST_TEST(std::abs(got - wanted) <= off(wanted), row.place << ": " << got << " instead of " << wanted);
  }
}

inline auto within(double difference) {
  return [=](double) { return difference; };
}
inline auto relative(double share) {
  return [=](double wanted) { return share * std::abs(wanted); };
}

using RowValue = std::function<double(const ReferenceRow&)>;

/// The function of the named columns, each as the function wants it.
template <class Result, class... Args>
auto call(Result (*function)(Args...), const std::array<const char*, sizeof...(Args)>& columns) {
  return [=]<std::size_t... i>(std::index_sequence<i...>) {
    return [=](const ReferenceRow& row) { return function(static_cast<Args>(row[columns[i]])...); };
  }
  (std::index_sequence_for<Args...>());
}
template <class Result, class... Args>
RowValue of(Result (*function)(Args...), const std::array<const char*, sizeof...(Args)>& columns) {
  return [=](const ReferenceRow& row) { return static_cast<double>(call(function, columns)(row)); };
}
/// A member of what a function of a row returns.
template <class Function, class Struct, class Number>
RowValue of(Function function, Number Struct::*member) {
  return [=](const ReferenceRow& row) { return static_cast<double>(function(row).*member); };
}

/// One expected column of a table, and what it is held against.
struct ReferenceEntry {
  const char* table;
  const char* expected;
  std::function<double(double)> off;
  RowValue value;
};
inline void check_entries(const std::string& floor, std::span<const ReferenceEntry> entries) {
  for (const auto& [table, expected, off, value] : entries)
    check_reference(floor + "_" + table, expected, value, off);
}

/// Sines of whole numbers, which both languages hold exactly.
template <class T>
Matrix<T> waves(std::size_t rows, std::size_t cols, std::size_t seed) {
  Matrix<T> out = matrix<T>(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      out(i, j) = static_cast<T>(std::sin(static_cast<double>((i + 1) * (j + 1) * (i + 2 * j + seed))));
  return out;
}

}  // namespace perp::test
