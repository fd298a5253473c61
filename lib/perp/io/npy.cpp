#include "perp/io/npy.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <vector>

#include "perp/io/file.hpp"
#include "perp/io/message.hpp"

// The Python literal at the head of a .npy file.

namespace perp {
namespace {

constexpr std::string_view expected = "{'descr': '<f4', 'fortran_order': False, 'shape': (rows, cols), }";

// A strict reader of the one dictionary that a header may hold.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  StoredTable parse() {
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !type_) {
        type_ = string();
      } else if (key == "fortran_order" && !fortran_) {
        fortran_ = boolean();
      } else if (key == "shape" && !shape_) {
        shape_ = tuple();
      } else {
        refuse("{}: the key {} in its header is unknown or repeated", name_, in_quotes(key));
      }
      if (!take(',') && !next_is('}')) complain();
    }
    skip_blanks();
    if (at_ != text_.size()) complain();
    require(type_ && fortran_ && shape_, "{}: its header lacks 'descr', 'fortran_order' or 'shape'", name_);
    return table();
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool next_is(char c) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    const bool found = next_is(c);
    if (found) ++at_;
    return found;
  }
  void expect(char c) {
    if (!take(c)) complain();
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string_view string() {
    const char quote = next_is('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) complain();
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }

  bool boolean() {
    if (take_word("True")) return true;
    if (!take_word("False")) complain();
    return false;
  }

  std::uint64_t integer() {
    skip_blanks();
    require(at_ == text_.size() || text_[at_] != '-', "{}: its shape has a negative length", name_);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) complain();
    require(error == std::errc(), "{}: its shape has a length over 2^64", name_);
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    bool comma = true;
    while (!take(')')) {
      if (!comma) complain();
      values.push_back(integer());
      comma = take(',');
    }
    if (values.size() == 1 && !comma) complain();  // (3) is a number in Python, (3,) a tuple
    return values;
  }

  StoredTable table() const {
    const std::string_view type = *type_, sizes = sizes_of(type);
    const bool known = type.size() == 3 && sizes.find(type[2]) != sizes.npos &&
                       (type[0] == '<' || type[0] == '>' || (type[0] == '|' && type[2] == '1'));
    require(known,
            "{}: holds items of type {}; f2, f4, f8, i1 to i8 or u1 to u8, with '<' or '>', were expected",
            name_, in_quotes(type));
    const auto item_bytes = static_cast<std::size_t>(type[2] - '0');
    require(shape_->size() == 1 || shape_->size() == 2, "{}: has {} dimensions, 1 or 2 were expected", name_,
            shape_->size());
    const std::uint64_t rows = shape_->size() == 1 ? 1 : shape_->front(), cols = shape_->back();
    require(rows > 0 && cols > 0, "{}: holds no numbers, its shape is {} x {}", name_, rows, cols);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    require(cols <= most / item_bytes && rows <= most / item_bytes / cols,
            "{}: its shape {} x {} promises more bytes than a file can have", name_, rows, cols);
    StoredTable found;
    found.item = {static_cast<ItemType::Kind>(type[1]), item_bytes, type[0] == '>'};
    // With one row or one column both orders are the same.
    found.lines_are_rows = !*fortran_ || rows == 1 || cols == 1;
    found.lines = found.lines_are_rows ? rows : cols;
    found.line_items = found.lines_are_rows ? cols : rows;
    return found;
  }

  static std::string_view sizes_of(std::string_view type) {
    if (type.size() < 2) return {};
    if (type[1] == 'f') return "248";
    return type[1] == 'i' || type[1] == 'u' ? "1248" : "";
  }

  [[noreturn]] void complain() const {
    refuse("{}: its header is not understood at {}; {} was expected", name_, in_quotes(text_.substr(at_)),
           expected);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::optional<std::string_view> type_;
  std::optional<bool> fortran_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

}  // namespace

StoredTable parse_npy_header(std::string_view dictionary, const std::string& name) {
  return HeaderParser(dictionary, name).parse();
}

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_header_bytes = 65'535;

template <class T>
void write_matrix(const std::filesystem::path& path, View<T> values) {
  std::string header = fmt::format("{{'descr': '{}f{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   std::endian::native == std::endian::little ? '<' : '>', sizeof(T),
                                   values.rows, values.cols);
  // The data begin at a multiple of 64 bytes, behind blanks and a line end.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes.append({'\1', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)});
  bytes.append(header);
  for (std::size_t i = 0; i < values.rows; ++i)
    bytes.append(reinterpret_cast<const char*>(values.row(i).data()), values.cols * sizeof(T));
  write_whole(path, bytes);
}

}  // namespace

bool is_npy(std::string_view beginning) { return beginning.starts_with(magic); }

StoredTable npy_table(const ByteSource& source) {
  const std::string name = in_quotes(source.path());
  const std::uint64_t size = source.size();
  std::array<char, 12> start{};
  require(size >= start.size(), "{} is {} bytes long, too short for a .npy file", name, size);
  source.read(0, start.data(), start.size());
  require(is_npy({start.data(), start.size()}), "{} is no .npy file: it does not begin with \\x93NUMPY",
          name);
  const int major = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
  require(major >= 1 && major <= 3 && minor == 0, "{}: version {}.{} of .npy, 1.0, 2.0 or 3.0 was expected",
          name, major, minor);
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(start[8 + i]);
  const std::uint64_t begin = 8 + length_bytes + length;
  require(length <= max_header_bytes && begin <= size, "{}: a header of {} bytes in a file of {}", name,
          length, size);

  std::string dictionary(length, '\0');
  source.read(8 + length_bytes, dictionary.data(), length);
  StoredTable table = parse_npy_header(dictionary, name);
  table.begin = begin;
  const std::uint64_t data = table.lines * table.line_bytes();
  require(size - begin == data, "{} has {} bytes of data; its shape {} x {} of {}-byte items promises {}",
          name, size - begin, table.rows(), table.cols(), table.item.bytes, data);
  return table;
}

template <class T>
Matrix<T> read_npy(const std::filesystem::path& path) {
  const ByteSource source(path);
  const StoredTable table = npy_table(source);
  Matrix<T> values = matrix<T>(table.rows(), table.cols());
  read_stored(source, table, 0, table.rows(), std::span<T>(values.data(), values.size()));
  return values;
}

template Matrix<float> read_npy<float>(const std::filesystem::path&);
template Matrix<double> read_npy<double>(const std::filesystem::path&);

void write_npy(const std::filesystem::path& path, View<float> values) { write_matrix(path, values); }
void write_npy(const std::filesystem::path& path, View<double> values) { write_matrix(path, values); }

}  // namespace perp
