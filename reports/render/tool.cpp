#include "reports/render/tool.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

constexpr const char* variable = "PERP_TOOL_SECONDS";

Limits limits() {
  Limits limits{300, std::size_t{256} << 20U};
  if (const char* text = std::getenv(variable)) {
    const std::string_view given = text;
    limits.seconds = parse_double(given).value_or(0);
    require(limits.seconds > 0, "{}={}: expected seconds, for example 600", variable, in_quotes(given));
  }
  return limits;
}

}  // namespace

Ended run_tool(const std::vector<std::string>& command, std::string_view input, std::string_view where) {
  Ended ended = run_process(command, plain_environment(), input, limits());
  if (!ended.limit.empty())
    fail("{}: {} was stopped after {}{}", where, command.front(), ended.limit,
         ended.limit.ends_with(" s") ? fmt::format(" ({} allows more)", variable) : "");
  return ended;
}

bool is_there(const std::string& program) {
  static_cast<void>(limits());
  const char* const path = std::getenv("PATH");
  return std::ranges::any_of(split(path ? path : "", ':'), [&](const std::string& folder) {
    return ::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0;
  });
}

}  // namespace perp::report
