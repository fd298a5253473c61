#pragma once
// Tests that need real tables, which PERP_DATA names: they carry the label `tables` and have a ctest entry of
// their own, <floor>_tables, which is skipped and not passed where one of them found no table.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/scratch.hpp"
#include "tests/support/skipped.hpp"

namespace perp::test {

/// The decorator of such a test.
inline auto needs_tables() { return boost::unit_test::label("tables"); }

/// The table in PERP_DATA; nothing, and the program's exit code says so, where it is not there.
inline std::optional<std::filesystem::path> real_table(const std::string& name) {
  const auto folder = real_data();
  if (folder && std::filesystem::exists(*folder / name)) return *folder / name;
  BOOST_TEST_MESSAGE("skipped: PERP_DATA does not hold " << name);
  any_skipped = true;
  return std::nullopt;
}

}  // namespace perp::test
