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

// ---- .gguf. These return const texts: two temporary ones put together make g++ 12 warn of its own library (PR 105651).

/// A number as the file has it, little-endian.
template <class T>
const std::string le(T number) {
  return items_bytes(std::vector<T>{number}, false);
}
inline const std::string gguf_text(const std::string& text) { return le(std::uint64_t{text.size()}) + text; }
inline const std::string repeated(std::size_t count, char byte = '\0') { return std::string(count, byte); }

/// A named value: its type's number and its bytes.
inline const std::string gguf_value(const std::string& name, std::uint32_t type, const std::string& bytes) {
  return gguf_text(name) + le(type) + bytes;
}
inline const std::string gguf_count(const std::string& name, std::uint32_t count) {
  return gguf_value(name, 4, le(count));
}
/// What the header says of a tensor, its dimensions fastest first.
inline const std::string gguf_tensor(const std::string& name, const std::vector<std::uint64_t>& dimensions,
                                     std::uint32_t type, std::uint64_t begin) {
  return gguf_text(name) + le(static_cast<std::uint32_t>(dimensions.size())) +
         items_bytes(dimensions, false) + le(type) + le(begin);
}
/// The start, whatever the numbers say.
inline const std::string gguf_start(std::uint64_t tensors, std::uint64_t values) {
  std::string bytes = "GGUF";
  return bytes.append(le(std::uint32_t{3})).append(le(tensors)).append(le(values));
}

/// Numbers of types.
enum GgufType : std::uint32_t { f32 = 0, q4_0 = 2, q4_1 = 3 };

/// Lays tensors one behind the other, each at a multiple of 32.
class GgufWriter {
 public:
  GgufWriter& value(const std::string& bytes) {
    values_ += bytes;
    ++value_count_;
    return *this;
  }
  GgufWriter& add(const std::string& name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                  const std::string& bytes) {
    data_.resize(padded(data_.size()));
    tensors_ += gguf_tensor(name, dimensions, type, data_.size());
    ++tensor_count_;
    data_ += bytes;
    return *this;
  }
  const std::string file() const {
    std::string bytes = gguf_start(tensor_count_, value_count_) + values_ + tensors_;
    bytes.resize(padded(bytes.size()));
    return bytes + data_;
  }

 private:
  static std::size_t padded(std::size_t bytes) { return (bytes + 31) / 32 * 32; }

  std::uint64_t value_count_ = 0, tensor_count_ = 0;
  std::string values_, tensors_, data_;
};

}  // namespace perp::test
