#include "reports/render/record.hpp"

#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"

namespace perp::report {

using nlohmann::json;

constexpr std::size_t largest_record = std::size_t{1} << 20;
constexpr int deepest = 32;

json read_record(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return json::object();
  const auto guard = [&](int depth, json::parse_event_t, json&) {
    require(depth <= deepest, "{}: nested deeper than {} levels", path.string(), deepest);
    return true;
  };
  try {
    json record = json::parse(read_file(path, largest_record), guard);
    require(record.is_object(), "{}: expected an object", path.string());
    return record;
  } catch (const json::exception& error) {
    refuse("{}: not JSON: {}", path.string(), error.what());
  }
}

}  // namespace perp::report
