#pragma once
// word2vec's binary files made byte by byte.

#include <string>
#include <utility>
#include <vector>

#include "npy_bytes.hpp"

namespace perp::test {

using WordAndNumbers = std::pair<std::string, std::vector<float>>;

inline std::string word2vec_file(const std::string& header, const std::vector<WordAndNumbers>& rows,
                                 const std::string& end = "\n") {
  std::string file = header;
  for (const auto& [word, numbers] : rows) file += word + " " + items_bytes(numbers, false) + end;
  return file;
}

}  // namespace perp::test
