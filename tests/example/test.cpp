// The test of the example of docs/adding-a-claim.md, as it stands there.

#include <boost/test/unit_test.hpp>

#include "studies/example/claims.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return example::study(); }

}  // namespace perp::test

using namespace perp;

namespace {

const Results& results() { return test::results_of("X1"); }

}  // namespace

#include "test_x1.cpp"  // made from docs/adding-a-claim.md
