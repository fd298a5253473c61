#pragma once
// The ledger: every claim with its verdict and the number that decided it, for people and as CSV.

#include <string>

#include "reports/facts.hpp"

namespace perp::report {

/// What {{ledger}} prints: the number is the one that decided, that of the first condition that fails, or
/// else of the first; each claim links to its section in `<report>#o1` (`report` empty: the same page).
std::string ledger_markdown(const Facts& facts, std::string_view report);

/// ledger.csv: study, claim, verdict, condition, conditions, held, finding, value, low, high, level,
/// relation, bound, theory, n, statement, source.
std::string ledger_csv(const Facts& facts);

}  // namespace perp::report
