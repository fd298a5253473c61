#pragma once
// Study `capacity` at its quick preset.

#include "studies/capacity/study.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return capacity::study(); }

}  // namespace perp::test
