#pragma once
// The pieces that this floor's error messages are made of: a name or a found text on one line, and the reason
// the system gave together with what to do about it. Both are the same whatever the locale.

#include <filesystem>
#include <string>
#include <string_view>

namespace perp {

/// `text` in single quotes, on one line: control bytes as \xNN, and no more than about 60 bytes of it.
std::string in_quotes(std::string_view text);

/// The whole path in single quotes, control bytes as \xNN.
std::string in_quotes(const std::filesystem::path& path);
inline std::string in_quotes(const std::string& text) { return in_quotes(std::string_view(text)); }
inline std::string in_quotes(const char* text) { return in_quotes(std::string_view(text)); }

/// What errno says in English and, where there is one, the remedy: "No space left on device; free some space,
/// …".
std::string reason(int error_number);

}  // namespace perp
