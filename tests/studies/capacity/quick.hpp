#pragma once
// Study `capacity` at its quick preset, and its numbers beside another program's.

#include "studies/capacity/claims.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return capacity::study(); }

/// Whether an estimate at 99.9 % and another program's mean and standard error agree.
inline bool meets(const Estimate& found, double mean, double error) {
  const Interval interval = interval_at(found.value, *found.spread, 0.999);
  return interval.low - 3.3 * error < mean && mean < interval.high + 3.3 * error;
}

}  // namespace perp::test
