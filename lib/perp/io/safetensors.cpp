#include "perp/io/safetensors.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>

#include "perp/io/input_file.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::uint64_t length_bytes = 8, max_header_bytes = 100'000'000;
constexpr std::size_t chunk_items = std::size_t{1} << 16;
constexpr std::size_t shown_names = 20;

// A file read from any place. Not mapped: were it cut short meanwhile, a mapping would end the process.
class PlacedFile {
 public:
  explicit PlacedFile(const std::filesystem::path& path) : path_(path) {
    InputFile file(path);
    if (!file.size()) refuse("{} is a device or a pipe, a safetensors file was expected", in_quotes(path));
    size_ = *file.size();
    descriptor_ = file.release();
  }
  ~PlacedFile() { ::close(descriptor_); }
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;

  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

  void read(std::uint64_t from, char* to, std::size_t count) const {
    while (count > 0) {
      const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(from));
      const int error_number = errno;
      if (got < 0 && error_number == EINTR) continue;
      if (got < 0) fail("cannot read {}: {}", in_quotes(path_), reason(error_number));
      if (got == 0)
        refuse("{} ended {} bytes early: copy it again, or wait until it is complete", in_quotes(path_),
               count);
      from += static_cast<std::uint64_t>(got);
      to += got;
      count -= static_cast<std::size_t>(got);
    }
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// The format is little-endian whatever the machine is.
template <class Bits>
Bits bits_at(const char* from) {
  Bits bits = 0;
  for (std::size_t i = sizeof(Bits); i-- > 0;)
    bits = static_cast<Bits>(static_cast<std::uint64_t>(bits) << 8 | static_cast<unsigned char>(from[i]));
  return bits;
}

double f64(const char* from) { return std::bit_cast<double>(bits_at<std::uint64_t>(from)); }
float f32(const char* from) { return std::bit_cast<float>(bits_at<std::uint32_t>(from)); }
// bfloat16 is the upper half of a float.
float bf16(const char* from) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits_at<std::uint16_t>(from)) << 16);
}
// IEEE 754 binary16.
float f16(const char* from) {
  const unsigned bits = bits_at<std::uint16_t>(from), exponent = bits >> 10 & 0x1F;
  const auto fraction = static_cast<float>(bits & 0x3FF);
  const float magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                          : exponent == 0 ? std::ldexp(fraction, -24)
                                          : std::ldexp(fraction + 1024, static_cast<int>(exponent) - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class T, std::size_t item_bytes, auto item_at>
void decode(const char* from, T* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<T>(item_at(from + i * item_bytes));
}

template <class T>
struct ItemType {
  std::size_t bytes;
  void (*decode)(const char* from, T* to, std::size_t count);
};

template <class T>
ItemType<T> item_type(const TensorInfo& tensor, const std::string& file) {
  if (tensor.dtype == "F64") return {8, decode<T, 8, f64>};
  if (tensor.dtype == "F32") return {4, decode<T, 4, f32>};
  if (tensor.dtype == "F16") return {2, decode<T, 2, f16>};
  if (tensor.dtype == "BF16") return {2, decode<T, 2, bf16>};
  refuse("{}: tensor {} holds items of dtype {}; F64, F32, F16 or BF16 was expected", file,
         in_quotes(tensor.name), tensor.dtype);
}

struct Contents {
  std::vector<TensorInfo> tensors;
  std::uint64_t data_begin = 0;
};

Contents read_contents(const PlacedFile& file) {
  const std::string name = in_quotes(file.path());
  require(file.size() > length_bytes, "{} is {} bytes long, too short for a safetensors file", name,
          file.size());
  std::array<char, length_bytes> start{};
  file.read(0, start.data(), start.size());
  const auto length = bits_at<std::uint64_t>(start.data());
  require(length <= max_header_bytes && length <= file.size() - length_bytes,
          "{}: a header of {} bytes in a file of {}; at most {} were expected", name, length, file.size(),
          std::min(max_header_bytes, file.size() - length_bytes));
  std::string json(length, '\0');
  file.read(length_bytes, json.data(), json.size());
  const std::uint64_t data_begin = length_bytes + length;
  return {parse_safetensors_header(json, file.size() - data_begin, name), data_begin};
}

}  // namespace

std::string names_text(const std::vector<TensorInfo>& tensors) {
  std::string text;
  for (std::size_t i = 0; i < std::min(tensors.size(), shown_names); ++i)
    text += (i > 0 ? ", " : "") + in_quotes(tensors[i].name);
  if (tensors.size() > shown_names) text += fmt::format(" and {} more", tensors.size() - shown_names);
  return text.empty() ? "none" : text;
}

bool is_safetensors(const std::filesystem::path& path) {
  InputFile file(path);
  std::array<char, length_bytes + 1> start{};
  std::size_t filled = 0;
  for (std::size_t got = 1; got > 0 && filled < start.size(); filled += got)
    got = file.read_some(start.data() + filled, start.size() - filled);
  return filled == start.size() && start.back() == '{' &&
         std::find(start.begin(), start.end(), '\0') != start.end();
}

std::vector<TensorInfo> list_tensors(const std::filesystem::path& path) {
  return read_contents(PlacedFile(path)).tensors;
}

template <class T>
Matrix<T> read_tensor(const std::filesystem::path& path, std::string_view name,
                      std::optional<RowRange> rows) {
  const PlacedFile file(path);
  const Contents contents = read_contents(file);
  const std::string quoted = in_quotes(path);
  const auto found = std::find_if(contents.tensors.begin(), contents.tensors.end(),
                                  [&](const TensorInfo& tensor) { return tensor.name == name; });
  if (found == contents.tensors.end())
    refuse("{} has no tensor {}; it has {}", quoted, in_quotes(name), names_text(contents.tensors));
  const TensorInfo& tensor = *found;
  const std::string place = fmt::format("{}: tensor {}", quoted, in_quotes(name));
  const ItemType<T> item = item_type<T>(tensor, quoted);
  require(tensor.shape.size() == 1 || tensor.shape.size() == 2, "{} has {} dimensions, 1 or 2 were expected",
          place, tensor.shape.size());
  require(tensor.begin < tensor.end, "{} holds no numbers, its shape is [{}]", place,
          fmt::join(tensor.shape, ", "));

  const auto width = static_cast<std::size_t>(tensor.shape.back());
  const RowRange all{0, tensor.shape.size() == 1 ? 1 : static_cast<std::size_t>(tensor.shape.front())};
  const RowRange range = rows.value_or(all);
  check_rows(range, all.last, place);
  Matrix<T> values = matrix<T>(range.count(), width);
  std::vector<char> bytes(std::min(values.size(), chunk_items) * item.bytes);
  const std::uint64_t begin = contents.data_begin + tensor.begin + range.first * width * item.bytes;
  for (std::size_t done = 0; done < values.size(); done += chunk_items) {
    const std::size_t count = std::min(chunk_items, values.size() - done);
    file.read(begin + done * item.bytes, bytes.data(), count * item.bytes);
    item.decode(bytes.data(), values.data() + done, count);
  }
  return values;
}

template Matrix<float> read_tensor<float>(const std::filesystem::path&, std::string_view,
                                          std::optional<RowRange>);
template Matrix<double> read_tensor<double>(const std::filesystem::path&, std::string_view,
                                            std::optional<RowRange>);

}  // namespace perp
