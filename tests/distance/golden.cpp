// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/distance/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  const Results all = merged(distance::study().claims, results_of);
  check_golden("distance", all);
  check_wording(all);
}

BOOST_AUTO_TEST_SUITE_END()
