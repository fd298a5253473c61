#pragma once
// A study's results against what it gave when somebody last looked, as `make verify` compares two runs:
// findings by their kinds, verdicts, rules and their outcomes, conditions word by word, tables cell by cell; and, which
// that leaves out, sentences in tables.
// tests/golden/<study> holds results.json and tables as a run writes them, long tables that no page prints
// thinned out.
//
// After a change that is meant to move something: PERP_WRITE_GOLDEN=1 build/test_<study>
// --run_test='*golden*', for every study that moved; look at the difference, commit it.

#include <string>
#include <vector>

#include "perp/study/results.hpp"
#include "reports/render/verify.hpp"

namespace perp::test {

/// One study from its claims, each measured alone.
template <class ResultsOf>
Results merged(const std::vector<std::string>& claims, const ResultsOf& results_of) {
  Results all;
  for (const std::string& claim : claims) {
    const Results& one = results_of(claim);
    if (all.study.empty())
      all = one;
    else {
      all.findings.insert(all.findings.end(), one.findings.begin(), one.findings.end());
      all.claims.insert(all.claims.end(), one.claims.begin(), one.claims.end());
      all.tables.insert(all.tables.end(), one.tables.begin(), one.tables.end());
    }
  }
  return all;
}

/// Compares with tests/golden/<name>, or with PERP_WRITE_GOLDEN writes it. `common` as in verify.hpp:
/// what the machine that wrote it and this one share.
void check_golden(const std::string& name, Results now, report::Common common = report::Common::draws);

}  // namespace perp::test
