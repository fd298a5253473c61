#pragma once
// Functions of a reference row's columns, so that a function costs one line of a table.

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "tests/support/reference_table.hpp"

namespace perp::test {

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

}  // namespace perp::test
