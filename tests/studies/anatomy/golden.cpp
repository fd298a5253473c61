// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/studies/anatomy/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  const Results all = merged(anatomy::study().claims, results_of);
  check_golden("anatomy", all);
  check_wording(all);
}

BOOST_AUTO_TEST_SUITE_END()
