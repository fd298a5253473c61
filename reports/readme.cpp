#include "reports/readme.hpp"

#include <fmt/format.h>

#include "perp/base/error.hpp"

namespace perp::report {
namespace {

std::size_t only_place_of(std::string_view marker, std::string_view text, std::string_view name) {
  const std::size_t at = text.find(marker);
  require(at != text.npos, "{}: has no {}", name, marker);
  require(text.find(marker, at + 1) == text.npos, "{}: has {} twice", name, marker);
  return at;
}

}  // namespace

std::string with_block(std::string_view readme, std::string_view block, std::string_view name) {
  const std::size_t begin = only_place_of(readme_begin, readme, name);
  const std::size_t end = only_place_of(readme_end, readme, name);
  require(begin < end, "{}: {} stands behind {}", name, readme_begin, readme_end);
  std::string lines = fmt::format("\n\n{}", block);
  while (!lines.ends_with("\n\n")) lines += '\n';
  // Lines end as the first one does.
  if (readme.substr(0, readme.find('\n')).ends_with('\r'))
    for (std::size_t at = 0; (at = lines.find('\n', at)) != lines.npos; at += 2) lines.insert(at, 1, '\r');
  return fmt::format("{}{}{}", readme.substr(0, begin + readme_begin.size()), lines, readme.substr(end));
}

}  // namespace perp::report
