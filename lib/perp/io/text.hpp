#pragma once
// Text: numbers as it spells them, and its lines.

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

// Numbers as text, the same whatever the locale: '.' before the fraction, no grouping, and as few digits as
// give the same number back.

/// The shortest text that parses back to exactly this number: 0.1, 1e+22, -0, nan, inf, -inf.
std::string shortest(double value);

template <std::integral Integer>
requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) std::string shortest(Integer value) {
  return fmt::format("{:d}", value);
}

/// The number that the whole of `text` spells; nothing when it is no number or too large. A value too small
/// for the type becomes the zero of its sign. No blanks, no leading '+', no hexadecimal; "nan" and "inf" are
/// numbers.
std::optional<double> parse_double(std::string_view text);
std::optional<float> parse_float(std::string_view text);

/// The whole number from 0 that all of `text` writes in plain decimal digits; nothing for another text or from
/// 2^64 on.
std::optional<std::uint64_t> parse_whole(std::string_view text);

// Text files, plain or gzip-compressed (also dictd's .dz, which is gzip with an extra field, and several gzip
// streams one after the other). Which of the two it is, the first bytes say and not the name.

/// The file's text, decompressed. Throws Error{Exit::unusable} when it cannot be opened, is damaged or cut
/// off, is a device, holds a byte 0, grows as no text does when it is decompressed (two hundredfold), or holds more than
/// `max_bytes` of text or a quarter of the memory.
std::string read_gzip_or_plain(const std::filesystem::path& path,
                               std::size_t max_bytes = std::size_t{1} << 30);

/// The first `count` bytes of the text, or all if it has fewer.
std::string beginning_of_text(const std::filesystem::path& path, std::size_t count);

/// Without the mark of UTF-8 that some editors put in front of a text.
std::string_view without_byte_order_mark(std::string_view text);

/// Reads a plain or gzip-compressed text line by line through one buffer, so that its size does not matter.
class LineReader {
 public:
  explicit LineReader(std::filesystem::path path);
  /// The lines of a plain text in memory, which goes under a file's name.
  LineReader(std::filesystem::path name, std::string_view text);

  /// The next line without its "\n" or "\r\n", valid until the next call; false at the end. A byte order mark
  /// at the start of the text is dropped. Throws Error{Exit::unusable} for a line over 16 MiB or damaged
  /// data.
  bool next(std::string_view& line);

  /// Number of the line that `next` gave last, from 1.
  std::size_t number() const noexcept { return number_; }
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  bool refill();

  std::filesystem::path path_;
  std::function<std::size_t(char*, std::size_t)> read_some_;  // nothing for a text in memory
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what is in the buffer and not yet given out
  std::size_t number_ = 0;
};

}  // namespace perp
