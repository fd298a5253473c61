#pragma once
// A rule at a glance, for tests of what a claim is judged by.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/results.hpp"

namespace perp::test {

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
