#pragma once
// Study `distance` at its quick preset.

#include "studies/distance/study.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return distance::study(); }

}  // namespace perp::test
