#pragma once
// gnuplot and pandoc: with none of the user's settings, and not for ever.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/process.hpp"

namespace perp::report {

/// Runs the program on `input` for what `where` names. Throws Error, which begins with `where`, when it takes
/// over five minutes (PERP_TOOL_SECONDS says otherwise) or writes over 256 MB.
Ended run_tool(const std::vector<std::string>& command, std::string_view input, std::string_view where);

/// run_tool's limits. Throws Error{Exit::unusable} where PERP_TOOL_SECONDS says no number of seconds.
Limits tool_limits();

/// Where PATH has the program, which is not run: one that hangs is met, and ended, where it works. Empty where it has none.
std::filesystem::path in_path(const std::string& program);

}  // namespace perp::report
