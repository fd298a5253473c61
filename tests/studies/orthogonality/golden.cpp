// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/studies/orthogonality/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(orthogonality_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("orthogonality", quick_results()); }

BOOST_AUTO_TEST_SUITE_END()
