#pragma once
// Tables as people name them on the command line, FILE or FILE:TENSOR, whatever format the file has.
// table_rows.hpp says which formats there are, and reads them.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace perp {

struct TableReference {
  std::filesystem::path path;
  std::optional<std::string> tensor;  ///< which one, in a file of several
};

/// Splits FILE:TENSOR at the last ':', unless the whole names an existing file; if what stands before that is
/// no file, then at the last ':' behind a file, if any. Throws Error{Exit::unusable}
/// when one side of that ':' is empty; whether the file is there, reading will tell.
TableReference parse_table_reference(std::string_view text);

/// Which rows of a table are meant: A:B, half-open and counted from 0, so that 0:512 are the first 512 rows.
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
