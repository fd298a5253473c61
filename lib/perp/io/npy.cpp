#include "perp/io/npy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "perp/io/file.hpp"
#include "perp/io/input_file.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_header_bytes = 65'535;
constexpr std::size_t chunk_items = std::size_t{1} << 16;

// IEEE 754 binary16, held as its bits.
struct Half {
  std::uint16_t bits;

  explicit operator float() const {
    const int exponent = bits >> 10 & 0x1F;
    const auto fraction = static_cast<float>(bits & 0x3FF);
    const float magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                            : exponent == 0 ? std::ldexp(fraction, -24)
                                            : std::ldexp(fraction + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

// `count` items as they lie in the file, as numbers of type T.
template <class T>
using Decoder = void (*)(const char* from, T* to, std::size_t count, bool swap);

template <class T, class Item>
void decode(const char* from, T* to, std::size_t count, bool swap) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(Item)> bytes{};
    std::memcpy(bytes.data(), from + i * sizeof(Item), sizeof(Item));
    if (swap) std::reverse(bytes.begin(), bytes.end());
    to[i] = static_cast<T>(std::bit_cast<Item>(bytes));
  }
}

template <class T>
Decoder<T> decoder(const NpyHeader& header) {
  const bool is_signed = header.kind == 'i';
  if (header.kind == 'f') {
    if (header.item_bytes == 2) return decode<T, Half>;
    return header.item_bytes == 4 ? decode<T, float> : decode<T, double>;
  }
  switch (header.item_bytes) {
    case 1:
      return is_signed ? decode<T, std::int8_t> : decode<T, std::uint8_t>;
    case 2:
      return is_signed ? decode<T, std::int16_t> : decode<T, std::uint16_t>;
    case 4:
      return is_signed ? decode<T, std::int32_t> : decode<T, std::uint32_t>;
    default:
      return is_signed ? decode<T, std::int64_t> : decode<T, std::uint64_t>;
  }
}

// Reads the file up to its first item. Compares its length with what the header promises.
NpyHeader read_header(InputFile& file) {
  const std::string name = in_quotes(file.path());
  require(file.size().has_value(), "{} is a device or a pipe, a .npy file was expected", name);
  const std::uint64_t size = *file.size();
  std::array<char, 12> start{};
  require(size >= start.size(), "{} is {} bytes long, too short for a .npy file", name, size);
  file.read_exactly(start.data(), 10);
  require(std::string_view(start.data(), magic.size()) == magic,
          "{} is no .npy file: it does not begin with \\x93NUMPY", name);
  const int major = start[6], minor = start[7];
  require(major >= 1 && major <= 3 && minor == 0, "{}: version {}.{} of .npy, 1.0, 2.0 or 3.0 was expected",
          name, major, minor);
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (major > 1) file.read_exactly(start.data() + 10, 2);
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(start[8 + i]);
  const std::uint64_t offset = 8 + length_bytes + length;
  require(length <= max_header_bytes && offset <= size, "{}: a header of {} bytes in a file of {}", name,
          length, size);

  std::string dictionary(length, '\0');
  file.read_exactly(dictionary.data(), length);
  const NpyHeader header = parse_npy_header(dictionary, name);
  const std::uint64_t data = header.count() * header.item_bytes;
  require(size - offset == data, "{} has {} bytes of data; its shape {} x {} of {}-byte items promises {}",
          name, size - offset, header.rows, header.cols, header.item_bytes, data);
  return header;
}

template <class T>
void write_matrix(const std::filesystem::path& path, View<T> values) {
  std::string header = fmt::format("{{'descr': '{}f{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   std::endian::native == std::endian::little ? '<' : '>', sizeof(T),
                                   values.rows, values.cols);
  // The data begin at a multiple of 64 bytes, behind blanks and a line end.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  WholeFile file(path);
  file.append(magic);
  file.append({"\1\0", 2});
  file.append(std::string{static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)});
  file.append(header);
  for (std::size_t i = 0; i < values.rows; ++i)
    file.append({reinterpret_cast<const char*>(values.row(i).data()), values.cols * sizeof(T)});
  file.commit();
}

}  // namespace

template <class T>
Matrix<T> read_npy(const std::filesystem::path& path) {
  InputFile file(path);
  const NpyHeader header = read_header(file);
  Matrix<T> values = matrix<T>(header.rows, header.cols);
  const Decoder<T> read_items = decoder<T>(header);
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  // With one row or one column both orders are the same.
  const bool by_columns = header.fortran_order && header.rows > 1 && header.cols > 1;

  std::vector<char> bytes(std::min(header.count(), chunk_items) * header.item_bytes);
  std::vector<T> column_order(by_columns ? std::min(header.count(), chunk_items) : 0);
  std::size_t i = 0, j = 0;
  for (std::size_t done = 0; done < header.count(); done += chunk_items) {
    const std::size_t count = std::min(chunk_items, header.count() - done);
    file.read_exactly(bytes.data(), count * header.item_bytes);
    read_items(bytes.data(), by_columns ? column_order.data() : values.data() + done, count, swap);
    for (std::size_t k = 0; by_columns && k < count; ++k) {
      values.data()[i * header.cols + j] = column_order[k];
      if (++i == header.rows) i = 0, ++j;
    }
  }
  return values;
}

bool is_npy(const std::filesystem::path& path) {
  InputFile file(path);
  std::array<char, magic.size()> start{};
  return file.read_some(start.data(), start.size()) == start.size() &&
         std::string_view(start.data(), start.size()) == magic;
}

template Matrix<float> read_npy<float>(const std::filesystem::path&);
template Matrix<double> read_npy<double>(const std::filesystem::path&);

void write_npy(const std::filesystem::path& path, View<float> values) { write_matrix(path, values); }
void write_npy(const std::filesystem::path& path, View<double> values) { write_matrix(path, values); }

}  // namespace perp
