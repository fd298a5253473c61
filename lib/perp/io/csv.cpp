#include "perp/io/csv.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

// Whether a spreadsheet would run the text, or the reader would take an apostrophe off it.
bool looks_like_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  return first != text.npos && std::string_view("=+-@").find(text[first]) != std::string_view::npos;
}

// Splits CSV text into records of fields.
class CsvParser {
 public:
  CsvParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool at_end() const { return at_ == text_.size(); }
  std::size_t line() const { return line_; }

  std::vector<std::string> record() {
    std::vector<std::string> fields;
    do {
      fields.push_back(field());
    } while (take(','));
    if (take('\r') && !at_end() && text_[at_] != '\n') complain("a carriage return inside a line");
    if (take('\n')) ++line_;
    return fields;
  }

 private:
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string field() {
    if (take('"')) return undo(quoted_field());
    const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    const std::string_view plain = text_.substr(at_, end - at_);
    if (plain.find('"') != plain.npos) complain("a quote inside a field that does not begin with one");
    at_ = end;
    return undo(std::string(plain));
  }

  std::string quoted_field() {
    const std::size_t opened = line_;
    std::string value;
    for (;;) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == text_.npos) refuse("{}:{}: a quote is opened here and never closed", name_, opened);
      const std::string_view piece = text_.substr(at_, quote - at_);
      line_ += static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n'));
      value += piece;
      at_ = quote + 1;
      if (!take('"')) break;
      value += '"';
    }
    if (!at_end() && std::string_view(",\r\n").find(text_[at_]) == std::string_view::npos)
      complain("text behind a closing quote");
    return value;
  }

  static std::string undo(std::string value) {
    if (value.starts_with('\'') && looks_like_formula(value)) value.erase(0, 1);
    return value;
  }

  [[noreturn]] void complain(std::string_view found) const { refuse("{}:{}: {}", name_, line_, found); }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

CsvWriter::CsvWriter(const std::vector<std::string>& columns) : columns_(columns.size()) {
  for (const std::string& name : columns) text(name);
  end_row();
}

CsvWriter& CsvWriter::field(std::string_view value) {
  if (filled_++ > 0) out_ += ',';
  // A lone empty field would leave an empty line.
  const bool lone = value.empty() && columns_ == 1;
  if (!lone && value.find_first_of(",\"\r\n") == value.npos) {
    out_ += value;
    return *this;
  }
  out_ += '"';
  for (const char c : value) {
    if (c == '"') out_ += '"';
    out_ += c;
  }
  out_ += '"';
  return *this;
}

CsvWriter& CsvWriter::text(std::string_view value) {
  const std::string shown = with_marks_shown(value);
  return looks_like_formula(shown) ? field(fmt::format("'{}", shown)) : field(shown);
}

CsvWriter& CsvWriter::number(double value) { return std::isnan(value) ? empty() : field(shortest(value)); }

void CsvWriter::end_row() {
  out_ += '\n';
  filled_ = 0;
}

std::size_t Csv::column(std::string_view wanted) const {
  const auto found = std::ranges::find(columns, wanted);
  if (found == columns.end())
    refuse("{} has no column {}; it has {}", name, in_quotes(wanted), fmt::join(columns, ", "));
  return static_cast<std::size_t>(found - columns.begin());
}

double Csv::number(std::size_t row, std::size_t column) const {
  const std::string& text = rows.at(row).at(column);
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> value = parse_double(text);
  if (!value)
    refuse("{}: row {}, column {}: found {}, a number was expected", name, row + 1,
           in_quotes(columns.at(column)), in_quotes(text));
  return *value;
}

Csv parse_csv(std::string_view text, std::string name) {
  Csv table{std::move(name), {}, {}};
  require(!text.empty(), "{} is empty, a header of column names was expected", table.name);
  CsvParser parser(text, table.name);
  table.columns = parser.record();
  for (auto name = table.columns.begin(); name != table.columns.end(); ++name) {
    require(!name->empty(), "{}: column {} has no name", table.name, name - table.columns.begin() + 1);
    require(std::find(table.columns.begin(), name, *name) == name, "{}: two columns are named {}", table.name,
            in_quotes(*name));
  }
  while (!parser.at_end()) {
    const std::size_t line = parser.line();
    table.rows.push_back(parser.record());
    require(table.rows.back().size() == table.columns.size(), "{}:{}: {} fields, {} were expected",
            table.name, line, table.rows.back().size(), table.columns.size());
  }
  return table;
}

Csv read_csv(const std::filesystem::path& path) { return parse_csv(read_file(path), path.string()); }

}  // namespace perp
