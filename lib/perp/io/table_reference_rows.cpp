#include "perp/io/table_reference_rows.hpp"

#include <charconv>
#include <system_error>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {

std::string RowRange::text() const { return fmt::format("{}:{}", first, last); }

RowRange parse_rows(std::string_view text) {
  RowRange range;
  const auto whole_number = [&](std::string_view part, std::size_t& value) {
    const char* end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, value);
    return error == std::errc() && stop == end;
  };
  const std::size_t colon = text.find(':');
  const bool understood = colon != text.npos && whole_number(text.substr(0, colon), range.first) &&
                          whole_number(text.substr(colon + 1), range.last);
  require(understood && range.first < range.last,
          "rows {}: expected A:B with 0 <= A < B, for example 0:512 for the first 512 rows", in_quotes(text));
  return range;
}

void check_rows(const RowRange& range, std::size_t rows, const std::string& name) {
  require(range.first < range.last && range.last <= rows,
          "{}: rows {} of a table of {}; expected A:B within 0:{}", name, range.text(), rows, rows);
}

}  // namespace perp
