#pragma once
// A claim's verdict follows from its findings by a rule that is data. The study computes it when it writes,
// the renderer again when it reads, and the renderer refuses a file in which the two disagree.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perp/study/finding.hpp"

namespace perp {

enum class Verdict { supported, refuted, conditional, unmeasured };
std::string_view to_text(Verdict verdict);
Verdict verdict_from(std::string_view text);

/// below: the whole interval lies below the bound; above: the whole interval lies above it;
/// within: the bound lies inside the closed interval; outside: it does not.
enum class Is { below, above, within, outside };
std::string_view to_text(Is is);
Is is_from(std::string_view text);

/// A number, the id of another finding (its value), or "theory" (the same finding's theory line).
using Bound = std::variant<double, std::string>;

struct Condition {
  std::string finding;
  Is is;
  Bound bound;

  Condition(std::string_view finding, Is is, double bound);
  Condition(std::string_view finding, Is is, const char* bound);
  Condition(std::string_view finding, Is is, const std::string& bound);
  Condition(std::string_view finding, Is is, const Bound& bound);
  Condition(const Condition&);
  Condition(Condition&&) noexcept;
  Condition& operator=(const Condition&);
  Condition& operator=(Condition&&) noexcept;
  ~Condition();
};
using Rule = std::vector<Condition>;

/// Whether one condition holds. A finding without interval counts as the interval [value, value].
/// Throws Error if the finding or its bound is not there.
bool holds(const std::vector<Finding>& findings, const Condition& condition);

/// supported if every condition holds, refuted if none does, conditional if some do, unmeasured if a finding
/// or bound that the rule names is absent (or NaN). Throws Error for an empty rule.
Verdict judge(const std::vector<Finding>& findings, const Rule& rule);

}  // namespace perp
