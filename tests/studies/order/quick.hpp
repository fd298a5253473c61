#pragma once
// Study `order` at its quick preset.

#include "studies/order/claims.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return order::study(); }

}  // namespace perp::test
