// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "tests/order/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Rounding itself, as multiples of its bound: every BLAS has its own.
const std::set<std::string> rounding{"s1_none.csv token", "s1_none.csv pooled", "s3_defect.csv over"};

/// Findings in rounding bounds, and what is read from states that have collapsed to rounding.
bool is_rounding(const Finding& finding) {
  if (finding.unit == "rounding bounds" && finding.kind == Kind::rounded) return true;
  for (const char* collapsed : {".no_residual.", ".bare."})
    if (finding.id.find(collapsed) != std::string::npos && finding.id.find("depth0") == std::string::npos)
      return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(order_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  std::vector<Finding> findings;
  std::vector<Table> tables;
  std::set<std::string> leave = rounding;
  for (const std::string& claim : order::study().claims) {
    const Results& results = results_of(claim);
    findings.insert(findings.end(), results.findings.begin(), results.findings.end());
    tables.insert(tables.end(), results.tables.begin(), results.tables.end());
    for (const Finding& finding : results.findings)
      if (is_rounding(finding)) leave.insert(finding.id);
  }
  leave.insert("s4_read.csv");  // its collapsed rows are rounding; the others are findings
  const Golden golden{"order", leave};
  BOOST_TEST(golden.check(findings, tables) >= 5U);
}

BOOST_AUTO_TEST_SUITE_END()
