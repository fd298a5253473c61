// The Python literal at the head of a .npy file.

#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <vector>

#include "perp/io/message.hpp"
#include "perp/io/npy.hpp"

namespace perp {
namespace {

constexpr std::string_view expected = "{'descr': '<f4', 'fortran_order': False, 'shape': (rows, cols), }";

// A strict reader of the one dictionary that a header may hold.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
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
    return header();
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

  NpyHeader header() const {
    NpyHeader found;
    const std::string_view type = *type_;
    const std::string_view types = found_types(type);
    const bool known = type.size() == 3 && types.find(type[2]) != types.npos &&
                       (type[0] == '<' || type[0] == '>' || (type[0] == '|' && type[2] == '1'));
    require(known,
            "{}: holds items of type {}; f2, f4, f8, i1 to i8 or u1 to u8, with '<' or '>', were expected",
            name_, in_quotes(type));
    found.kind = type[1];
    found.item_bytes = static_cast<std::size_t>(type[2] - '0');
    found.big_endian = type[0] == '>';
    found.fortran_order = *fortran_;
    require(shape_->size() == 1 || shape_->size() == 2, "{}: has {} dimensions, 1 or 2 were expected", name_,
            shape_->size());
    const std::uint64_t rows = shape_->size() == 1 ? 1 : shape_->front(), cols = shape_->back();
    require(rows > 0 && cols > 0, "{}: holds no numbers, its shape is {} x {}", name_, rows, cols);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    require(cols <= most / found.item_bytes && rows <= most / found.item_bytes / cols,
            "{}: its shape {} x {} promises more bytes than a file can have", name_, rows, cols);
    found.rows = static_cast<std::size_t>(rows);
    found.cols = static_cast<std::size_t>(cols);
    return found;
  }

  static std::string_view found_types(std::string_view type) {
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

NpyHeader parse_npy_header(std::string_view dictionary, const std::string& name) {
  return HeaderParser(dictionary, name).parse();
}

}  // namespace perp
