#include "perp/io/message.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace perp {
namespace {

constexpr std::size_t shown_bytes = 60;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

// The longest prefix of at most shown_bytes bytes that does not end inside a UTF-8 sequence.
std::string_view beginning(std::string_view text) {
  std::size_t size = shown_bytes;
  while (size > shown_bytes - 4 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

std::string description(int error_number) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
  // strerror would answer in the language of the locale.
  const char* text = strerrordesc_np(error_number);
#else
  const char* text = std::strerror(error_number);
#endif
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
      return "check the spelling, or create the folder first";
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

}  // namespace

std::string in_quotes(std::string_view text) {
  if (text.size() <= shown_bytes) return fmt::format("'{}'", escaped(text));
  return fmt::format("'{}'... ({} bytes)", escaped(beginning(text)), text.size());
}

std::string in_quotes(const std::filesystem::path& path) {
  return fmt::format("'{}'", escaped(path.native()));
}

std::string reason(int error_number) {
  const char* what_to_do = remedy(error_number);
  if (what_to_do == nullptr) return description(error_number);
  return fmt::format("{}; {}", description(error_number), what_to_do);
}

}  // namespace perp
