#include "perp/io/table_reference.hpp"

#include <system_error>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

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

}  // namespace perp
