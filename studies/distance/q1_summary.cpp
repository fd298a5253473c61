// Q1: findings, rule and what does not hold.

#include "perp/base/error.hpp"
#include "studies/distance/q1_layout.hpp"

namespace perp::distance {

Moments moments_of(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  return sums.moments();
}

Outcome summarise_layout(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  add_following(cells, outcome);
  add_held(cells, outcome);
  add_given(cells, outcome);
  if (judge(outcome.findings, outcome.rule) != Verdict::supported) {
    std::vector<std::string> moved;
    for (const Condition& condition : outcome.rule)
      if (!holds(outcome.findings, condition)) moved.push_back(condition.finding);
    outcome.condition = fmt::format("{} of {} comparisons leave their bounds: {}", moved.size(),
                                    outcome.rule.size(), fmt::join(moved, ", "));
  }
  return outcome;
}

}  // namespace perp::distance
