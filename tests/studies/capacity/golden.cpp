// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/studies/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("capacity", merged(capacity::study().claims, results_of)); }

BOOST_AUTO_TEST_SUITE_END()
