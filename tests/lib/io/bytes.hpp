#pragma once
// Files of every format byte by byte, so that the tests depend on no writer of ours.

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace perp::test {

template <class Item>
std::string items_bytes(const std::vector<Item>& items, bool big_endian) {
  std::string bytes;
  for (const Item item : items) {
    char raw[sizeof(Item)];
    std::memcpy(raw, &item, sizeof(Item));
    if (big_endian != (std::endian::native == std::endian::big)) std::reverse(raw, raw + sizeof(Item));
    bytes.append(raw, sizeof(Item));
  }
  return bytes;
}

/// `text` as one gzip stream; with `extra`, as dictzip writes it: a field RA in the header.
inline std::string gzip(std::string text, std::string extra = {}) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  gz_header header{};
  header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = static_cast<uInt>(extra.size());
  if (!extra.empty()) deflateSetHeader(&stream, &header);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// ---- .npy

inline std::string npy_dictionary(const std::string& type, bool fortran, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}
inline std::string npy_file(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += static_cast<char>(dictionary.size() >> (8 * i) & 0xFF);
  return file + dictionary + data;
}

// ---- .safetensors

/// Length, header, data, whatever they say.
inline std::string safetensors_file(const std::string& header, const std::string& data) {
  return items_bytes(std::vector<std::uint64_t>{header.size()}, false) + header + data;
}
/// `"name": {"dtype": …, "shape": …, "data_offsets": …}`.
inline std::string tensor_entry(const std::string& name, const std::string& dtype, const std::string& shape,
                                const std::string& offsets) {
  return fmt::format(R"("{}": {{"dtype": "{}", "shape": {}, "data_offsets": {}}})", name, dtype, shape,
                     offsets);
}
/// Lays tensors one behind the other.
class TensorWriter {
 public:
  TensorWriter& add(const std::string& name, const std::string& dtype, const std::string& shape,
                    const std::string& bytes) {
    const std::size_t begin = data_.size();
    data_ += bytes;
    if (!header_.empty()) header_ += ", ";
    header_ += tensor_entry(name, dtype, shape, fmt::format("[{}, {}]", begin, data_.size()));
    return *this;
  }
  std::string file() const { return safetensors_file("{" + header_ + "}", data_); }

 private:
  std::string header_, data_;
};

// ---- .gguf

enum GgufType : std::uint32_t { f32 = 0 };

/// Lays tensors one behind the other, each at a multiple of 32.
class GgufWriter {
 public:
  /// `dimensions`: fastest first.
  GgufWriter& add(const std::string& name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                  const std::string& bytes) {
    data_.resize(padded(data_.size()));
    put(std::uint64_t{name.size()});
    header_ += name;
    put(static_cast<std::uint32_t>(dimensions.size()));
    header_ += items_bytes(dimensions, false);
    put(type);
    put(std::uint64_t{data_.size()});
    data_ += bytes;
    ++tensors_;
    return *this;
  }
  std::string file() const {
    std::string bytes = "GGUF";
    bytes += items_bytes(std::vector<std::uint32_t>{3}, false);
    bytes += items_bytes(std::vector<std::uint64_t>{tensors_, 0}, false);
    bytes += header_;
    bytes.resize(padded(bytes.size()));
    return bytes + data_;
  }

 private:
  static std::size_t padded(std::size_t bytes) { return (bytes + 31) / 32 * 32; }
  template <class T>
  void put(T number) {
    header_ += items_bytes(std::vector<T>{number}, false);
  }

  std::uint64_t tensors_ = 0;
  std::string header_, data_;
};

}  // namespace perp::test
