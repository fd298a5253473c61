#include "perp/io/gguf.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::string_view magic = "GGUF";
constexpr std::uint64_t max_header_bytes = 100'000'000, max_name_bytes = 65'535, max_alignment = 1U << 20;
constexpr std::uint32_t max_dimensions = 4;
// The fewest bytes that a named value and a tensor take in the header.
constexpr std::uint64_t least_value = 8 + 4 + 1, least_tensor = 8 + 4 + 4 + 8;

/// A type of tensors: its number, `numbers` of them in `bytes`. Those that we only step over count too: their
/// bytes must be where the header says.
struct Type {
  std::uint32_t id;
  std::string_view name;
  std::uint64_t numbers, bytes;
  std::optional<ItemType::Kind> kind;  ///< of those that are read
};
using Kind = ItemType::Kind;
constexpr std::optional<Kind> unread;
constexpr std::array<Type, 33> types{{{0, "F32", 1, 4, Kind::real},       {1, "F16", 1, 2, Kind::real},
                                      {2, "Q4_0", 32, 18, Kind::q4_0},    {3, "Q4_1", 32, 20, Kind::q4_1},
                                      {6, "Q5_0", 32, 22, Kind::q5_0},    {7, "Q5_1", 32, 24, Kind::q5_1},
                                      {8, "Q8_0", 32, 34, Kind::q8_0},    {10, "Q2_K", 256, 84, unread},
                                      {11, "Q3_K", 256, 110, unread},     {12, "Q4_K", 256, 144, Kind::q4_k},
                                      {13, "Q5_K", 256, 176, Kind::q5_k}, {14, "Q6_K", 256, 210, Kind::q6_k},
                                      {15, "Q8_K", 256, 292, unread},     {16, "IQ2_XXS", 256, 66, unread},
                                      {17, "IQ2_XS", 256, 74, unread},    {18, "IQ3_XXS", 256, 98, unread},
                                      {19, "IQ1_S", 256, 50, unread},     {20, "IQ4_NL", 32, 18, unread},
                                      {21, "IQ3_S", 256, 110, unread},    {22, "IQ2_S", 256, 82, unread},
                                      {23, "IQ4_XS", 256, 136, unread},   {24, "I8", 1, 1, unread},
                                      {25, "I16", 1, 2, unread},          {26, "I32", 1, 4, unread},
                                      {27, "I64", 1, 8, unread},          {28, "F64", 1, 8, Kind::real},
                                      {29, "IQ1_M", 256, 56, unread},     {30, "BF16", 1, 2, Kind::bfloat16},
                                      {34, "TQ1_0", 256, 54, unread},     {35, "TQ2_0", 256, 66, unread},
                                      {39, "MXFP4", 32, 17, unread},      {40, "NVFP4", 64, 36, unread},
                                      {41, "Q1_0", 128, 18, unread}}};
constexpr const char* readable =
    "F64, F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K or Q6_K was expected";

/// Takes the header piece by piece; whatever goes beyond the file is refused before it is read.
class HeaderReader {
 public:
  HeaderReader(const ByteSource& source, const std::string& file)
      : source_(source), file_(file), end_(std::min(source.size(), max_header_bytes)) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return end_ - at_; }

  template <class T>
  T number(const char* what) {
    std::array<char, sizeof(T)> bytes{};
    take(what, bytes.data(), bytes.size());
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
  }

  std::string text(const char* what, std::uint64_t most) {
    const std::uint64_t begin = at_, length = number<std::uint64_t>(what);
    require(length <= most, "{}: byte {}: {} of {} bytes; at most {} were expected", file_, begin, what,
            length, most);
    need(what, length);
    std::string text(static_cast<std::size_t>(length), '\0');
    take(what, text.data(), text.size());
    return text;
  }

  /// A number of things of which each takes at least `least` bytes.
  std::uint64_t count(const char* what, std::uint64_t least) {
    const std::uint64_t begin = at_, count = number<std::uint64_t>(what);
    require(count <= left() / least, "{}: byte {}: {} {}; {} bytes are left for them, which hold {} at most",
            file_, begin, count, what, left(), left() / least);
    return count;
  }

  void skip(const char* what, std::uint64_t bytes) {
    need(what, bytes);
    at_ += bytes;
  }

 private:
  void need(const char* what, std::uint64_t bytes) const {
    if (bytes <= left()) return;
    require(end_ == source_.size(), "{}: byte {}: {} ends behind byte {}, the most that a header may take",
            file_, at_, what, end_);
    refuse("{}: byte {}: {} takes {} bytes; {} are left in the file", file_, at_, what, bytes, left());
  }

  void take(const char* what, char* to, std::size_t bytes) {
    need(what, bytes);
    while (bytes > 0) {
      if (at_ < begin_ || at_ >= begin_ + held_) {
        begin_ = at_;
        held_ = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), left()));
        source_.read(begin_, buffer_.data(), held_);
      }
      const auto from = static_cast<std::size_t>(at_ - begin_);
      const std::size_t some = std::min(bytes, held_ - from);
      std::memcpy(to, buffer_.data() + from, some);
      to += some;
      at_ += some;
      bytes -= some;
    }
  }

  const ByteSource& source_;
  const std::string& file_;
  std::uint64_t at_ = 0, end_;
  std::array<char, 8192> buffer_{};
  std::uint64_t begin_ = 0;
  std::size_t held_ = 0;
};

template <class T>
GgufValue read_number(HeaderReader& reader, const std::string&) {
  const T value = reader.number<T>("a value");
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(value);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<std::int64_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

GgufValue read_truth(HeaderReader& reader, const std::string& file) {
  const std::uint64_t begin = reader.at();
  const auto value = reader.number<std::uint8_t>("a value");
  require(value <= 1, "{}: byte {}: a truth value of {}; 0 or 1 was expected", file, begin, value);
  return value == 1;
}

GgufValue read_text(HeaderReader& reader, const std::string&) {
  return reader.text("a text", max_header_bytes);
}

GgufValue read_array(HeaderReader& reader, const std::string& file);
/// Lists for each layer are shorter, those of a tokeniser longer.
constexpr std::uint64_t most_kept = 4096;

/// Types of values in the metadata, in the order of their numbers; each takes `least` bytes at least.
struct ValueType {
  const char* name;
  std::uint64_t least;
  GgufValue (*read)(HeaderReader&, const std::string& file);
};
constexpr std::array<ValueType, 13> value_types{{{"UINT8", 1, read_number<std::uint8_t>},
                                                 {"INT8", 1, read_number<std::int8_t>},
                                                 {"UINT16", 2, read_number<std::uint16_t>},
                                                 {"INT16", 2, read_number<std::int16_t>},
                                                 {"UINT32", 4, read_number<std::uint32_t>},
                                                 {"INT32", 4, read_number<std::int32_t>},
                                                 {"FLOAT32", 4, read_number<float>},
                                                 {"BOOL", 1, read_truth},
                                                 {"STRING", 8, read_text},
                                                 {"ARRAY", 12, read_array},
                                                 {"UINT64", 8, read_number<std::uint64_t>},
                                                 {"INT64", 8, read_number<std::int64_t>},
                                                 {"FLOAT64", 8, read_number<double>}}};

const ValueType& value_type(HeaderReader& reader, const std::string& file) {
  const std::uint64_t begin = reader.at();
  const auto type = reader.number<std::uint32_t>("a value's type");
  require(type < value_types.size(), "{}: byte {}: a value of type {}; 0 to {} were expected", file, begin,
          type, value_types.size() - 1);
  return value_types[type];
}

GgufValue read_array(HeaderReader& reader, const std::string& file) {
  const std::uint64_t begin = reader.at();
  const ValueType& type = value_type(reader, file);
  require(type.read != read_array, "{}: byte {}: a list of lists; a list of numbers or texts was expected",
          file, begin);
  GgufArray list{type.name, reader.count("items of a list", type.least), {}};
  const bool is_texts = type.read == read_text, is_kept = !is_texts && list.length <= most_kept;
  if (!is_texts && !is_kept) reader.skip("a list", list.length * type.least);
  for (std::uint64_t i = 0; is_texts && i < list.length; ++i)
    reader.skip("a text in a list", reader.number<std::uint64_t>("a text's length"));
  for (std::uint64_t i = 0; is_kept && i < list.length; ++i)
    list.numbers.push_back(std::visit(
        []<class T>(const T& held) {
          if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(held);
          return 0.0;
        },
        type.read(reader, file)));
  return list;
}

std::uint64_t alignment_of(const GgufHeader& header, const std::string& file) {
  constexpr std::string_view key = "general.alignment";
  if (!header.metadata.contains(key)) return 32;
  const std::optional<std::uint64_t> alignment = header.count(key);
  require(alignment && std::has_single_bit(*alignment) && *alignment <= max_alignment,
          "{}: general.alignment is {}; a power of 2 up to {} was expected", file,
          alignment ? std::to_string(*alignment) : "no whole number from 0", max_alignment);
  return *alignment;
}

TensorInfo read_tensor_info(HeaderReader& reader, const std::string& file) {
  TensorInfo tensor;
  tensor.name = reader.text("a tensor's name", max_name_bytes);
  const std::string quoted = in_quotes(tensor.name);
  const auto dimensions = reader.number<std::uint32_t>("a tensor's number of dimensions");
  require(dimensions <= max_dimensions, "{}: tensor {} has {} dimensions, at most {} were expected", file,
          quoted, dimensions, max_dimensions);
  for (std::uint32_t i = 0; i < dimensions; ++i)
    tensor.shape.push_back(reader.number<std::uint64_t>("a tensor's dimension"));
  const std::uint64_t fastest = tensor.shape.empty() ? 1 : tensor.shape.front();
  std::reverse(tensor.shape.begin(), tensor.shape.end());
  const auto id = reader.number<std::uint32_t>("a tensor's type");
  const auto type = std::ranges::find(types, id, &Type::id);
  if (type == types.end()) refuse("{}: tensor {} is of the unknown type {}; {}", file, quoted, id, readable);
  tensor.dtype = type->name;
  require(fastest % type->numbers == 0, "{}: tensor {} has rows of {} numbers; {} has blocks of {}", file,
          quoted, fastest, type->name, type->numbers);
  // In blocks and then in bytes, so that only what no file can hold is too much.
  std::uint64_t bytes = type->bytes;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::uint64_t length =
        i + 1 == tensor.shape.size() ? tensor.shape[i] / type->numbers : tensor.shape[i];
    require(length == 0 || bytes <= (std::uint64_t{1} << 62) / length,
            "{}: the shape [{}] of tensor {} promises more bytes than a file can have", file,
            fmt::join(tensor.shape, ", "), quoted);
    bytes *= length;
  }
  tensor.begin = reader.number<std::uint64_t>("a tensor's place");
  require(tensor.begin <= std::numeric_limits<std::uint64_t>::max() - bytes,
          "{}: tensor {} begins at byte {}, behind every file's end", file, quoted, tensor.begin);
  tensor.end = tensor.begin + bytes;
  return tensor;
}

void check_names(const GgufHeader& header, const std::string& file) {
  std::vector<std::string> names = names_of(header.tensors);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) refuse("{}: the tensor {} comes twice in its header", file, in_quotes(*twice));
}

ItemType item_type(const TensorInfo& tensor, const std::string& file) {
  const Type& type = *std::ranges::find(types, tensor.dtype, &Type::name);
  if (!type.kind)
    refuse("{}: tensor {} holds items of type {}; {}", file, in_quotes(tensor.name), tensor.dtype, readable);
  return {*type.kind, static_cast<std::size_t>(type.bytes), false};
}

}  // namespace

std::optional<std::string> GgufHeader::text(std::string_view key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end() || !std::holds_alternative<std::string>(found->second)) return std::nullopt;
  return std::get<std::string>(found->second);
}

std::optional<std::uint64_t> GgufHeader::count(std::string_view key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return std::nullopt;
  if (const auto* whole = std::get_if<std::uint64_t>(&found->second)) return *whole;
  const auto* with_sign = std::get_if<std::int64_t>(&found->second);
  if (with_sign == nullptr || *with_sign < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*with_sign);
}

bool is_gguf(std::string_view beginning) {
  const std::string_view version = beginning.substr(0, 8);
  return version.size() == 8 && version.starts_with(magic) && version.find('\0') != version.npos;
}

GgufHeader read_gguf_header(const ByteSource& source) {
  const std::string file = in_quotes(source.path());
  require(is_gguf(source.beginning(8)), "{} is no GGUF file: it does not begin with GGUF and a version",
          file);
  HeaderReader reader(source, file);
  reader.skip("the beginning", magic.size());
  const auto version = reader.number<std::uint32_t>("the version");
  require((version & 0xFFFFU) != 0, "{} is a big-endian GGUF file; a little-endian one was expected", file);
  require(version == 2 || version == 3, "{}: version {} of GGUF, 2 or 3 was expected", file, version);
  const std::uint64_t tensors = reader.count("tensors", least_tensor),
                      values = reader.count("values", least_value);
  GgufHeader header;
  for (std::uint64_t i = 0; i < values; ++i) {
    std::string key = reader.text("a value's name", max_name_bytes);
    GgufValue value = value_type(reader, file).read(reader, file);
    const auto [entry, fresh] = header.metadata.emplace(std::move(key), std::move(value));
    if (!fresh) refuse("{}: the value {} comes twice in its header", file, in_quotes(entry->first));
  }
  for (std::uint64_t i = 0; i < tensors; ++i) header.tensors.push_back(read_tensor_info(reader, file));
  check_names(header, file);
  const std::uint64_t alignment = alignment_of(header, file);
  header.data_begin = padded(reader.at(), alignment);
  require(header.tensors.empty() || header.data_begin <= source.size(), "{}: its data begin at byte {} of {}",
          file, header.data_begin, source.size());
  place_tensors(header.tensors, alignment, source.size() - std::min(source.size(), header.data_begin), file);
  return header;
}

StoredTable gguf_table(const GgufHeader& header, std::string_view name, const std::string& file) {
  const TensorInfo& tensor = header.tensors[name_in(names_of(header.tensors), name, file)];
  return stored_tensor(tensor, item_type(tensor, file), tensor.shape.size(), header.data_begin, file);
}

}  // namespace perp
