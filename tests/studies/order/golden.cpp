// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "studies/order/claims.hpp"
#include "tests/support/quick.hpp"

using namespace perp;
using namespace perp::test;

inline Study perp::test::study_under_test() { return order::study(); }

BOOST_AUTO_TEST_SUITE(order_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("order", merged(order::study().claims, results_of)); }

BOOST_AUTO_TEST_SUITE_END()
