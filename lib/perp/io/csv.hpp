#pragma once
// Tables as CSV: a header of plain column names, fields as RFC 4180 (2005) quotes them, lines ending in LF,
// numbers in their shortest round-trip form whatever the locale, NaN (no value) as an empty field.
//
// A spreadsheet runs a text that starts with = + - or @ as a formula, so such a text gets a leading
// apostrophe; so does a text of apostrophes before one of these, which lets the reader undo it exactly.
// Numbers never get one. Marks that turn the direction of writing are spelled out (\u202e), and stay so.

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/text.hpp"

namespace perp {

/// Builds the text of a CSV table, cell by cell.
class CsvWriter {
 public:
  /// Writes the header.
  explicit CsvWriter(const std::vector<std::string>& columns);

  CsvWriter& text(std::string_view value);
  CsvWriter& number(double value);
  template <std::integral Integer>
  CsvWriter& number(Integer value) {
    return field(shortest(value));
  }
  CsvWriter& empty() { return field({}); }

  void end_row();

  /// Everything written so far.
  const std::string& str() const { return out_; }

 private:
  CsvWriter& field(std::string_view value);

  std::string out_;
  std::size_t columns_ = 0, filled_ = 0;
};

/// A table read back: every row has a field per column.
struct Csv {
  std::string name;  ///< the file, for messages
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  /// Where the named column is. Throws Error that lists the columns there are.
  std::size_t column(std::string_view wanted) const;

  /// rows[row][column] as a number, NaN where it is empty. Throws Error when it is something else.
  double number(std::size_t row, std::size_t column) const;
};

/// Reads what CsvWriter writes, and CRLF line ends. Throws Error{Exit::unusable} with `name` and line: no
/// header, an empty or repeated column name, another count of fields than columns, a quote out of place or
/// never closed.
Csv parse_csv(std::string_view text, std::string name);
Csv read_csv(const std::filesystem::path& path);

}  // namespace perp
