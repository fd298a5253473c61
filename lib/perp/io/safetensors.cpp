#include "perp/io/safetensors.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/json_fault.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"

namespace perp {
namespace {

constexpr std::size_t most_dimensions = 64;
constexpr std::string_view metadata = "__metadata__";

/// A type of numbers. Those that we only step over count too: their bytes must be where the header says.
struct Type {
  std::string_view name;
  std::uint64_t bits;
  std::optional<ItemType::Kind> kind;  ///< of those that are read
};
using Kind = ItemType::Kind;
constexpr std::optional<Kind> unread;
constexpr std::array<Type, 22> types{{{"F64", 64, Kind::real},       {"F32", 32, Kind::real},
                                      {"F16", 16, Kind::real},       {"BF16", 16, Kind::bfloat16},
                                      {"F8_E4M3", 8, Kind::f8_e4m3}, {"F8_E5M2", 8, Kind::f8_e5m2},
                                      {"I64", 64, unread},           {"I32", 32, unread},
                                      {"I16", 16, unread},           {"I8", 8, unread},
                                      {"U64", 64, unread},           {"U32", 32, unread},
                                      {"U16", 16, unread},           {"U8", 8, unread},
                                      {"C64", 64, unread},           {"BOOL", 8, unread},
                                      {"F8_E8M0", 8, unread},        {"F8_E4M3FNUZ", 8, unread},
                                      {"F8_E5M2FNUZ", 8, unread},    {"F6_E2M3", 6, unread},
                                      {"F6_E3M2", 6, unread},        {"F4", 4, unread}}};

// Takes the header piece by piece, so that nothing is built from what is not understood: three levels,
// {tensor: {field: [numbers]}}, and no key twice. A document tree whose callback refuses the same would hold
// a text twice (423 MB instead of 329 for one of 100 MB) and walk through all members at the end of each,
// which takes hours for 100 MB of tensors.
class HeaderReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  std::vector<TensorInfo> take() { return std::move(tensors_); }

  bool start_object(std::size_t) override {
    if (depth_ > 1) complain("an object");
    if (++depth_ == 2) fields_.clear();
    return true;
  }
  bool key(std::string& name) override {
    std::set<std::string>& seen = depth_ == 1 ? names_ : fields_;
    if (!seen.insert(name).second) refuse("{}: the key {} comes twice in its header", file_, in_quotes(name));
    if (depth_ == 1) {
      tensor_ = {};
      tensor_.name = name;
      return true;
    }
    field_ = name;
    if (!in_metadata() && name != "dtype" && name != "shape" && name != "data_offsets")
      refuse("{}: tensor {} has the key {}; expected dtype, shape and data_offsets", file_, quoted_tensor(),
             in_quotes(name));
    return true;
  }
  bool end_object() override {
    if (--depth_ == 1 && !in_metadata()) {
      if (fields_.size() != 3)
        refuse("{}: tensor {} lacks one of dtype, shape and data_offsets", file_, quoted_tensor());
      tensors_.push_back(std::move(tensor_));
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata() || field_ == "dtype") complain("an array");
    ++depth_;
    numbers_.clear();
    return true;
  }
  bool number_unsigned(std::uint64_t value) override {
    if (depth_ != 3) complain("a number");
    if (numbers_.size() == most_dimensions)
      refuse("{}: tensor {} has over {} numbers in {}", file_, quoted_tensor(), most_dimensions, field_);
    numbers_.push_back(value);
    return true;
  }
  bool end_array() override {
    --depth_;
    if (field_ == "shape") {
      tensor_.shape = numbers_;
    } else {
      if (numbers_.size() != 2)
        refuse("{}: tensor {} has {} data_offsets, 2 were expected", file_, quoted_tensor(), numbers_.size());
      tensor_.begin = numbers_[0];
      tensor_.end = numbers_[1];
    }
    return true;
  }

  bool string(std::string& text) override {
    if (depth_ == 2 && in_metadata()) return true;
    if (depth_ != 2 || field_ != "dtype") complain("a text");
    tensor_.dtype = text;
    return true;
  }

  bool null() override { complain("null"); }
  bool boolean(bool) override { complain("true or false"); }
  bool number_integer(std::int64_t) override { complain("a negative number"); }
  bool number_float(double, const std::string&) override { complain("a fraction or too large a number"); }
  bool binary(nlohmann::json::binary_t&) override { complain("bytes"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    refuse("{}: its header is no JSON from byte {} on", file_, position);
  }

 private:
  bool in_metadata() const { return tensor_.name == metadata; }
  std::string quoted_tensor() const { return in_quotes(tensor_.name); }

  [[noreturn]] void complain(const char* found) const {
    std::string place = "at its beginning";
    if (depth_ > 0) place = "at " + quoted_tensor();
    if (depth_ > 1) place += ", " + in_quotes(field_);
    refuse(
        "{}: its header has {} {}; expected "
        "{{\"name\": {{\"dtype\": \"F32\", \"shape\": [rows, cols], \"data_offsets\": [begin, end]}}}}",
        file_, found, place);
  }

  const std::string& file_;
  int depth_ = 0;
  std::set<std::string> names_, fields_;
  TensorInfo tensor_;
  std::string field_;
  std::vector<std::uint64_t> numbers_;
  std::vector<TensorInfo> tensors_;
};

void check_bytes(const TensorInfo& tensor, const std::string& name) {
  const std::string quoted = in_quotes(tensor.name);
  const auto type = std::ranges::find(types, tensor.dtype, &Type::name);
  if (type == types.end())
    refuse("{}: tensor {} has the unknown dtype {}; F64, F32, F16 or BF16 was expected", name, quoted,
           in_quotes(tensor.dtype));
  std::uint64_t bits = type->bits;
  for (const std::uint64_t length : tensor.shape) {
    require(length == 0 || bits <= std::numeric_limits<std::uint64_t>::max() / length,
            "{}: the shape [{}] of tensor {} promises more bytes than a file can have", name,
            fmt::join(tensor.shape, ", "), quoted);
    bits *= length;
  }
  require(bits % 8 == 0 && tensor.begin <= tensor.end && tensor.end - tensor.begin == bits / 8,
          "{}: tensor {} lies in bytes {} to {}; its shape [{}] of {} promises {} bytes", name, quoted,
          tensor.begin, tensor.end, fmt::join(tensor.shape, ", "), tensor.dtype, bits / 8);
}

/// The JSON text of a header in front of `data_bytes` bytes of data; `name` goes into messages.
std::vector<TensorInfo> parse_header(std::string_view json, std::uint64_t data_bytes,
                                     const std::string& name) {
  require(json.starts_with('{'), "{}: its header begins with {}, {{ was expected", name,
          in_quotes(json.substr(0, 1)));
  // The parser would take a zero byte for the end and not look at what follows.
  const std::size_t zero = json.find('\0');
  require(zero == json.npos, "{}: its header is no JSON from byte {} on", name, zero + 1);
  HeaderReader reader(name);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  std::vector<TensorInfo> tensors = reader.take();
  for (const TensorInfo& tensor : tensors) check_bytes(tensor, name);
  place_tensors(tensors, 1, data_bytes, name);
  return tensors;
}

constexpr std::uint64_t length_bytes = 8, max_json_bytes = 100'000'000;
constexpr std::size_t shown_names = 20;

ItemType item_type(const TensorInfo& tensor, const std::string& file) {
  const Type& type = *std::ranges::find(types, tensor.dtype, &Type::name);
  if (!type.kind)
    refuse("{}: tensor {} holds items of dtype {}; F64, F32, F16, BF16, F8_E4M3 or F8_E5M2 was expected",
           file, in_quotes(tensor.name), tensor.dtype);
  // The format is little-endian whatever the machine is.
  return {*type.kind, static_cast<std::size_t>(type.bits / 8), false};
}

struct Contents {
  std::vector<TensorInfo> tensors;
  std::uint64_t data_begin = 0;
};

Contents read_contents(const ByteSource& source) {
  const std::string name = in_quotes(source.path());
  require(source.size() > length_bytes, "{} is {} bytes long, too short for a safetensors file", name,
          source.size());
  std::array<char, length_bytes> start{};
  source.read(0, start.data(), start.size());
  std::uint64_t length = 0;
  for (std::size_t i = start.size(); i-- > 0;) length = length << 8 | static_cast<unsigned char>(start[i]);
  require(length <= max_json_bytes && length <= source.size() - length_bytes,
          "{}: a header of {} bytes in a file of {}; at most {} were expected", name, length, source.size(),
          std::min(max_json_bytes, source.size() - length_bytes));
  std::string json(static_cast<std::size_t>(length), '\0');
  source.read(length_bytes, json.data(), json.size());
  const std::uint64_t data_begin = length_bytes + length;
  return {parse_header(json, source.size() - data_begin, name), data_begin};
}

/// The scales of a table of 8-bit numbers stand beside it, one for the whole, for each row or for each block of 128 x 128
/// (DeepSeek-V3's files: <name>_scale_inv, which despite its name multiplies; others: <name>_scale).
void add_scales(const ByteSource& source, const Contents& contents, const TensorInfo& tensor,
                const std::string& file, StoredTable& table) {
  constexpr std::size_t block = 128;
  const auto blocks = [](std::size_t length) { return (length + block - 1) / block; };
  for (const char* ending : {"_scale_inv", "_scale"}) {
    const auto found = std::ranges::find(contents.tensors, tensor.name + ending, &TensorInfo::name);
    if (found == contents.tensors.end()) continue;
    TensorInfo info = *found;
    if (info.shape.empty()) info.shape = {1};
    const StoredTable of = stored_tensor(
        info, item_type(info, file), info.shape.size() - leading_ones(info.shape), contents.data_begin, file);
    const std::size_t count = of.rows() * of.cols(), rows = table.rows(), cols = table.cols();
    const bool has_rows = count == rows && (info.shape.size() == 1 || info.shape.back() == 1);
    if (count == 1)
      table.scale_rows = rows, table.scale_cols = cols;
    else if (has_rows)
      table.scale_cols = cols;
    else
      table.scale_rows = table.scale_cols = block;
    const bool has_blocks = count == blocks(rows) * blocks(cols) && info.shape.back() == blocks(cols);
    require(count == 1 || has_rows || has_blocks,
            "{}: tensor {} has {} x {} scales; expected one, one for each row, or one for each block of 128 "
            "x 128",
            file, in_quotes(tensor.name), of.rows(), of.cols());
    table.scales.resize(count);
    read_stored<float>(source, of, 0, of.rows(), table.scales);
    return;
  }
}

}  // namespace

void place_tensors(std::vector<TensorInfo>& tensors, std::uint64_t alignment, std::uint64_t data_bytes,
                   const std::string& file) {
  std::ranges::sort(tensors, {},
                    [](const TensorInfo& tensor) { return std::tie(tensor.begin, tensor.end, tensor.name); });
  std::uint64_t end = 0;
  for (const TensorInfo& tensor : tensors) {
    const std::string quoted = in_quotes(tensor.name);
    require(tensor.begin % alignment == 0,
            "{}: tensor {} begins at byte {} of the data; a multiple of {} was expected", file, quoted,
            tensor.begin, alignment);
    require(tensor.end <= data_bytes, "{}: tensor {} lies in bytes {} to {} of {} bytes of data", file,
            quoted, tensor.begin, tensor.end, data_bytes);
    require(tensor.begin == padded(end, alignment),
            "{}: tensor {} begins at byte {} of the data, which leaves {}; byte {} was expected", file,
            quoted, tensor.begin, tensor.begin < end ? "an overlap" : "a hole", padded(end, alignment));
    end = tensor.end;
  }
  require(data_bytes <= padded(end, alignment), "{}: {} bytes of data; its tensors fill {}", file, data_bytes,
          end);
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown_names); ++i)
    text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  if (names.size() > shown_names) text += fmt::format(" and {} more", names.size() - shown_names);
  return text.empty() ? "none" : text;
}

std::vector<std::string> names_of(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string> names;
  for (const TensorInfo& tensor : tensors) names.push_back(tensor.name);
  return names;
}

std::string names_text(const std::vector<TensorInfo>& tensors) { return names_text(names_of(tensors)); }

bool is_safetensors(std::string_view beginning) {
  const std::string_view start = beginning.substr(0, length_bytes + 1);
  return start.size() == length_bytes + 1 && start.back() == '{' && start.find('\0') != start.npos;
}

std::vector<TensorInfo> list_tensors(const ByteSource& source) { return read_contents(source).tensors; }

std::vector<TensorInfo> list_tensors(const std::filesystem::path& path) {
  return list_tensors(ByteSource(path));
}

std::string only_tensor(const std::vector<std::string>& names, const std::string& file) {
  require(names.size() == 1, "{} holds {} tensors; expected FILE:TENSOR with one of {}", file, names.size(),
          names_text(names));
  return names.front();
}

std::size_t leading_ones(const std::vector<std::uint64_t>& shape) {
  std::size_t count = 0;
  while (shape.size() > count + 2 && shape[count] == 1) ++count;
  return count;
}

std::size_t name_in(const std::vector<std::string>& names, std::string_view name, const std::string& file) {
  auto found = std::ranges::find(names, name);
  if (found == names.end())
    found = std::ranges::find(names, name, [](const std::string& one) { return on_one_line(one); });
  if (found == names.end())
    refuse("{} has no tensor {}; it has {}", file, in_quotes(name), names_text(names));
  return static_cast<std::size_t>(found - names.begin());
}

StoredTable stored_tensor(const TensorInfo& tensor, const ItemType& item, std::size_t dimensions,
                          std::uint64_t data_begin, const std::string& file) {
  require(dimensions == 1 || dimensions == 2, "{}: tensor {} has {} dimensions, 1 or 2 were expected", file,
          in_quotes(tensor.name), tensor.shape.size());
  require(tensor.begin < tensor.end, "{}: tensor {} holds no numbers, its shape is [{}]", file,
          in_quotes(tensor.name), fmt::join(tensor.shape, ", "));
  StoredTable table;
  table.item = item;
  table.begin = data_begin + tensor.begin;
  table.lines = dimensions == 1 ? 1 : static_cast<std::size_t>(tensor.shape[tensor.shape.size() - 2]);
  table.line_items = static_cast<std::size_t>(tensor.shape.back());
  return table;
}

StoredTable tensor_table(const ByteSource& source, std::string_view name) {
  const Contents contents = read_contents(source);
  const std::string file = in_quotes(source.path());
  const TensorInfo& tensor = contents.tensors[name_in(names_of(contents.tensors), name, file)];
  StoredTable table =
      stored_tensor(tensor, item_type(tensor, file), tensor.shape.size() - leading_ones(tensor.shape),
                    contents.data_begin, file);
  if (tensor.dtype.starts_with("F8_")) add_scales(source, contents, tensor, file, table);
  return table;
}

namespace {

constexpr std::string_view index_form = R"({"weight_map": {"tensor": "file", …}})";

bool is_plain_name(std::string_view file) {
  const auto stray = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  return !file.empty() && file != "." && file != ".." && std::none_of(file.begin(), file.end(), stray);
}

}  // namespace

bool is_safetensors_index(std::string_view beginning) {
  beginning = without_byte_order_mark(beginning);
  const auto skip_blanks = [&] {
    const std::size_t first = beginning.find_first_not_of(" \t\r\n");
    beginning.remove_prefix(std::min(first, beginning.size()));
  };
  const auto take = [&](char c) {
    skip_blanks();
    if (!beginning.starts_with(c)) return false;
    beginning.remove_prefix(1);
    return true;
  };
  if (!take('{') || !take('"')) return false;
  const std::size_t end = beginning.find_first_of("\"\n");
  if (end == beginning.npos) return false;
  beginning.remove_prefix(end);
  return take('"') && take(':');
}

std::vector<IndexEntry> read_safetensors_index(const ByteSource& source) {
  const std::string name = in_quotes(source.path());
  const nlohmann::json json = read_json(source, "an index", 20'000'000, index_form, Twice::refused);
  require(json.is_object() && json.contains("weight_map"),
          "{}: no weight_map in it, so it is no index of a model's files; expected its folder, its "
          ".safetensors or {}",
          name, index_form);
  const nlohmann::json& map = json["weight_map"];
  require(map.is_object(), "{}: its weight_map is no object; expected {}", name, index_form);
  require(!map.empty(), "{}: its weight_map names no tensor", name);
  std::vector<IndexEntry> entries;
  entries.reserve(map.size());
  for (const auto& [tensor, value] : map.items()) {
    require(value.is_string(), "{}: tensor {} is said to lie in {}; expected {}", name, in_quotes(tensor),
            in_quotes(value.dump()), index_form);
    entries.push_back({tensor, value.get<std::string>()});
    const std::string& file = entries.back().file;
    require(is_plain_name(file),
            "{}: tensor {} is said to lie in {}; expected the name of a file in the same folder", name,
            in_quotes(tensor), in_quotes(file));
    require(!file.ends_with(".json"),
            "{}: tensor {} is said to lie in {}, which is {}; expected a .safetensors file", name,
            in_quotes(tensor), in_quotes(file),
            file == source.path().filename() ? "this index itself" : "no file of tensors");
  }
  return entries;
}

std::vector<std::string> names_of(const std::vector<IndexEntry>& entries) {
  std::vector<std::string> names;
  for (const IndexEntry& entry : entries) names.push_back(entry.tensor);
  return names;
}

std::filesystem::path shard_of(const ByteSource& index, std::string_view tensor) {
  const std::vector<IndexEntry> entries = read_safetensors_index(index);
  return index.path().parent_path() /
         entries[name_in(names_of(entries), tensor, in_quotes(index.path()))].file;
}

}  // namespace perp
