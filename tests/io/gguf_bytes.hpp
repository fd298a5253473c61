#pragma once
// .gguf files made byte by byte from the format's definition, so that the tests depend on no writer of ours.

#include <cstdint>
#include <string>
#include <vector>

#include "npy_bytes.hpp"

namespace perp::test {

// These return const texts: two temporary ones put together make g++ 12 warn of its own library (PR 105651).

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
inline const std::string gguf_start(std::uint64_t tensors, std::uint64_t values, std::uint32_t version = 3) {
  std::string bytes = "GGUF";
  return bytes.append(le(version)).append(le(tensors)).append(le(values));
}

/// Lays tensors one behind the other, each at a multiple of `alignment`.
class GgufWriter {
 public:
  explicit GgufWriter(std::size_t alignment = 32) : alignment_(alignment) {}

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
  const std::string header(std::uint32_t version = 3) const {
    return gguf_start(tensor_count_, value_count_, version) + values_ + tensors_;
  }
  const std::string file(std::uint32_t version = 3) const {
    std::string bytes = header(version);
    bytes.resize(padded(bytes.size()));
    return bytes + data_;
  }

 private:
  std::size_t padded(std::size_t bytes) const { return (bytes + alignment_ - 1) / alignment_ * alignment_; }

  std::size_t alignment_;
  std::uint64_t value_count_ = 0, tensor_count_ = 0;
  std::string values_, tensors_, data_;
};

/// Numbers of types.
enum GgufType : std::uint32_t { f32 = 0, q4_0 = 2, q4_1 = 3 };

}  // namespace perp::test
