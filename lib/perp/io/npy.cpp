#include "perp/io/npy.hpp"

#include <array>
#include <bit>

#include "perp/io/file.hpp"
#include "perp/io/message.hpp"

namespace perp {
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
  const NpyHeader header = parse_npy_header(dictionary, name);
  const std::uint64_t data = header.count() * header.item_bytes;
  require(size - begin == data, "{} has {} bytes of data; its shape {} x {} of {}-byte items promises {}",
          name, size - begin, header.rows, header.cols, header.item_bytes, data);

  StoredTable table;
  table.item = {static_cast<ItemType::Kind>(header.kind), header.item_bytes, header.big_endian};
  table.begin = begin;
  // With one row or one column both orders are the same.
  table.lines_are_rows = !header.fortran_order || header.rows == 1 || header.cols == 1;
  table.lines = table.lines_are_rows ? header.rows : header.cols;
  table.line_items = table.lines_are_rows ? header.cols : header.rows;
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
