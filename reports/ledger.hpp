#pragma once
// The ledger: every claim with its verdict and what was found, for people and as CSV.

#include <string>

#include "reports/facts.hpp"

namespace perp::report {

/// What {{ledger}} prints: verdict, one sentence with its number, kind of evidence, and whether it matters at
/// sizes that people use; each claim links to its section in `<report>#o1` (`report` empty: the same page).
std::string ledger_markdown(const Facts& facts, std::string_view report);

/// ledger.csv: study, claim, verdict, condition, conditions, held, finding, value, low, high, level,
/// relation, bound, theory, n, statement, source, evidence, outcome. The finding is that of the first core
/// condition that was measured, with the interval that judges it.
std::string ledger_csv(const Facts& facts);

/// conditions.csv: every condition of every claim: claim, role, factor, finding, says, value, low, high,
/// level, freedom, relation, bound, margin, outcome, evidence, needs.
std::string conditions_csv(const Facts& facts);

}  // namespace perp::report
