#include "perp/io/safetensors.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::uint64_t length_bytes = 8, max_header_bytes = 100'000'000;
constexpr std::size_t shown_names = 20;

ItemType item_type(const TensorInfo& tensor, const std::string& file) {
  // The format is little-endian whatever the machine is.
  if (tensor.dtype == "F64") return {ItemType::Kind::real, 8, false};
  if (tensor.dtype == "F32") return {ItemType::Kind::real, 4, false};
  if (tensor.dtype == "F16") return {ItemType::Kind::real, 2, false};
  if (tensor.dtype == "BF16") return {ItemType::Kind::bfloat16, 2, false};
  if (tensor.dtype == "F8_E4M3") return {ItemType::Kind::f8_e4m3, 1, false};
  if (tensor.dtype == "F8_E5M2") return {ItemType::Kind::f8_e5m2, 1, false};
  refuse("{}: tensor {} holds items of dtype {}; F64, F32, F16, BF16, F8_E4M3 or F8_E5M2 was expected", file,
         in_quotes(tensor.name), tensor.dtype);
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
  require(length <= max_header_bytes && length <= source.size() - length_bytes,
          "{}: a header of {} bytes in a file of {}; at most {} were expected", name, length, source.size(),
          std::min(max_header_bytes, source.size() - length_bytes));
  std::string json(static_cast<std::size_t>(length), '\0');
  source.read(length_bytes, json.data(), json.size());
  const std::uint64_t data_begin = length_bytes + length;
  return {parse_safetensors_header(json, source.size() - data_begin, name), data_begin};
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
    if (count == 1)
      table.scale_rows = rows, table.scale_cols = cols;
    else if (count == rows)
      table.scale_cols = cols;
    else
      table.scale_rows = table.scale_cols = block;
    require(count == 1 || count == rows || (of.rows() == blocks(rows) && of.cols() == blocks(cols)),
            "{}: tensor {} has {} x {} scales; expected one, one for each row, or one for each block of 128 "
            "x 128",
            file, in_quotes(tensor.name), of.rows(), of.cols());
    table.scales.resize(count);
    read_stored<float>(source, of, 0, of.rows(), table.scales);
    return;
  }
}

}  // namespace

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

const TensorInfo& tensor_named(const std::vector<TensorInfo>& tensors, std::string_view name,
                               const std::string& file) {
  auto found = std::ranges::find(tensors, name, &TensorInfo::name);
  if (found == tensors.end())
    found =
        std::ranges::find(tensors, name, [](const TensorInfo& tensor) { return on_one_line(tensor.name); });
  if (found == tensors.end())
    refuse("{} has no tensor {}; it has {}", file, in_quotes(name), names_text(tensors));
  return *found;
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
  const TensorInfo& tensor = tensor_named(contents.tensors, name, file);
  StoredTable table =
      stored_tensor(tensor, item_type(tensor, file), tensor.shape.size() - leading_ones(tensor.shape),
                    contents.data_begin, file);
  if (tensor.dtype.starts_with("F8_")) add_scales(source, contents, tensor, file, table);
  return table;
}

}  // namespace perp
