#include "reports/verify_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "perp/base/special.hpp"
#include "perp/statistics/interval.hpp"

namespace perp::report {
namespace {

/// Formulas are evaluated again and numbers travel with all their digits: some hundred roundings, relative.
constexpr double same_formula = 1e-9;
constexpr double most_decisions = 1e9;
constexpr int most_groups = 128;

bool same(double a, double b) { return std::abs(a - b) <= same_formula; }

/// Whole up to rounding, not nought (groups that all agree have no width) and small enough to tell.
bool whole_and_some(double number) {
  constexpr double largest = 0.01 / same_formula;
  return number > 0.5 && number < largest &&
         std::abs(number - std::round(number)) <= same_formula * std::max(number, 1.0);
}

/// Student's factor for the fewest groups that give this half width; nothing where none does.
std::optional<double> student_factor(double half, double n, double level) {
  for (int m = 2; m <= most_groups; ++m) {
    if (std::fmod(n, m) != 0) continue;
    const double t = special::student_quantile_above(m - 1, (1 - level) / 2), counts = half * n / t;
    if (whole_and_some((m - 1) * counts * counts)) return t;
  }
  return std::nullopt;
}

/// What one decision more or fewer makes of an end of Wilson's interval.
double wilson_moves(std::uint64_t right, std::uint64_t n, double level, double Interval::*end) {
  const double here = wilson(right, n, level).*end;
  double most = 0;
  if (right > 0) most = std::max(most, std::abs(wilson(right - 1, n, level).*end - here));
  if (right < n) most = std::max(most, std::abs(wilson(right + 1, n, level).*end - here));
  return most;
}

}  // namespace

std::optional<Tip> one_decision(const Estimate& estimate, double n) {
  if (!estimate.low || !estimate.high || !estimate.level) return std::nullopt;
  if (!(n >= 1 && n <= most_decisions) || n != std::floor(n)) return std::nullopt;
  const double share = estimate.value, right = std::round(share * n);
  if (!(share >= 0 && share <= 1) || !same(right / n, share)) return std::nullopt;
  const auto successes = static_cast<std::uint64_t>(right), trials = static_cast<std::uint64_t>(n);
  const Interval trial = wilson(successes, trials, *estimate.level);
  // Both ends cut off: an interval that says nothing, and may say something next time.
  if (*estimate.low == 0 && *estimate.high == 1) return Tip{1 / n, 1, 1};
  const auto moves = [&](double end, double Interval::*which, double cut) -> std::optional<double> {
    const double of_wilson = wilson_moves(successes, trials, *estimate.level, which);
    if (same(end, trial.*which)) return of_wilson;
    // Cut off at nought or one: the other end tells how wide it was, unless that is Wilson's.
    const double other = end == cut ? (cut == 0 ? *estimate.high : *estimate.low) : end;
    const std::optional<double> t = student_factor(std::abs(other - share), n, *estimate.level);
    if (t) return std::max(of_wilson, (1 + *t) / n);
    return end == cut ? std::optional(of_wilson) : std::nullopt;
  };
  const std::optional<double> low = moves(*estimate.low, &Interval::low, 0),
                              high = moves(*estimate.high, &Interval::high, 1);
  if (!low || !high) return std::nullopt;
  return Tip{1 / n, *low, *high};
}

}  // namespace perp::report
