#pragma once
// What one decision that falls on the other side does to a share of n decisions and to the ends of its
// interval.
//
// The share moves by 1/n. An end of Wilson's interval is a function of share and n, so what it moves is
// computed. An end of Student's interval over m groups of n/m decisions each, mean ± t s/√m, moves by
//
//   1/n  with the mean, and  t/n  with the spread:
//
// one group's share moves by δ = m/n, and s is the length of the vector of deviations over √(m-1), so the
// triangle inequality gives |Δs| ≤ δ √(1 - 1/m)/√(m-1) = δ/√m, hence t |Δs|/√m ≤ t/n.
//
// Neither m nor the formula is written down beside a share, but both can be read: the squared half width of
// Student's interval is t²/((m-1) n²) times m Σk² - (Σk)², a whole number, where k are the groups' counts;
// hardly anything else is whole for any m. An interval that is neither Wilson's nor Student's belongs to no
// share of n decisions.

#include <optional>

#include "perp/study/finding.hpp"

namespace perp::report {

/// How far one of n decisions moves share and ends; an end that is 0 or 1 was cut off there and moves with
/// the other.
struct Tip {
  double value, low, high;
};
/// Nothing where value, interval and level are not those of a share of n decisions.
std::optional<Tip> one_decision(const Estimate& estimate, double n);

}  // namespace perp::report
