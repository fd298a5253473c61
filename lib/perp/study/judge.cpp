#include "perp/study/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "perp/base/error.hpp"

namespace perp {
namespace {

template <class Enum, std::size_t N>
using Names = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Names<Verdict, 4> verdicts{{{Verdict::supported, "supported"},
                                      {Verdict::refuted, "refuted"},
                                      {Verdict::conditional, "conditional"},
                                      {Verdict::unmeasured, "unmeasured"}}};
constexpr Names<Is, 4> relations{
    {{Is::below, "below"}, {Is::above, "above"}, {Is::within, "within"}, {Is::outside, "outside"}}};

template <class Enum, std::size_t N>
std::string_view name_of(const Names<Enum, N>& names, Enum value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == value; })
      ->second;
}

template <class Enum, std::size_t N>
Enum value_of(const Names<Enum, N>& names, std::string_view text, std::string_view what) {
  const auto* entry = std::find_if(names.begin(), names.end(),
                                   [&](const auto& candidate) { return candidate.second == text; });
  require(entry != names.end(), "{} '{}' is not known", what, text);
  return entry->first;
}

std::optional<double> bound_value(const std::vector<Finding>& findings, const Finding& finding,
                                  const Bound& bound) {
  if (const double* number = std::get_if<double>(&bound)) return *number;
  const std::string& name = std::get<std::string>(bound);
  if (name == "theory") return finding.theory;
  const Finding* other = find(findings, name);
  return other ? std::optional(other->value) : std::nullopt;
}

/// An end of the interval; NaN is absent, as it will be once the finding has been through JSON.
double or_value(const std::optional<double>& end, double value) {
  return end && !std::isnan(*end) ? *end : value;
}

bool measured(const std::vector<Finding>& findings, const Condition& condition) {
  const Finding* finding = find(findings, condition.finding);
  if (!finding || std::isnan(finding->value)) return false;
  const std::optional<double> bound = bound_value(findings, *finding, condition.bound);
  return bound && !std::isnan(*bound);
}

}  // namespace

Condition::Condition(std::string_view finding_, Is is_, double bound_)
    : finding(finding_), is(is_), bound(bound_) {}
Condition::Condition(std::string_view finding_, Is is_, const char* bound_)
    : finding(finding_), is(is_), bound(std::string(bound_)) {}
Condition::Condition(std::string_view finding_, Is is_, const std::string& bound_)
    : finding(finding_), is(is_), bound(bound_) {}
Condition::Condition(std::string_view finding_, Is is_, const Bound& bound_)
    : finding(finding_), is(is_), bound(bound_) {}
Condition::Condition(const Condition&) = default;
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(const Condition&) = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

std::string_view to_text(Verdict verdict) { return name_of(verdicts, verdict); }
Verdict verdict_from(std::string_view text) { return value_of(verdicts, text, "verdict"); }
std::string_view to_text(Is is) { return name_of(relations, is); }
Is is_from(std::string_view text) { return value_of(relations, text, "relation"); }

bool holds(const std::vector<Finding>& findings, const Condition& condition) {
  require(measured(findings, condition), "rule: '{}' or its bound was not measured", condition.finding);
  const Finding& finding = *find(findings, condition.finding);
  const double bound = *bound_value(findings, finding, condition.bound);
  const double low = or_value(finding.low, finding.value), high = or_value(finding.high, finding.value);
  switch (condition.is) {
    case Is::below:
      return high < bound;
    case Is::above:
      return low > bound;
    case Is::within:
      return low <= bound && bound <= high;
    case Is::outside:
      return bound < low || high < bound;
  }
  refuse("rule: relation of '{}' is not known", condition.finding);
}

Verdict judge(const std::vector<Finding>& findings, const Rule& rule) {
  require(!rule.empty(), "a claim needs at least one condition to be judged by");
  const auto is_measured = [&](const Condition& condition) { return measured(findings, condition); };
  if (!std::all_of(rule.begin(), rule.end(), is_measured)) return Verdict::unmeasured;
  const auto held = std::count_if(rule.begin(), rule.end(),
                                  [&](const Condition& condition) { return holds(findings, condition); });
  if (held == static_cast<std::ptrdiff_t>(rule.size())) return Verdict::supported;
  return held == 0 ? Verdict::refuted : Verdict::conditional;
}

}  // namespace perp
