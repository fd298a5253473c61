#include "reports/render/tool.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "reports/render/text.hpp"

namespace perp::report {

constexpr const char* variable = "PERP_TOOL_SECONDS";

Limits tool_limits() {
  Limits limits{300, std::size_t{256} << 20U};
  if (const char* text = std::getenv(variable)) {
    const std::string_view given = text;
    limits.seconds = parse_double(given).value_or(0);
    require(limits.seconds > 0, "{}={}: expected seconds, for example 600", variable, in_quotes(given));
  }
  return limits;
}

Ended run_tool(const std::vector<std::string>& command, std::string_view input, std::string_view where) {
  Ended ended = run_process(command, plain_environment(), input, tool_limits());
  if (!ended.limit.empty())
    fail("{}: {} was stopped after {}{}", where, command.front(), ended.limit,
         ended.limit.ends_with(" s") ? fmt::format(" ({} allows more)", variable) : "");
  return ended;
}

std::filesystem::path in_path(const std::string& program) {
  std::error_code none;
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "", ':'))
    if (const auto file = std::filesystem::path(folder) / program;
        std::filesystem::is_regular_file(file, none) && ::access(file.c_str(), X_OK) == 0)
      return file;
  return {};
}

}  // namespace perp::report
