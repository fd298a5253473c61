#pragma once
// The ledger: every claim with its verdict and what was found, for people and as CSV.

#include <functional>
#include <string>

#include "reports/render/claims.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/links.hpp"

namespace perp::report {

/// What {{ledger}} prints, the table of claims: each claim, which leads to its section, with `sources` behind
/// it, its verdict, what was found, the level of the intervals, the kind of evidence, whether it matters.
std::string ledger_markdown(const Facts& facts, const Links& links,
                            const std::function<Said(const Claim&)>& said,
                            const std::function<std::string(const Claim&)>& sources);

/// ledger.csv: study, claim, verdict, condition, conditions, held, finding, value, low, high, level,
/// relation, bound, theory, n, statement, source, evidence, outcome. The finding is that of the first core
/// condition that was measured, with the interval that judges it.
std::string ledger_csv(const Facts& facts, const std::function<Said(const Claim&)>& said);

/// conditions.csv: every condition of every claim: claim, role, factor, finding, says, value, low, high,
/// level, freedom, relation, bound, margin, outcome, evidence, needs.
std::string conditions_csv(const Facts& facts);

}  // namespace perp::report
