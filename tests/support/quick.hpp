#pragma once
// The quick preset of the study that a test program is about, claim by claim, each measured once for all its
// tests. Every program defines `study_under_test` in its own quick.hpp.

#include <boost/test/unit_test.hpp>
#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "perp/study/experiment.hpp"
#include "tests/support/found.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

inline Study study_under_test();

/// These claims with these options, measured anew.
inline Results measured(const std::vector<std::string>& claims, std::map<std::string, std::string> extra) {
  const Scratch scratch;
  Options options;
  options.preset = Preset::quick;
  options.threads = 2;
  options.build = scratch.path();
  options.only = claims;
  options.extra = std::move(extra);
  return measure(study_under_test(), options);
}

/// "D4" -> its findings, its tables, its verdict alone.
inline const Results& results_of(std::string_view claim) {
  static std::map<std::string, Results, std::less<>> kept;
  const auto it = kept.find(claim);
  if (it != kept.end()) return it->second;
  // No test waits for words to be learned.
  return kept.emplace(std::string(claim), measured({std::string(claim)}, {{"corpus", "none"}})).first->second;
}

inline const Finding& finding(std::string_view id) {
  return finding(results_of(id.substr(0, id.find('.'))), id);
}
inline double value(const std::string& id) { return finding(id).value; }

/// "d4_shift.csv" of claim D4.
inline const Table& table(std::string_view file) {
  std::string claim(file.substr(0, file.find('_')));
  claim.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(claim.front())));
  return table(results_of(claim), file);
}

}  // namespace perp::test
