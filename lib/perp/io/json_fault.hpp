#pragma once
// What nlohmann's parser complains of, for a line of our own.

#include <exception>
#include <string>

namespace perp {

/// Without the library's own name and number in front, "[json.exception.parse_error.101] ".
inline std::string json_fault(const std::exception& error) {
  const std::string message = error.what();
  const std::size_t behind = message.starts_with('[') ? message.find("] ") : message.npos;
  return behind == message.npos ? message : message.substr(behind + 2);
}

}  // namespace perp
