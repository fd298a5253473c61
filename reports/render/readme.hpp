#pragma once
// The generated block of the README.

#include <string>
#include <string_view>

namespace perp::report {

inline constexpr std::string_view readme_begin = "<!-- perpendicular:begin -->";
inline constexpr std::string_view readme_end = "<!-- perpendicular:end -->";

/// `readme` with what stands between the two markers replaced by `block`. Throws Error{Exit::unusable} with
/// `name` unless each marker stands there once, the beginning first.
std::string with_block(std::string_view readme, std::string_view block, std::string_view name);

}  // namespace perp::report
