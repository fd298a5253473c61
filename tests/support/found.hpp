#pragma once
// What a test asks for, of results or of an outcome; it fails where that is not there.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string_view>

#include "perp/study/results.hpp"

namespace perp::test {

inline const Finding& finding(const auto& of, std::string_view id) {
  const Finding* found = find(of.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}
inline double value(const auto& of, std::string_view id) { return finding(of, id).value; }

inline const Table& table(const auto& of, std::string_view file) {
  const auto found = std::ranges::find(of.tables, file, &Table::file);
  BOOST_REQUIRE_MESSAGE(found != of.tables.end(), "no table " << file);
  return *found;
}

inline const Claim& claim(const Results& results, std::string_view id) {
  const auto found = std::ranges::find(results.claims, id, &Claim::id);
  BOOST_REQUIRE_MESSAGE(found != results.claims.end(), "no claim " << id);
  return *found;
}

}  // namespace perp::test
