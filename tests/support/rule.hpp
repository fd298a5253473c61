#pragma once
// What a claim's rule looks like, and what its conditions came to.

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/results.hpp"

namespace perp::test {

inline std::size_t conditions(const Rule& rule, Role role) {
  return static_cast<std::size_t>(std::ranges::count(rule, role, &Condition::role));
}

/// The factors that core conditions name, in order: "evidence, d".
inline std::string factors(const Rule& rule) {
  std::vector<std::string> names;
  for (const Condition& condition : rule)
    for (const auto& [name, level] : condition.levels)
      if (condition.role == Role::core && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What the condition on this finding came to; "" for the place that another study fills.
inline Answer answer_on(const Claim& claim, std::string_view id) {
  for (std::size_t i = 0; i < claim.rule.size(); ++i)
    if (claim.rule[i].finding == id) return claim.judgement.readings.at(i).answer;
  BOOST_FAIL("no condition on " << id);
  return Answer::unmeasured;
}

/// The rule judged again with one number in another place; an interval moves with it.
inline Judgement with(std::vector<Finding> findings, const Rule& rule, std::string_view id, double value) {
  const auto found = std::ranges::find(findings, id, &Finding::id);
  BOOST_REQUIRE_MESSAGE(found != findings.end(), "no finding " << id);
  found->value = value;
  return judge(findings, rule);
}

inline std::size_t words_in(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word; ++count) {
  }
  return count;
}

/// A fragment that can stand within a sentence.
inline void check_fragment(const std::string& text, const std::string& of) {
  BOOST_TEST(!text.empty(), of << " says nothing");
  if (text.empty()) return;
  BOOST_TEST(!(std::isupper(static_cast<unsigned char>(text[0])) &&
               std::islower(static_cast<unsigned char>(text[1]))),
             of << ": " << text);
  BOOST_TEST(text.back() != '.', of << ": " << text);
  BOOST_TEST(text.find('\n') == std::string::npos, of << ": " << text);
  BOOST_TEST(words_in(text) <= 45U, of << ": " << words_in(text) << " words: " << text);
}

/// Every condition says what its number is and what it differs by, and where there is no number what has to
/// be given.
inline void check_wording(const Results& results) {
  for (const Claim& claim : results.claims) {
    for (const Condition& condition : claim.rule) {
      const std::string of = claim.id + " on '" + condition.finding + "'";
      check_fragment(condition.says, of);
      BOOST_TEST(!condition.levels.empty(), of << " has no levels");
      if (!find(results.findings, condition.finding)) BOOST_TEST(!condition.needs.empty(), of);
    }
  }
}

/// "core 2 limit 1: evidence size": conditions by role, then the factors whose levels they name, in order.
inline std::string shape(const Claim& claim) {
  std::vector<std::string> factors;
  std::size_t core = 0;
  for (const Condition& condition : claim.rule) {
    core += condition.role == Role::core;
    for (const auto& [factor, level] : condition.levels)
      if (std::ranges::find(factors, factor) == factors.end()) factors.push_back(factor);
  }
  std::string text = fmt::format("core {} limit {}:", core, claim.rule.size() - core);
  for (const std::string& factor : factors) text += fmt::format(" {}", factor);
  return text;
}

/// "holds fails unmeasured": what each condition came to, in the rule's order.
inline std::string outcomes(const Judgement& judgement) {
  std::vector<std::string_view> answers;
  for (const Reading& reading : judgement.readings) answers.push_back(to_text(reading.answer));
  return fmt::format("{}", fmt::join(answers, " "));
}
inline std::string outcomes(const Claim& claim) { return outcomes(claim.judgement); }

}  // namespace perp::test
