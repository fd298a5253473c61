#pragma once
// The study `anatomy`, each claim and preset measured once for all tests of this program.

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "studies/anatomy/study.hpp"
#include "tests/support/rule.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

/// "V4" -> its findings, its tables, its verdict alone; "" -> all claims.
inline const Results& results_of(std::string_view claim, Preset preset = Preset::quick) {
  static std::map<std::pair<std::string, Preset>, Results> kept;
  const std::pair key{std::string(claim), preset};
  const auto it = kept.find(key);
  if (it != kept.end()) return it->second;
  const Scratch scratch;
  Options options;
  options.preset = preset;
  options.threads = 2;
  options.build = scratch.path();
  if (!claim.empty()) options.only = {key.first};
  return kept.emplace(key, measure(anatomy::study(), options)).first->second;
}

inline const Finding& finding(std::string_view id) {
  const Finding* found = find(results_of(id.substr(0, id.find('.'))).findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}
inline double value(const std::string& id) { return finding(id).value; }
inline double theory(const std::string& id) {
  BOOST_REQUIRE_MESSAGE(finding(id).theory.has_value(), "no theory of " << id);
  return *finding(id).theory;
}
inline const Claim& claim(const std::string& id) { return results_of(id).claims.front(); }
inline Verdict verdict(const std::string& id) { return claim(id).verdict(); }

/// "v4_ends.csv" of claim V4.
inline const Table& table(std::string_view file) {
  for (const Table& table : results_of(std::string("V") + file[1]).tables)
    if (table.file == file) return table;
  BOOST_FAIL("no table " << file);
  throw 0;
}

/// Dimension j at position t of the sinusoid of width d, by its definition.
inline double entry(double t, std::size_t j, std::size_t d) {
  const double angle = t * std::pow(1e4, -2.0 * static_cast<double>(j / 2) / static_cast<double>(d));
  return j % 2 ? std::cos(angle) : std::sin(angle);
}

/// A number printed to four decimals in a table.
inline constexpr double to_four_places = 5.0000001e-5;

}  // namespace perp::test
