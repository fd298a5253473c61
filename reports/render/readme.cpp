#include "reports/render/readme.hpp"

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
  std::string out(readme.substr(0, begin + readme_begin.size()));
  out.append("\n\n").append(block);
  while (!out.ends_with("\n\n")) out += '\n';
  return out.append(readme.substr(end));
}

}  // namespace perp::report
