// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Rounding over its bound, which has no digit in common between two processors.
const std::set<std::string> rounding{"V2.radius",
                                     "V3.radius",
                                     "V5.lag_alone",
                                     "v2_hands.csv radius",
                                     "v5_similarity.csv defect",
                                     "v4_ends.csv departure"};

}  // namespace

BOOST_AUTO_TEST_SUITE(anatomy_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  const Results& all = results_of("");
  const Golden golden{"anatomy", rounding};
  BOOST_TEST(golden.check(all.findings, all.tables) >= 10U);
}

BOOST_AUTO_TEST_SUITE_END()
