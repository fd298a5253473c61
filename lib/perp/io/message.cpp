#include "perp/io/message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

namespace perp {
namespace {

constexpr std::size_t shown_bytes = 60;

// A character of UTF-8 at the beginning of `text`: its bytes and its number; no bytes when there is none.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t number = 0;
};

Character character_in(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  std::uint32_t number = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    number = number << 6 | (byte(i) & 0x3FU);
  }
  const bool too_long = (bytes == 3 && number < 0x800) || (bytes == 4 && number < 0x10000);
  if (too_long || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return {};
  return {bytes, number};
}

// Controls, separators of lines, marks of direction, and what takes no room.
bool may_mislead(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

// Of these, what no word needs; U+200C and U+200D are in words of several scripts.
bool is_mark(std::uint32_t c) {
  return (c >= 0x80 && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// The longest prefix of at most shown_bytes bytes that does not end inside a UTF-8 sequence.
std::string_view beginning(std::string_view text) {
  std::size_t size = shown_bytes;
  while (size > shown_bytes - 4 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

std::string description(int error_number) {
  // strerror would answer in the language of the locale.
  const char* text = strerrordesc_np(error_number);
  return text != nullptr ? std::string(text) : fmt::format("error number {}", error_number);
}

const char* remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
      return "free some space there, then run the same command again";
    case EDQUOT:
      return "free some of your quota there, then run the same command again";
    case EFBIG:
      return "raise the limit on file sizes (ulimit -f), then run the same command again";
    case EACCES:
    case EPERM:
      return "change its permissions or choose another place";
    case EROFS:
      return "choose a place that can be written to";
    case ENOENT:
      return "check the spelling";
    case ENOTDIR:
      return "a part of this path is a file, not a folder; choose another path";
    case EISDIR:
      return "this is a folder; name a file";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case ELOOP:
      return "its symbolic links lead in a circle; choose another path";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    case EIO:
      return "check the disk";
    default:
      return nullptr;
  }
}

/// Each character as `shown(character, its bytes)` says; a byte that begins none stands alone, as a character of no bytes.
template <class Shown>
std::string rewritten(std::string_view text, const Shown& shown) {
  std::string out;
  while (!text.empty()) {
    const Character c = character_in(text);
    const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
    out += shown(c, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::size_t utf8_bytes(std::string_view text) { return character_in(text).bytes; }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = utf8_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(utf8_bytes(text), 1));
  return count;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string on_one_line(std::string_view text) {
  return rewritten(text, [](const Character& c, std::string_view bytes) {
    if (c.bytes > 0 && !may_mislead(c.number)) return std::string(bytes);
    std::string out;
    for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return out;
  });
}

std::string in_json(std::string_view text) {
  const std::string shown = rewritten(text, [](const Character& c, std::string_view bytes) {
    if (c.bytes == 0) return fmt::format("\\\\x{:02x}", static_cast<unsigned char>(bytes.front()));
    if (c.number >= 0x10000 && may_mislead(c.number))  // two halves, as in UTF-16
      return fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (c.number >> 10), 0xDC00 + (c.number & 0x3FF));
    if (may_mislead(c.number)) return fmt::format("\\u{:04x}", c.number);
    return (c.number == '"' || c.number == '\\' ? std::string("\\") : std::string()).append(bytes);
  });
  return fmt::format("\"{}\"", shown);
}

std::string with_marks_shown(std::string_view text) {
  return rewritten(text, [](const Character& c, std::string_view bytes) {
    return is_mark(c.number) ? fmt::format("\\u{:04x}", c.number) : std::string(bytes);
  });
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= shown_bytes) return fmt::format("'{}'", on_one_line(text));
  return fmt::format("'{}'... ({} bytes)", on_one_line(beginning(text)), text.size());
}

std::string in_quotes(const std::filesystem::path& path) {
  return fmt::format("'{}'", on_one_line(path.native()));
}

std::string reason(int error_number) {
  const char* what_to_do = remedy(error_number);
  if (what_to_do == nullptr) return description(error_number);
  return fmt::format("{}; {}", description(error_number), what_to_do);
}

namespace {

/// Single characters to put in, to take out, to replace or to swap with their neighbour until one text is the other
/// (optimal string alignment; Damerau 1964, CACM 7:171).
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

}  // namespace

std::string nearest(std::string_view wrong, const std::vector<std::string>& among) {
  const auto far = [&](const std::string& name) { return edits(wrong, name); };
  const auto best = std::ranges::min_element(among, {}, far);
  // As many edits as half of its letters make any name of any other.
  return best == among.end() || 2 * far(*best) > best->size() ? "" : *best;
}

std::string instead_of(std::string_view wrong, const std::vector<std::string>& among) {
  const std::string meant = nearest(wrong, among);
  return meant.empty() ? fmt::format("; there is {}", fmt::join(among, ", "))
                       : fmt::format("; did you mean '{}'?", meant);
}

}  // namespace perp
