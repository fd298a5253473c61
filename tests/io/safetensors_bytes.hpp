#pragma once
// .safetensors files made byte by byte, so that the tests depend on no writer of ours.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "npy_bytes.hpp"

namespace perp::test {

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

}  // namespace perp::test
