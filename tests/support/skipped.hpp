#pragma once
// What a test program says when some of its tests could not run: tests/main.cpp, tests/support/tables.hpp.

namespace perp::test {

/// What a program exits with when all its tests passed but for those that found no table; the same in
/// tests/CMakeLists.txt.
inline constexpr int skipped_exit = 77;
inline bool any_skipped = false;

}  // namespace perp::test
