#pragma once
// The pieces that this floor's error messages are made of: a name or a found text on one line, and the reason
// the system gave together with what to do about it. Both are the same whatever the locale.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

/// How many bytes the character of UTF-8 has that `text`, which is not empty, begins with; 0 when it is none.
std::size_t utf8_bytes(std::string_view text);

/// Whether the whole text is UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// How many characters of UTF-8 the text has; a byte that is none counts as one.
std::size_t columns(std::string_view text);

/// `text` without blanks and line breaks at its ends.
std::string_view trim(std::string_view text);

/// `text` as it may stand on one line of any terminal: control characters, line and paragraph separators,
/// characters that turn the direction of writing or cannot be seen, and bytes that are no UTF-8, as \xNN.
std::string on_one_line(std::string_view text);

/// `text` with the characters that turn the direction of writing or end a line unseen (U+200E, U+202A to
/// U+202E, U+2028 …) spelled out as \u202e, so that what is shown reads in the order in which it is stored.
std::string with_marks_shown(std::string_view text);

/// `text` in single quotes on one line, and no more than about 60 bytes of it.
std::string in_quotes(std::string_view text);

/// The whole path in single quotes on one line.
std::string in_quotes(const std::filesystem::path& path);
inline std::string in_quotes(const std::string& text) { return in_quotes(std::string_view(text)); }
inline std::string in_quotes(const char* text) { return in_quotes(std::string_view(text)); }

/// The text as JSON has it, with its quotes. What may mislead on a terminal is escaped and comes back as it was; bytes
/// that are no UTF-8, which JSON cannot hold, stand there as on_one_line shows them.
std::string in_json(std::string_view text);

/// What errno says in English and, where there is one, the remedy: "No space left on device; free some space,
/// …".
std::string reason(int error_number);

/// The one of these names that somebody may have meant by a wrong one; "" if none is near.
std::string nearest(std::string_view wrong, const std::vector<std::string>& among);

/// Behind "no column 'larget'": "; did you mean 'largest'?", or the names that there are.
std::string instead_of(std::string_view wrong, const std::vector<std::string>& among);

}  // namespace perp
