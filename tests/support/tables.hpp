#pragma once
// Tests that need real tables, which PERP_DATA names: they carry the label `tables` and have a ctest entry of
// their own, <floor>_tables, which is skipped and not passed where one of them found no table.

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace perp::test {

/// What a program exits with when all its tests passed but for those that found no table; the same in
/// tests/CMakeLists.txt.
inline constexpr int skipped_exit = 77;
inline bool any_skipped = false;

/// The decorator of such a test.
inline auto needs_tables() { return boost::unit_test::label("tables"); }

/// The table in PERP_DATA; nothing, and the program's exit code says so, where it is not there.
inline std::optional<std::filesystem::path> real_table(const std::string& name) {
  const char* folder = std::getenv("PERP_DATA");
  if (folder && std::filesystem::exists(std::filesystem::path(folder) / name))
    return std::filesystem::path(folder) / name;
  BOOST_TEST_MESSAGE("skipped: PERP_DATA does not hold " << name);
  any_skipped = true;
  return std::nullopt;
}

}  // namespace perp::test
