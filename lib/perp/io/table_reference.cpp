#include "perp/io/table_reference.hpp"

#include <algorithm>
#include <system_error>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/numbers.hpp"

namespace perp {

TableReference parse_table_reference(std::string_view text) {
  const auto is_there = [](std::string_view path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::path(path), ignored);
  };
  std::size_t colon = text.rfind(':');
  if (colon == text.npos || is_there(text)) {
    require(!text.empty(), "table '': expected FILE or FILE:TENSOR");
    return {std::filesystem::path(text), std::nullopt};
  }
  // A tensor's name may hold a ':' itself.
  for (std::size_t at = colon; at != text.npos && at > 0; at = text.rfind(':', at - 1))
    if (is_there(text.substr(0, at))) {
      colon = at;
      break;
    }
  const std::string_view path = text.substr(0, colon), tensor = text.substr(colon + 1);
  require(!path.empty() && !tensor.empty(), "table {}: expected FILE or FILE:TENSOR", in_quotes(text));
  return {std::filesystem::path(path), std::string(tensor)};
}

std::string RowRange::text() const { return fmt::format("{}:{}", first, last); }

RowRange parse_rows(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::optional<std::uint64_t> first = parse_whole(text.substr(0, colon)),
                                     last = parse_whole(text.substr(std::min(colon + 1, text.size())));
  require(first && last && *first < *last,
          "rows {}: expected A:B with 0 <= A < B, for example 0:512 for the first 512 rows", in_quotes(text));
  return {*first, *last};
}

void check_rows(const RowRange& range, std::size_t rows, const std::string& name) {
  require(range.first < range.last && range.last <= rows,
          "{}: rows {} of a table of {}; expected A:B within 0:{}", name, range.text(), rows, rows);
}

}  // namespace perp
