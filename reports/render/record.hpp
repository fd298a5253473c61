#pragma once
// run.json and timings.json: what a run leaves beside its results.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace perp::report {

/// The object in the file, an empty one where there is no file. Throws Error{Exit::unusable} when it is
/// larger than 1 MiB, nested deeper than 32 levels (the library bounds neither), not JSON or no object.
nlohmann::json read_record(const std::filesystem::path& path);

}  // namespace perp::report
