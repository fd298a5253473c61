// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/orthogonality/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(orthogonality_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  const Golden golden{"orthogonality"};
  BOOST_TEST(golden.check(quick_results().findings, quick_results().tables) >= 8U);
}

BOOST_AUTO_TEST_SUITE_END()
