// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Where a descent stops, and what a fit leaves of a job that it all but serves: every BLAS has its own.
const std::set<std::string> rounding{"A4.released_gain.v150", "a3_load.csv ww"};

}  // namespace

BOOST_AUTO_TEST_SUITE(capacity_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  std::vector<Finding> findings;
  std::vector<Table> tables;
  for (const std::string& claim : capacity::study().claims) {
    const Results& results = results_of(claim);
    findings.insert(findings.end(), results.findings.begin(), results.findings.end());
    tables.insert(tables.end(), results.tables.begin(), results.tables.end());
  }
  const Golden golden{"capacity", rounding};
  BOOST_TEST(golden.check(findings, tables) >= 10U);
}

BOOST_AUTO_TEST_SUITE_END()
