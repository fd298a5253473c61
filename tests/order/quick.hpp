#pragma once
// The quick preset of study `order`, claim by claim, each measured once for all tests of this program.

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "studies/order/study.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

/// "S4" -> its findings, its tables, its verdict alone.
inline const Results& results_of(const std::string& claim) {
  static std::map<std::string, Results> kept;
  const auto it = kept.find(claim);
  if (it != kept.end()) return it->second;
  const Scratch scratch;
  Options options;
  options.preset = Preset::quick;
  options.threads = 2;
  options.build = scratch.path();
  options.only = {claim};
  return kept.emplace(claim, measure(order::study(), options)).first->second;
}

inline const Finding& finding(const std::string& id) {
  const Finding* found = find(results_of(id.substr(0, id.find('.'))).findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}
inline double value(const std::string& id) { return finding(id).value; }

/// "s4_read.csv" of claim S4.
inline const Table& table(const std::string& file) {
  for (const Table& table : results_of(fmt::format("S{}", file[1])).tables)
    if (table.file == file) return table;
  BOOST_FAIL("no table " << file);
  throw 0;
}

}  // namespace perp::test
