#include "perp/io/text.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/byte_source.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

template <class T>
std::optional<T> parse(std::string_view text) {
  T value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small, std::from_chars does not say. (The program never sets a locale: '.' is C's.)
    if (std::abs(std::strtod(std::string(text).c_str(), nullptr)) >= 1) return std::nullopt;
    return text.starts_with('-') ? -T{0} : T{0};
  }
  return value;
}

}  // namespace

std::string shortest(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign bit
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : fmt::format("{}", value);
}
std::optional<double> parse_double(std::string_view text) { return parse<double>(text); }
std::optional<float> parse_float(std::string_view text) { return parse<float>(text); }

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr std::size_t max_line_bytes = std::size_t{1} << 24;
// Written language shrinks to a third or a tenth; what shrinks more than this holds nothing but repetitions.
constexpr std::uint64_t most_growth = 200, judged_from = std::uint64_t{1} << 26;

// Text as it is, or what zlib makes of it where it begins as gzip does, member after member. zlib's own reader of files would
// pass over, in silence, whatever stands behind a member and is none.
class GzipInput {
 public:
  explicit GzipInput(const std::filesystem::path& path) : file_(path), read_(std::size_t{1} << 18) {
    is_gzip_ = refill() && std::string_view(read_.data(), stream_.avail_in).starts_with("\x1f\x8b");
    constexpr int gzip_alone = 15 + 16;
    if (is_gzip_ && ::inflateInit2(&stream_, gzip_alone) != Z_OK)
      fail("cannot read {}: zlib has no memory for it", in_quotes(path));
  }
  ~GzipInput() {
    if (is_gzip_) ::inflateEnd(&stream_);
  }
  GzipInput(const GzipInput&) = delete;
  GzipInput& operator=(const GzipInput&) = delete;

  // Up to `count` bytes of text; 0 only at the end.
  std::size_t read_some(char* to, std::size_t count) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(count, chunk_bytes));
    while (stream_.avail_out > 0 && (stream_.avail_in > 0 || refill())) is_gzip_ ? inflate() : copy();
    require(!is_gzip_ || stream_.avail_out == 0 || is_at_end_of_member_,
            "{} ends in the middle of its gzip data: copy it again", in_quotes(file_.path()));
    const auto got = static_cast<std::size_t>(reinterpret_cast<char*>(stream_.next_out) - to);
    given_ += got;
    const std::uint64_t taken = taken_ - stream_.avail_in;
    require(given_ < judged_from || given_ / std::max<std::uint64_t>(taken, 1) < most_growth,
            "{} grows to {} times its size and more when it is decompressed, a text was expected",
            in_quotes(file_.path()), most_growth);
    return got;
  }

 private:
  bool refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(read_.data());
    stream_.avail_in = static_cast<uInt>(file_.read_some(read_.data(), read_.size()));
    taken_ += stream_.avail_in;
    return stream_.avail_in > 0;
  }
  void copy() {
    const uInt bytes = std::min(stream_.avail_in, stream_.avail_out);
    std::memcpy(stream_.next_out, stream_.next_in, bytes);
    stream_.next_in += bytes, stream_.avail_in -= bytes;
    stream_.next_out += bytes, stream_.avail_out -= bytes;
  }
  void inflate() {
    if (is_at_end_of_member_) ::inflateReset(&stream_);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    is_at_end_of_member_ = code == Z_STREAM_END;
    require(code == Z_OK || is_at_end_of_member_, "{} has damaged gzip data ({}): copy it again",
            in_quotes(file_.path()), stream_.msg == nullptr ? "no progress" : stream_.msg);
  }

  InputFile file_;
  std::vector<char> read_;
  z_stream stream_{};
  bool is_gzip_ = false, is_at_end_of_member_ = false;
  std::uint64_t taken_ = 0, given_ = 0;
};

}  // namespace

std::string read_gzip_or_plain(const std::filesystem::path& path, std::size_t max_bytes) {
  const std::size_t most = std::min(max_bytes, memory_limit() / 4);  // its words need as much again
  GzipInput file(path);
  std::string text;
  std::vector<char> chunk(chunk_bytes);
  while (const std::size_t got = file.read_some(chunk.data(), chunk.size())) {
    require(got <= most - text.size(), "{} holds more than {} bytes of text; {}", in_quotes(path), most,
            memory_limit_text());
    // A program, UTF-16, what xz or zip made: all have one; a letter of an older encoding may still be a text's.
    require(std::string_view(chunk.data(), got).find('\0') == std::string_view::npos,
            "{} is no text (it holds a byte 0); expected plain text, as it is or compressed by gzip",
            in_quotes(path));
    text.append(chunk.data(), got);
  }
  return text;
}

std::string beginning_of_text(const std::filesystem::path& path, std::size_t count) {
  GzipInput file(path);
  std::string text(count, '\0');
  std::size_t filled = 0;
  while (const std::size_t got = file.read_some(text.data() + filled, count - filled)) filled += got;
  text.resize(filled);
  return text;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

LineReader::LineReader(std::filesystem::path path) : path_(std::move(path)), buffer_(chunk_bytes) {
  read_some_ = [file = std::make_shared<GzipInput>(path_)](char* to, std::size_t count) {
    return file->read_some(to, count);
  };
}

LineReader::LineReader(std::filesystem::path name, std::string_view text)
    : path_(std::move(name)), buffer_(text.begin(), text.end()), end_(text.size()) {}

// Moves what is left to the front of the buffer and reads on behind it; false when nothing came.
bool LineReader::refill() {
  if (!read_some_) return false;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    require(end_ < max_line_bytes, "{}:{}: a line of over {} bytes; is this a text file?", in_quotes(path_),
            number_ + 1, max_line_bytes);
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = read_some_(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* first = buffer_.data() + begin_;
    const std::size_t left = end_ - begin_;
    const void* found = left > searched ? std::memchr(first + searched, '\n', left - searched) : nullptr;
    if (found != nullptr) {
      line = {first, static_cast<std::size_t>(static_cast<const char*>(found) - first)};
      begin_ += line.size() + 1;
      break;
    }
    searched = left;
    if (refill()) continue;
    if (left == 0) return false;
    line = {buffer_.data() + begin_, left};  // the last line, without a line end
    begin_ = end_;
    break;
  }
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (number_ == 1) line = without_byte_order_mark(line);
  return true;
}

}  // namespace perp
