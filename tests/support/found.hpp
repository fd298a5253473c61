#pragma once
// What a test asks for, of results or of an outcome, and fails where that is not there; what a claim's conditions came to.
// And numbers made up for rules to judge.

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/results.hpp"

namespace perp::test {

inline const Finding& finding(const auto& of, std::string_view id) {
  const Finding* found = find(of.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}
inline double value(const auto& of, std::string_view id) { return finding(of, id).value; }

/// The theory beside a simulation, within so many half-widths of its interval.
inline void check_theory(const auto& of, std::string_view id, double widths) {
  const Finding& f = finding(of, id);
  BOOST_REQUIRE_MESSAGE(f.theory && f.low && f.high, id << " has no theory or no interval");
  BOOST_TEST(std::abs(f.value - *f.theory) <= widths * (*f.high - *f.low) / 2,
             id << ": " << f.value << " against " << *f.theory);
}

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

/// What the condition on this finding came to; "" for the place that another study fills.
inline Answer answer_on(const Claim& claim, std::string_view id) {
  for (std::size_t i = 0; i < claim.rule.size(); ++i)
    if (claim.rule[i].finding == id) return claim.judgement.readings.at(i).answer;
  BOOST_FAIL("no condition on " << id);
  return Answer::unmeasured;
}

/// "holds fails unmeasured": what each condition came to, in the rule's order.
inline std::string outcomes(const Claim& claim) {
  std::vector<std::string_view> answers;
  for (const Reading& reading : claim.judgement.readings) answers.push_back(to_text(reading.answer));
  return fmt::format("{}", fmt::join(answers, " "));
}

/// An exact number.
inline Finding number(std::string id, double value) {
  Finding finding;
  finding.id = std::move(id), finding.value = value;
  return finding;
}

/// A mean with a known standard deviation, so that its 99.9 % interval is value ± 3.2905 sd.
inline Finding drawn(std::string id, double value, double sd, std::optional<double> theory = {}) {
  Finding finding = number(std::move(id), value);
  finding.kind = Kind::sampled, finding.spread = known_spread(sd), finding.theory = theory;
  return finding;
}

}  // namespace perp::test
