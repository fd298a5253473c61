#pragma once
// The JSON of small files, and what nlohmann's parser complains of, for a line of our own.

#include <cstdint>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "perp/io/byte_source.hpp"

namespace perp {

/// Without the library's own name and number in front, "[json.exception.parse_error.101] ".
inline std::string json_fault(const std::exception& error) {
  const std::string message = error.what();
  const std::size_t behind = message.starts_with('[') ? message.find("] ") : message.npos;
  return behind == message.npos ? message : message.substr(behind + 2);
}

/// Of a name that comes twice in an object: the last counts, as in most readers of configurations, or none, where nobody can
/// tell which one is meant.
enum class Twice { last_counts, refused };

/// All of the source as JSON. Throws Error{Exit::unusable} that names the file and says what was `expected` for more than
/// `most` bytes ("`what` of 5 bytes"), no JSON (from which byte on), numbers beyond 1.8e308, whatever is nested deeper than
/// 64, and, where that is so, a name that comes twice.
nlohmann::json read_json(const ByteSource& source, std::string_view what, std::uint64_t most,
                         std::string_view expected, Twice twice);

}  // namespace perp
