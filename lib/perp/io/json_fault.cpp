#include "perp/io/json_fault.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::size_t deepest = 64;
constexpr auto no_json = "{}: is no JSON from byte {} on; expected {}";

/// How deep brackets are nested, but for those within texts.
std::size_t depth_of(std::string_view json) {
  std::size_t depth = 0, most = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') in_text = !in_text;
    if (in_text && json[i] == '\\') ++i;
    if (in_text) continue;
    if (json[i] == '{' || json[i] == '[') most = std::max(most, ++depth);
    if ((json[i] == '}' || json[i] == ']') && depth > 0) --depth;
  }
  return most;
}

}  // namespace

nlohmann::json read_json(const ByteSource& source, std::string_view what, std::uint64_t most,
                         std::string_view expected, Twice twice) {
  const std::string file = in_quotes(source.path());
  require(source.size() <= most, "{}: {} of {} bytes; at most {} were expected", file, what, source.size(),
          most);
  const std::string text = source.beginning(static_cast<std::size_t>(source.size()));
  require(depth_of(text) <= deepest, "{}: is nested deeper than {}; expected {}", file, deepest, expected);
  // The parser would take a zero byte for the end and not look at what follows.
  const std::size_t zero = text.find('\0');
  require(zero == text.npos, no_json, file, zero + 1, expected);
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> names;
  const auto once = [&](int, Event event, const nlohmann::json& parsed) {
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key && twice == Twice::refused)
      require(names.back().insert(parsed.get<std::string>()).second,
              "{}: the key {} comes twice; expected {}", file, in_quotes(parsed.get<std::string>()),
              expected);
    return true;
  };
  try {
    return nlohmann::json::parse(text, once);
  } catch (const nlohmann::json::parse_error& error) {
    refuse(no_json, file, error.byte, expected);
  } catch (const nlohmann::json::out_of_range& error) {
    const std::string said = error.what();  // "… number overflow parsing '1e999'"
    refuse("{}: has a number beyond 1.8e308: {}; expected {}", file,
           on_one_line(said.substr(std::min(said.find('\''), said.size()))), expected);
  }
}

}  // namespace perp
