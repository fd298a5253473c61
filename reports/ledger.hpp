#pragma once
// The ledger: every claim with its verdict and the number that decided it, for people and as CSV.

#include <string>

#include "reports/facts.hpp"

namespace perp::report {

/// What {{ledger}} prints; each claim links to its section in `<report>#o1` (`report` empty: the same page).
std::string ledger_markdown(const Facts& facts, std::string_view report);

/// ledger.csv: study, claim, verdict, condition, finding, value, low, high, level, relation, bound, theory,
/// n, statement, source.
std::string ledger_csv(const Facts& facts);

/// "O1" -> "o1": the anchor in front of a claim's section.
std::string anchor(std::string_view claim);

}  // namespace perp::report
