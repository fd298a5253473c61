#include "perp/io/table_reference_rows.hpp"

#include <algorithm>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/numbers.hpp"

namespace perp {

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
