#pragma once
// .npy files made byte by byte, so that the tests do not depend on our own writer.

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace perp::test {

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

}  // namespace perp::test
