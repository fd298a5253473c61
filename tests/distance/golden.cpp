// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Rounding itself, and where its largest was: every BLAS and compiler has its own. Their bounds are tested
/// where the claims are.
const std::set<std::string> rounding{"d1_positions.csv worst_lag",
                                     "d1_formats.csv bound_share",
                                     "D1.bound_share.float64.float64",
                                     "D3.excess",
                                     "D3.composition",
                                     "D4.excess",
                                     "Q1.change_worst"};

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  std::vector<Finding> findings;
  std::vector<Table> tables;
  for (const std::string& claim : distance::study().claims) {
    const Results& results = results_of(claim);
    findings.insert(findings.end(), results.findings.begin(), results.findings.end());
    tables.insert(tables.end(), results.tables.begin(), results.tables.end());
  }
  const Golden golden{"distance", rounding};
  BOOST_TEST(golden.check(findings, tables) >= 15U);
}

BOOST_AUTO_TEST_SUITE_END()
