#pragma once
// Which rows of a table are meant: A:B, half-open and counted from 0, so that 0:512 are the first 512 rows.

#include <cstddef>
#include <string>
#include <string_view>

namespace perp {

struct RowRange {
  std::size_t first = 0, last = 0;  ///< rows first, first + 1 … last - 1

  std::size_t count() const { return last - first; }
  std::string text() const;  ///< "first:last"
};

/// Reads "A:B", 0 <= A < B. Throws Error{Exit::unusable} for anything else.
RowRange parse_rows(std::string_view text);

/// Throws Error{Exit::unusable} that begins with `name` unless a table of `rows` rows has all of the range.
void check_rows(const RowRange& range, std::size_t rows, const std::string& name);

}  // namespace perp
