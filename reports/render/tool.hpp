#pragma once
// gnuplot and pandoc: with none of the user's settings, and not for ever.

#include <string>
#include <string_view>
#include <vector>

#include "perp/io/process.hpp"

namespace perp::report {

/// Runs the program on `input` for what `where` names. Throws Error, which begins with `where`, when it takes
/// over five minutes (PERP_TOOL_SECONDS says otherwise) or writes over 256 MB.
Ended run_tool(const std::vector<std::string>& command, std::string_view input, std::string_view where);

/// Whether PATH has the program, looked for and not run: one that hangs is met, and ended, where it works. Throws
/// Error{Exit::unusable} where run_tool would for the limit that the environment gives.
bool is_there(const std::string& program);

}  // namespace perp::report
