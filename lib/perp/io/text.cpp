#include "perp/io/text.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/byte_source.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

/// std::from_chars says that a number is out of range, but not on which side: below 1, by the place of its
/// first digit that is not 0.
bool below_one(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size()),
                    first = digits.find_first_of("123456789");
  const auto place =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  std::int64_t exponent = 0;
  if (e < number.size()) {
    std::string_view power = number.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error == std::errc::result_out_of_range) return power.starts_with('-');
  }
  return exponent < -place;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  T value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (!below_one(text)) return std::nullopt;
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

// zlib's reader, which passes text through that is not compressed.
class GzipInput {
 public:
  explicit GzipInput(const std::filesystem::path& path) : path_(path) {
    InputFile opened(path);
    const int descriptor = opened.release();
    file_ = ::gzdopen(descriptor, "rb");
    if (file_ == nullptr) {
      ::close(descriptor);
      fail("cannot read {}: zlib has no memory for it", in_quotes(path_));
    }
    ::gzbuffer(file_, 1U << 18);
  }
  ~GzipInput() { ::gzclose_r(file_); }
  GzipInput(const GzipInput&) = delete;
  GzipInput& operator=(const GzipInput&) = delete;

  // Up to `count` bytes of text; 0 only at the end.
  std::size_t read_some(char* to, std::size_t count) {
    const int got = ::gzread(file_, to, static_cast<unsigned>(std::min(count, chunk_bytes)));
    const int error_number = errno;
    int code = Z_OK;
    const char* message = ::gzerror(file_, &code);
    if (code == Z_ERRNO) fail("cannot read {}: {}", in_quotes(path_), reason(error_number));
    // zlib hands out what it could decompress and only then says that the rest is missing.
    require(code != Z_BUF_ERROR, "{} ends in the middle of its gzip data: copy it again", in_quotes(path_));
    require(got >= 0 && (code == Z_OK || code == Z_STREAM_END),
            "{} has damaged gzip data ({}): copy it again", in_quotes(path_), message);
    given_ += static_cast<std::uint64_t>(got);
    const z_off_t taken = ::gzoffset(file_);  // of the compressed file; -1 for a pipe
    require(given_ < judged_from || taken <= 0 || given_ / static_cast<std::uint64_t>(taken) < most_growth,
            "{} grows to {} times its size and more when it is decompressed, a text was expected",
            in_quotes(path_), most_growth);
    return static_cast<std::size_t>(got);
  }

 private:
  std::filesystem::path path_;
  gzFile file_ = nullptr;
  std::uint64_t given_ = 0;
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
  while (filled < count) {
    const std::size_t got = file.read_some(text.data() + filled, count - filled);
    if (got == 0) break;
    filled += got;
  }
  text.resize(filled);
  return text;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

class LineReader::Source : public GzipInput {
  using GzipInput::GzipInput;
};

LineReader::LineReader(std::filesystem::path path)
    : path_(std::move(path)), source_(std::make_unique<Source>(path_)), buffer_(chunk_bytes) {}

LineReader::LineReader(std::filesystem::path name, std::string_view text)
    : path_(std::move(name)), buffer_(text.begin(), text.end()), end_(text.size()) {}

LineReader::~LineReader() = default;

// Moves what is left to the front of the buffer and reads on behind it; false when nothing came.
bool LineReader::refill() {
  if (!source_) return false;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    require(end_ < max_line_bytes, "{}:{}: a line of over {} bytes; is this a text file?", in_quotes(path_),
            number_ + 1, max_line_bytes);
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = source_->read_some(buffer_.data() + end_, buffer_.size() - end_);
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
